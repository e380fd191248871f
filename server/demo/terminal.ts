// A terminal like any other, but for its cameras: it dials the gateway's public port, registers, signs in, beats,
// reports where it is and sends media when it is asked to. The gateway cannot tell it from a real one.
import { connect, type Socket } from 'node:net';
import { wallMs } from '../../shared/protocol/time.ts';
import { GeneralResult } from '../device/jt808/codec/codes.ts';
import { FrameSplitter } from '../device/jt808/codec/frame.ts';
import { type HeaderFields, terminalNumber } from '../device/jt808/codec/header.ts';
import {
  decodeMessage,
  encodeMessages,
  type Message,
  type MessageBody,
  messageIdOf,
} from '../device/jt808/codec/message.ts';
import type { Clip } from './clip/loadClip.ts';
import { LiveMedia } from './liveMedia.ts';
import { positionReport } from './positionReport.ts';
import { registrationOf, type VehicleProfile } from './vehicleProfile.ts';

export interface TerminalOptions {
  readonly profile: VehicleProfile;
  readonly gateway: { readonly host: string; readonly port: number };
  readonly clip: Clip;
}

const HEARTBEAT_MS = 30_000;
const POSITION_MS = 5_000;
const REDIAL_MS = 2_000;

/** Owns its signalling socket, its media connections and its timers until `stop`. */
export class SimulatedTerminal {
  readonly #options: TerminalOptions;
  readonly #media: LiveMedia;
  #socket: Socket | undefined;
  #redial: NodeJS.Timeout | undefined;
  #timers: NodeJS.Timeout[] = [];
  #serial = 0;
  #running = false;
  /** Kept over reconnects, as a terminal keeps it in its flash memory. */
  #authenticationCode: string | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { number, edition } = options.profile;
    this.#media = new LiveMedia({ sim: terminalNumber(number, edition).raw, clip: options.clip });
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#dial();
  }

  /** Drops every connection without a word, as a terminal does whose power is cut. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#redial);
    this.#socket?.destroy();
    this.#leave();
  }

  #dial(): void {
    const splitter = new FrameSplitter();
    const socket = connect({ ...this.#options.gateway, noDelay: true });
    this.#socket = socket;
    socket.on('connect', () => this.#introduce());
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        if (event.kind !== 'frame') continue;
        const result = decodeMessage(event.bytes);
        if (result.ok) this.#handle(result.message);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#leave();
      if (this.#running) this.#redial = setTimeout(() => this.#dial(), REDIAL_MS);
    });
  }

  #introduce(): void {
    if (this.#authenticationCode === undefined) this.#send(registrationOf(this.#options.profile));
    else this.#authenticate(this.#authenticationCode);
  }

  #authenticate(code: string): void {
    this.#send({ kind: 'authentication', code, imei: '860000000000000', softwareVersion: 'demo' });
  }

  #handle({ header, body }: Message): void {
    switch (body.kind) {
      case 'registrationReply':
        this.#authenticationCode = body.code;
        if (body.code === undefined) this.#socket?.destroy();
        else this.#authenticate(body.code);
        return;
      case 'platformGeneralReply':
        if (body.replyId === AUTHENTICATION_ID) this.#authenticated(body.result === GeneralResult.Ok);
        return;
      case 'liveRequest':
        this.#answer(header.serial, body);
        this.#media.start(body);
        return;
      case 'liveControl':
        this.#answer(header.serial, body);
        this.#media.control(body);
        return;
      default:
        this.#answer(header.serial, body, GeneralResult.NotSupported);
    }
  }

  #authenticated(isGood: boolean): void {
    if (!isGood) {
      // The code is no longer known: registering again is what a terminal does then.
      this.#authenticationCode = undefined;
      this.#socket?.destroy();
      return;
    }
    const report = (): void => this.#send(positionReport(this.#options.profile, wallMs(Date.now())));
    report();
    this.#timers.push(setInterval(report, POSITION_MS));
    this.#timers.push(setInterval(() => this.#send({ kind: 'heartbeat' }), HEARTBEAT_MS));
  }

  #answer(replySerial: number, to: MessageBody, result: number = GeneralResult.Ok): void {
    this.#send({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }

  #send(body: MessageBody): void {
    const { number, edition } = this.#options.profile;
    const protocolVersion = edition === '2019' ? 1 : 0;
    const fields: HeaderFields = {
      edition,
      protocolVersion,
      terminal: terminalNumber(number, edition),
      serial: this.#serial,
    };
    const frames = encodeMessages(fields, body);
    this.#serial = (this.#serial + frames.length) & 0xffff;
    for (const frame of frames) this.#socket?.write(frame);
  }

  #leave(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    this.#media.stopAll();
  }
}

const AUTHENTICATION_ID = 0x0102;
