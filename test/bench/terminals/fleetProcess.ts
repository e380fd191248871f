// One process that holds many terminals: each registers, signs in, and reports where it is again and again. Thinner than
// the demo's terminal, so that thousands of them leave the machine to the gateway.
import { connect } from 'node:net';
import { positionReport } from '../../../server/demo/positionReport.ts';
import { stateAt } from '../../../server/demo/script/scriptState.ts';
import { registrationOf, type VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessages, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { deviceIdOf, type FleetOrder, type FromFleet, type SentPosition, type ToFleet } from './messages.ts';

const order = JSON.parse(process.argv[2] ?? '') as FleetOrder;
const sent: SentPosition[] = [];
/** What has each of them report, by device. */
const terminals = new Map<number, () => void>();
const REDIAL_MS = 2_000;
/** How far the fleet has got is told so often. */
const PROGRESS_MS = 5_000;
/** No script: nothing happens. */
const DRIVING = stateAt([], 0, { edition: '2019' });
let online = 0;
let cut = 0;
let timer: NodeJS.Timeout | undefined;

process.on('message', (message: ToFleet) => {
  if (message.type === 'start') startReports();
  else stopReports();
});
// The bench is gone: nobody wants these terminals any more.
process.on('disconnect', () => process.exit());
const progress = setInterval(() => tell({ type: 'progress', online, cut }), PROGRESS_MS);
await dialAll();

async function dialAll(): Promise<void> {
  for (let index = 0; index < order.count; index++) {
    dial(order.first + index);
    if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 10_000 / order.dialsPerSecond));
  }
}

function dial(device: number): void {
  const profile = profileOf(device);
  const splitter = new FrameSplitter();
  let serial = 0;
  let isOnline = false;
  const socket = connect({ host: '127.0.0.1', port: order.port, noDelay: true });
  const send = (body: MessageBody): void => {
    const { edition } = profile;
    const terminal = terminalNumber(profile.number, edition);
    const fields = {
      edition,
      protocolVersion: edition === '2019' ? 1 : 0,
      terminal,
      serial: serial++ & 0xffff,
    } as const;
    for (const frame of encodeMessages(fields, body)) socket.write(frame);
  };
  socket.on('connect', () => send(registrationOf(profile)));
  socket.on('data', (chunk: Buffer) => {
    // Once it is signed in, what comes are receipts: reading them is not what is measured.
    if (isOnline) return;
    for (const event of splitter.push(chunk)) {
      const read = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
      if (read?.ok !== true) continue;
      const { body } = read.message;
      if (body.kind === 'registrationReply') signIn(body.code, send);
      if (body.kind === 'platformGeneralReply' && body.replyId === MessageId.authentication) {
        isOnline = body.result === GeneralResult.Ok;
        noteOnline();
      }
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    cut++;
    // As terminals do; one that was signed in has been counted, and stays cut.
    if (!isOnline) setTimeout(() => dial(device), REDIAL_MS);
  });
  terminals.set(device, () => report(device, profile, send));
}

function signIn(code: string | undefined, send: (body: MessageBody) => void): void {
  if (code === undefined) tell({ type: 'failed', reason: 'a registration was refused' });
  else send({ kind: 'authentication', code, imei: '860000000000000', softwareVersion: 'bench' });
}

function noteOnline(): void {
  online++;
  if (online < order.count) return;
  clearInterval(progress);
  tell({ type: 'online' });
}

/** Spread over the whole interval, as terminals are that were switched on at different times. */
function startReports(): void {
  const startMs = Date.now();
  const reports = [...terminals.values()];
  const stepMs = (order.positionSeconds * 1_000) / reports.length;
  let next = 0;
  const sendDue = (): void => {
    for (; startMs + next * stepMs <= Date.now(); next++) reports[next % reports.length]?.();
    timer = setTimeout(sendDue, 5);
  };
  sendDue();
}

function stopReports(): void {
  clearTimeout(timer);
  tell({ type: 'sent', positions: sent, cut });
}

function report(device: number, profile: VehicleProfile, send: (body: MessageBody) => void): void {
  const nowMs = Date.now();
  // A report's own time has whole seconds; the terminals send far less often, so it names the report.
  sent.push([device, Math.floor(nowMs / 1_000), nowMs]);
  send(positionReport(profile, { atMs: nowMs, clock: wallMs(nowMs), elapsedMs: 0, state: DRIVING }));
}

function profileOf(device: number): VehicleProfile {
  return {
    deviceId: deviceIdOf(device),
    name: deviceIdOf(device),
    number: String(device),
    edition: device % 2 === 0 ? '2019' : '2013',
    plate: `L-${device % 100_000}`,
    channels: 1,
    lapShare: (device % 1_000) / 1_000,
  };
}

function tell(message: FromFleet): void {
  process.send?.(message);
}
