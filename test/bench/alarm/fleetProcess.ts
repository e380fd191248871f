// One process of terminals that report where they are, and raise alarms when they are told to.
import { Fleet, runAtRate } from '../terminals/fleet.ts';
import type { DialOrder } from '../terminals/messages.ts';
import type { FromAlarmFleet, RaisedAlarm, ToAlarmFleet } from './messages.ts';

const EMERGENCY = 1;
/** Speeding, camera fault, fatigue warning, display fault, off route: all severities but critical, whose share is below. */
const USUAL_ALARMS = [1 << 1, 1 << 11, 1 << 14, 1 << 9, 1 << 23];
/** One alarm in this many is an emergency. */
const ALARMS_AN_EMERGENCY = 25;
/** A prime above every number of terminals, so that no device comes twice. */
const STRIDE = 6_700_417;

const order = JSON.parse(process.argv[2] ?? '') as DialOrder;
const tell = (message: FromAlarmFleet): void => void process.send?.(message);
const fleet = new Fleet(order, tell);
/** Devices whose emergency button is held. */
const emergencies = new Set<number>();
let stopReports = (): void => undefined;

process.on('message', (message: ToAlarmFleet) => {
  switch (message.type) {
    case 'report':
      stopReports();
      stopReports = startReports(message.perSecond);
      return;
    case 'emergency':
      emergencies.add(message.device);
      tell({ type: 'raised', alarms: [raise(message.device, EMERGENCY)] });
      return;
    case 'alarms':
      raiseMany(message);
      return;
  }
});
// The bench is gone: nobody needs these terminals any longer.
process.on('disconnect', () => process.exit());
await fleet.dialAll();

function startReports(perSecond: number): () => void {
  const { first, count } = order;
  return runAtRate(perSecond, (turn) => {
    const device = first + (turn % count);
    fleet.report(device, emergencies.has(device) ? EMERGENCY : 0);
  });
}

function raiseMany({ count, among, perSecond }: ToAlarmFleet & { readonly type: 'alarms' }): void {
  const alarms: RaisedAlarm[] = [];
  const stop = runAtRate(perSecond, (turn) => {
    if (turn < count) alarms.push(raise(deviceAt(turn, among), alarmOf(turn)));
    if (turn !== count - 1) return;
    stop();
    tell({ type: 'raised', alarms });
  });
}

/** Another device at each turn, spread over them all: neighbors report one after another, and all their alarms would end together. */
function deviceAt(turn: number, among: number): number {
  return order.first + ((turn * STRIDE) % among);
}

function alarmOf(turn: number): number {
  return turn % ALARMS_AN_EMERGENCY === 0 ? EMERGENCY : (USUAL_ALARMS[turn % USUAL_ALARMS.length] ?? 0);
}

function raise(device: number, alarm: number): RaisedAlarm {
  return [device, fleet.report(device, alarm)];
}
