// From an alarm at a terminal's socket to the call of a webhook, on the built gateway while fifty events a second begin.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { othersShare, processorTime } from '../../support/runner/processorTime.ts';
import { treeCpuSeconds } from '../../support/runner/processTree.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { FromAlarmFleet, RaisedAlarm, ToAlarmFleet } from '../alarm/messages.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { type FleetPart, message, signedIn, startFleets } from '../terminals/fleets.ts';
import { deviceIdOf } from '../terminals/messages.ts';
import { addFleet, addRules, type Routes } from './fillGateway.ts';
import { startTimedSink, type TakenCall, type TimedSink } from './sinkTimes.ts';

export interface DeliveryOptions {
  readonly devices: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

const FLEET_SCRIPT = join(import.meta.dirname, '../alarm/fleetProcess.ts');
const EVENTS_A_SECOND = 50;
const POSITIONS_A_SECOND = 333;
/** Number of messages of each event. */
const MESSAGES = 2;
const REPETITIONS = 2;
const WARM_UP_MS = 3_000;
/** What has not come by then counts as lost. A message that failed once comes within it. */
const TAKEN_WITHIN_MS = 20_000;
/** Time within which the gateway records the last answer. */
const RECORDED_WITHIN_MS = 1_000;

/** Measures the gateways in turn, so that whatever else the machine does affects all of them. */
export async function benchDelivery(options: DeliveryOptions): Promise<Row[]> {
  const { devices, seconds, onProgress } = options;
  // Alarms of one device would continue one event.
  if (EVENTS_A_SECOND * seconds > devices) throw new Error(`outbox: ${seconds} s take more than ${devices} devices`);
  const rows: Row[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    for (const routes of ['none', 'two senders', 'one sender'] as const) {
      onProgress(`outbox: ${devices} devices, messages by ${routes}`);
      rows.push(await measure(routes, options));
    }
  }
  return rows;
}

async function measure(routes: Routes, { devices, seconds, onProgress }: DeliveryOptions): Promise<Row> {
  const sink = await startTimedSink();
  const product = await startProduct(
    async (stores) => addRules(stores, routes, { port: sink.port, memberGroup: await addFleet(stores, devices) }),
    { NOTIFY_NETWORKS: '127.0.0.1' },
  );
  const fleets = startFleets(FLEET_SCRIPT, devices, product.jt808Port);
  try {
    await signedIn(fleets, onProgress);
    for (const fleet of fleets) tell(fleet, { type: 'report', perSecond: POSITIONS_A_SECOND / fleets.length });
    await delay(WARM_UP_MS);
    const load = await underLoad(fleets, product, EVENTS_A_SECOND * seconds);
    const wanted = routes === 'none' ? 0 : load.alarms.length * MESSAGES;
    await waitFor(
      'every message at the sink',
      () => sink.calls,
      (calls) => keysOf(calls).size >= wanted,
      TAKEN_WITHIN_MS,
    ).catch(() => undefined);
    await delay(RECORDED_WITHIN_MS);
    for (const fleet of fleets) fleet.process.kill('SIGKILL');
    await product.end();
    const { cpu, others } = load;
    const figures = { ...arrivals(load.alarms, sink, wanted), ...(await outboxOf(product)) };
    return { 'messages by': routes, events: load.alarms.length, ...figures, 'CPU s/s': cpu, 'of others': others };
  } finally {
    for (const fleet of fleets) fleet.process.kill('SIGKILL');
    await product.stop();
    await sink.close();
  }
}

interface Load {
  readonly alarms: readonly RaisedAlarm[];
  /** Processor time of the gateway, seconds a second. */
  readonly cpu: number;
  readonly others: number;
}

async function underLoad(fleets: readonly FleetPart[], product: Product, count: number): Promise<Load> {
  const startedMs = performance.now();
  const machineBefore = await processorTime();
  const cpuBefore = await treeCpuSeconds(product.processId());
  const share = Math.ceil(count / fleets.length);
  const raised = fleets.map((fleet) => {
    const perSecond = EVENTS_A_SECOND / fleets.length;
    tell(fleet, { type: 'alarms', count: Math.min(share, fleet.count), among: fleet.count, perSecond });
    return message<FromAlarmFleet, 'raised'>(fleet, 'raised');
  });
  const alarms = (await Promise.all(raised)).flatMap((each) => each.alarms);
  const cpuSeconds = (await treeCpuSeconds(product.processId())) - cpuBefore;
  const cpu = rounded(cpuSeconds / ((performance.now() - startedMs) / 1_000), 2);
  return { alarms, cpu, others: rounded(othersShare(machineBefore, await processorTime()), 2) };
}

const keysOf = (calls: readonly TakenCall[]): ReadonlySet<string> => new Set(calls.map(({ key }) => key));

function arrivals(alarms: readonly RaisedAlarm[], { calls }: TimedSink, wanted: number): Row {
  const raisedAtMs = new Map(alarms.map(([device, atMs]) => [deviceIdOf(device), atMs]));
  const delaysMs = calls.map(({ deviceId, atMs }) => atMs - (raisedAtMs.get(deviceId) ?? Number.NaN));
  const firstMs = Math.min(...alarms.map(([, atMs]) => atMs));
  const tookSeconds = (Math.max(firstMs, ...calls.map(({ atMs }) => atMs)) - firstMs) / 1_000;
  const shown = (value: number, digits = 0): number | string => (calls.length === 0 ? '' : rounded(value, digits));
  return {
    taken: calls.length,
    lost: wanted - keysOf(calls).size,
    'messages/s': shown(calls.length / tookSeconds, 1),
    'p50 ms': shown(percentile(delaysMs, 0.5)),
    'p95 ms': shown(percentile(delaysMs, 0.95)),
    'max ms': shown(percentile(delaysMs, 1)),
  };
}

/** The state of the outbox as the gateway has left it in its database. */
async function outboxOf({ dataDir }: Product): Promise<Row> {
  const database = await openDatabase({ engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  try {
    const messages = await database.db.selectFrom('notify_message').select(['state', 'attempts']).execute();
    return {
      waiting: messages.filter(({ state }) => state === 0).length,
      retries: messages.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0),
    };
  } finally {
    await database.close();
  }
}

function tell(fleet: FleetPart, order: ToAlarmFleet): void {
  fleet.process.send(order);
}
