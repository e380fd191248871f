// A terminal like any other, but for its cameras: it dials the gateway's public port, registers, signs in, beats,
// reports where it is and sends media when it is asked to. The gateway cannot tell it from a real one.
import type { Socket } from 'node:net';
import { wallMs } from '../../shared/protocol/time.ts';
import { GeneralResult, MessageId } from '../device/jt808/codec/codes.ts';
import { FrameSplitter } from '../device/jt808/codec/frame.ts';
import { type HeaderFields, terminalNumber } from '../device/jt808/codec/header.ts';
import {
  decodeMessage,
  encodeMessages,
  type Message,
  type MessageBody,
  messageIdOf,
} from '../device/jt808/codec/message.ts';
import type { LiveRequest } from '../device/jt808/codec/messages/live.ts';
import type { MediaPacket } from '../device/jt1078/codec/packet.ts';
import { openSocket } from '../faults/sockets.ts';
import { runAfter, runEvery } from '../faults/timers.ts';
import { Card } from './card.ts';
import { withOwnChannel } from './channelQuirks.ts';
import type { Clip } from './clip/loadClip.ts';
import { type ClipOf, LiveMedia } from './liveMedia.ts';
import { positionReport } from './positionReport.ts';
import { reportFault } from './reportFault.ts';
import { Retransmission } from './retransmission.ts';
import { answerTo, DEFAULT_HEARTBEAT_SECONDS } from './terminalAnswers.ts';
import { registrationOf, type VehicleProfile } from './vehicleProfile.ts';

export interface TerminalOptions {
  readonly profile: VehicleProfile;
  readonly gateway: { readonly host: string; readonly port: number };
  /** What every camera sends, or what each does; without one there is no picture. */
  readonly clip?: Clip | ClipOf;
  /** Hears of every message that came, before it is answered. */
  readonly onMessage?: (body: MessageBody) => void;
  readonly onSpeech?: (packet: MediaPacket) => void;
  readonly onOnline?: (isOnline: boolean) => void;
}

const DEFAULT_POSITION_SECONDS = 5;
const REDIAL_MS = 2_000;
/** What six bytes hold. */
const SHORT_NUMBER_DIGITS = 12;

