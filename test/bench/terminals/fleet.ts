// Many terminals in one process: each registers, signs in, and reports where it is whenever it is told to. They are thinner than
// the demo's terminal, so that thousands of them leave the machine to the gateway.
import { connect } from 'node:net';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessages, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { positionReport } from '../../../simulator/positionReport.ts';
import { stateAt } from '../../../simulator/script/scriptState.ts';
import { registrationOf, type VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import type { Driven } from '../fences/driving.ts';
import { type DialOrder, deviceIdOf, type FromDialing } from './messages.ts';

const REDIAL_MS = 2_000;
/** Interval at which the progress of the fleet is reported. */
const PROGRESS_MS = 5_000;
/** The state without a script, in which nothing happens. */
const DRIVING = stateAt([], 0, { edition: '2019' });

export class Fleet {
  readonly #order: DialOrder;
  readonly #tell: (message: FromDialing) => void;
  readonly #sends = new Map<number, (body: MessageBody) => void>();
  readonly #progress: NodeJS.Timeout;
  #online = 0;
  #cut = 0;

  constructor(order: DialOrder, tell: (message: FromDialing) => void) {
    this.#order = order;
    this.#tell = tell;
    this.#progress = setInterval(() => tell({ type: 'progress', online: this.#online, cut: this.#cut }), PROGRESS_MS);
  }

  get cut(): number {
    return this.#cut;
  }

  async dialAll(): Promise<void> {
    const { first, count, dialsPerSecond } = this.#order;
    for (let index = 0; index < count; index++) {
      this.#dial(first + index);
      if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 10_000 / dialsPerSecond));
    }
  }

  /**
   * `alarm`: bits of the alarm word. `driven`: where the vehicle is, instead of on the demo's way. The result is when the position
   * was handed to the socket, epoch milliseconds.
   */
  report(device: number, alarm = 0, driven?: Driven): number {
    const send = this.#sends.get(device);
    const profile = profileOf(device);
    const nowMs = Date.now();
    const state = { ...DRIVING, alarm };
    const position = positionReport(profile, { atMs: nowMs, clock: wallMs(nowMs), elapsedMs: 0, state });
    send?.(driven === undefined ? position : { ...position, ...driven });
    return nowMs;
  }

  #dial(device: number): void {
    const profile = profileOf(device);
    const splitter = new FrameSplitter();
    let serial = 0;
    let isOnline = false;
    const socket = connect({ host: '127.0.0.1', port: this.#order.port, noDelay: true });
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
      // After sign-in only receipts come, and reading them is not what is measured.
      if (isOnline) return;
      for (const event of splitter.push(chunk)) {
        const read = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (read?.ok !== true) continue;
        const { body } = read.message;
        if (body.kind === 'registrationReply') this.#signIn(body.code, send);
        if (body.kind === 'platformGeneralReply' && body.replyId === MessageId.authentication) {
          isOnline = body.result === GeneralResult.Ok;
          this.#noteOnline();
        }
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#cut++;
      // The terminal dials again, as real ones do; one that was signed in has been counted, and stays cut.
      if (!isOnline) setTimeout(() => this.#dial(device), REDIAL_MS);
    });
    this.#sends.set(device, send);
  }

  #signIn(code: string | undefined, send: (body: MessageBody) => void): void {
    if (code === undefined) this.#tell({ type: 'failed', reason: 'a registration was refused' });
    else send({ kind: 'authentication', code, imei: '860000000000000', softwareVersion: 'bench' });
  }

  #noteOnline(): void {
    this.#online++;
    if (this.#online < this.#order.count) return;
    clearInterval(this.#progress);
    this.#tell({ type: 'online' });
  }
}

/** Calls `run` this many times a second, evenly spread, with 0, 1, 2, ... The result ends it. */
export function runAtRate(perSecond: number, run: (turn: number) => void): () => void {
  const startMs = Date.now();
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  const runDue = (): void => {
    timer = setTimeout(runDue, TIMER_MS);
    while (startMs + (next * 1_000) / perSecond <= Date.now()) run(next++);
  };
  runDue();
  return () => clearTimeout(timer);
}

const TIMER_MS = 5;

export function profileOf(device: number): VehicleProfile {
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