/** Owns its signalling socket, its media connections and its timers until `stop`. */
export class SimulatedTerminal {
  readonly #options: TerminalOptions;
  readonly #media: LiveMedia;
  readonly #card: Card;
  readonly #unacknowledged: Retransmission;
  #socket: Socket | undefined;
  #cancelRedial: (() => void) | undefined;
  #stopTimers: (() => void)[] = [];
  #serial = 0;
  #lastSentMs = 0;
  #running = false;
  /** Of the last long answer, for when packages are asked for again. */
  #packages: { readonly first: number; readonly frames: readonly Uint8Array[] } | undefined;
  /** Kept over reconnects, as a terminal keeps it in its flash memory. */
  #authenticationCode: string | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { profile, clip } = options;
    const { number, edition, quirks = {} } = profile;
    const width = quirks.simBytes === undefined ? edition : quirks.simBytes === 10 ? '2019' : '2013';
    const sim = terminalNumber(width === '2013' ? number.slice(-SHORT_NUMBER_DIGITS) : number, width).raw;
    const clipOf = typeof clip === 'function' ? clip : () => clip;
    this.#card = new Card({
      sim,
      clipOf: (channel) => clipOf(channel, 'main'),
      profile,
      reply: (body) => this.#send(body),
    });
    this.#media = new LiveMedia({
      sim,
      clipOf,
      quirks,
      onSpeech: options.onSpeech,
    });
    this.#unacknowledged = new Retransmission({
      send: (frame) => this.#write(frame),
      giveUp: () => this.#socket?.destroy(),
    });
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#dial();
  }

  /** Drops every connection without a word, as a terminal does whose power is cut. */
  stop(): void {
    this.#running = false;
    this.#cancelRedial?.();
    this.#socket?.destroy();
    this.#leave();
  }

  /** The streams that are being sent, as `channel/0` (main), `channel/1` (sub) and `channel/talk`. */
  get streams(): readonly string[] {
    return this.#media.streams;
  }

  /** The channels whose recordings are being sent. */
  get playbacks(): readonly number[] {
    return this.#card.playbacks;
  }

  #dial(): void {
    const splitter = new FrameSplitter();
    const socket = openSocket({ ...this.#options.gateway, noDelay: true }, reportFault);
    this.#socket = socket;
    socket.on('connect', () => this.#introduce());
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        if (event.kind !== 'frame') continue;
        const result = decodeMessage(event.bytes);
        if (result.ok) this.#handle(result.message);
      }
    });
    socket.on('close', () => {
      this.#leave();
      if (this.#running) this.#cancelRedial = runAfter(REDIAL_MS, () => this.#dial(), reportFault);
    });
  }

  #introduce(): void {
    if (this.#authenticationCode === undefined) this.#report(registrationOf(this.#options.profile));
    else this.#authenticate(this.#authenticationCode);
  }

  #authenticate(code: string): void {
    this.#report({ kind: 'authentication', code, imei: '860000000000000', softwareVersion: 'demo' });
  }

  #handle({ header, body }: Message): void {
    const { quirks } = this.#options.profile;
    this.#options.onMessage?.(body);
    switch (body.kind) {
      case 'registrationReply':
        this.#unacknowledged.acknowledge(body.replySerial);
        this.#authenticationCode = body.code;
        if (body.code === undefined) this.#socket?.destroy();
        else this.#authenticate(body.code);
        return;
      case 'platformGeneralReply':
        this.#unacknowledged.acknowledge(body.replySerial);
        if (body.replyId === MessageId.authentication) this.#authenticated(body.result === GeneralResult.Ok);
        return;
      case 'platformResendRequest':
        if (this.#packages?.first !== body.firstSerial) return;
        for (const number of body.numbers) this.#write(this.#packages.frames[number - 1]);
        return;
      default:
        if (quirks?.mute !== true) this.#obey(header.serial, withOwnChannel(body, quirks));
    }
  }

  #obey(serial: number, body: MessageBody): void {
    switch (body.kind) {
      case 'liveRequest':
        this.#startLive(serial, body);
        return;
      case 'liveControl':
        this.#answer(serial, body);
        this.#media.control(body);
        return;
      case 'queryResources':
      case 'playbackRequest':
      case 'playbackControl':
        this.#card.obey(serial, body);
        return;
      case 'ptzRotate':
      case 'ptzFocus':
      case 'ptzIris':
      case 'ptzZoom':
      case 'ptzWiper':
      case 'ptzInfrared': {
        const canTurn = this.#options.profile.ptzChannels?.includes(body.channel) === true;
        this.#answer(serial, body, canTurn ? GeneralResult.Ok : GeneralResult.NotSupported);
        return;
      }
      case 'linkCheck':
        this.#answer(serial, body);
        return;
      case 'queryPosition':
        this.#send({ ...this.#position(), kind: 'positionReply', replySerial: serial });
        return;
      default: {
        const answer = answerTo(body, serial, this.#options.profile);
        if (answer === undefined) this.#answer(serial, body, GeneralResult.NotSupported);
        else this.#send(answer);
      }
    }
  }

  #startLive(serial: number, request: LiveRequest): void {
    const { quirks, channels } = this.#options.profile;
    if (quirks?.live === 'not-answered') return;
    const body = { kind: 'liveRequest', ...request } as const;
    if (quirks?.live === 'refused' || request.channel > channels) {
      this.#answer(serial, body, GeneralResult.Failed);
      return;
    }
    this.#answer(serial, body);
    if (quirks?.live !== 'not-dialled') this.#media.start(request);
  }

  #authenticated(isGood: boolean): void {
    if (!isGood) {
      // The code is no longer known: registering again is what a terminal does then.
      this.#authenticationCode = undefined;
      this.#socket?.destroy();
      return;
    }
    this.#options.onOnline?.(true);
    const { heartbeatSeconds = DEFAULT_HEARTBEAT_SECONDS, positionSeconds = DEFAULT_POSITION_SECONDS } =
      this.#options.profile;
    const report = (): void => this.#report(this.#position());
    report();
    const beat = (): void => {
      // A heartbeat is for the time in which nothing else is said.
      if (Date.now() - this.#lastSentMs >= heartbeatSeconds * 1_000) this.#report({ kind: 'heartbeat' });
    };
    this.#stopTimers.push(
      runEvery(positionSeconds * 1_000, report, reportFault),
      runEvery(heartbeatSeconds * 500, beat, reportFault),
    );
  }

  #position() {
    return positionReport(this.#options.profile, wallMs(Date.now()));
  }

  #answer(replySerial: number, to: MessageBody, result: number = GeneralResult.Ok): void {
    this.#send({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }

  /** Sends what is to be acknowledged, and sends it again until it is. */
  #report(body: MessageBody): void {
    const serial = this.#serial;
    const [frame] = this.#send(body);
    if (frame !== undefined) this.#unacknowledged.expect(serial, frame);
  }

  #send(body: MessageBody): readonly Uint8Array[] {
    const { number, edition, quirks } = this.#options.profile;
    const protocolVersion = edition === '2019' ? 1 : 0;
    const fields: HeaderFields = {
      edition,
      protocolVersion,
      terminal: terminalNumber(number, edition),
      serial: this.#serial,
    };
    const frames = encodeMessages(fields, body);
    if (frames.length > 1) this.#packages = { first: this.#serial, frames };
    this.#serial = (this.#serial + frames.length) & 0xffff;
    this.#lastSentMs = Date.now();
    const isLossy = frames.length > 1 && quirks?.losesPackages === true;
    frames.forEach((frame, index) => {
      if (!isLossy || index % 2 === 0) this.#write(frame);
    });
    return frames;
  }

  #write(frame: Uint8Array | undefined): void {
    if (frame !== undefined && this.#socket?.destroyed === false) this.#socket.write(frame);
  }

  #leave(): void {
    if (this.#stopTimers.length > 0) this.#options.onOnline?.(false);
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
    this.#unacknowledged.close();
    this.#media.stopAll();
    this.#card.stopAll();
  }
}
