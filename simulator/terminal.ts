// A terminal like any other, except for its cameras: it dials the gateway's public port, registers, signs in, sends heartbeats,
// reports where it is and sends media on request. The gateway cannot tell it from a real one.
import type { Socket } from 'node:net';
import { GeneralResult, MessageId } from '../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../server/device/jt808/codec/header.ts';
import {
  type BodyOf,
  decodeMessage,
  type Message,
  type MessageBody,
  messageIdOf,
} from '../server/device/jt808/codec/message.ts';
import type { MediaPacket } from '../server/device/jt1078/codec/packet.ts';
import { openSocket } from '../server/faults/sockets.ts';
import { type After, createRunAfter, runAfter, runEvery } from '../server/faults/timers.ts';
import { AreaTable } from './answers/areaTable.ts';
import { DriverDisplay, type DriverText } from './answers/driverDisplay.ts';
import { DEFAULT_HEARTBEAT_SECONDS, ParameterTable } from './answers/parameterTable.ts';
import { answerTo, generalResultOf, refusalOf } from './answers/terminalAnswers.ts';
import { Card } from './card/card.ts';
import { CardClock } from './card/cardClock.ts';
import { withOwnChannel } from './channelQuirks.ts';
import type { Clip } from './clip/loadClip.ts';
import { type AlarmFile, AlarmFiles } from './evidence/alarmFiles.ts';
import { AttachmentUploads } from './evidence/attachmentUploads.ts';
import { TerminalCamera } from './evidence/terminalCamera.ts';
import { type TakenImage, TerminalFirmware } from './firmware/terminalFirmware.ts';
import { type ClipOf, LiveMedia } from './liveMedia.ts';
import { reportFault } from './reportFault.ts';
import { ScriptRunner } from './script/scriptRunner.ts';
import { TerminalOutbox } from './terminalOutbox.ts';
import { CardUploads, type UploadedPiece } from './uploads/cardUploads.ts';
import { registrationOf, type VehicleProfile } from './vehicleProfile.ts';

export interface TerminalOptions {
  readonly profile: VehicleProfile;
  readonly gateway: { readonly host: string; readonly port: number };
  /** What every camera sends, or what each one sends; without a clip there is no picture. */
  readonly clip?: Clip | ClipOf;
  /** Called with every message before it is answered, including messages to its uploads. */
  readonly onMessage?: (body: MessageBody) => void;
  readonly onSpeech?: (packet: MediaPacket) => void;
  readonly onOnline?: (isOnline: boolean) => void;
  /** Called with each piece of its recordings that a server has confirmed to have. */
  readonly onUploaded?: (piece: UploadedPiece) => void;
  /** Clock of the script, and of what the terminal does later; the system's by default. */
  readonly now?: () => number;
  readonly runAfter?: After;
}

const REDIAL_MS = 2_000;
/** Number of digits that six bytes hold. */
const SHORT_NUMBER_DIGITS = 12;

/** Owns its signalling socket, its media connections, its uploads and its timers until `stop`. */
export class SimulatedTerminal {
  readonly #options: TerminalOptions;
  readonly #outbox: TerminalOutbox;
  readonly #parameters: ParameterTable;
  readonly #areas: AreaTable;
  readonly #media: LiveMedia;
  readonly #card: Card;
  readonly #uploads: CardUploads;
  readonly #display: DriverDisplay;
  readonly #camera: TerminalCamera;
  readonly #files: AlarmFiles;
  readonly #attachments: AttachmentUploads;
  readonly #script: ScriptRunner;
  readonly #firmware: TerminalFirmware;
  readonly #later: After;
  #socket: Socket | undefined;
  #cancelRedial: (() => void) | undefined;
  /** True while the terminal restarts, when nothing dials. */
  #isDown = false;
  #cancelReboot: (() => void) | undefined;
  #stopHeartbeat: (() => void) | undefined;
  #running = false;
  /** Kept over reconnects, as a terminal keeps it in its flash memory. */
  #authenticationCode: string | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { profile, clip, now = Date.now, runAfter: later = createRunAfter(reportFault), onUploaded } = options;
    const { quirks = {} } = profile;
    const sim = simOf(profile);
    const clipOf = typeof clip === 'function' ? clip : () => clip;
    const mainClipOf = (channel: number): Clip | undefined => clipOf(channel, 'main');
    const send = (body: MessageBody) => this.#outbox.send(body);
    const report = (body: MessageBody): number => this.#outbox.report(body);
    const timing = { now, runAfter: later };
    this.#outbox = new TerminalOutbox(profile);
    this.#parameters = new ParameterTable(profile);
    this.#areas = new AreaTable(profile.edition);
    const recorded = { sim, clipOf: mainClipOf, profile, clock: new CardClock(profile, now()) };
    this.#card = new Card({ ...recorded, reply: send });
    this.#uploads = new CardUploads({ ...recorded, now, reply: send, report, onUploaded });
    this.#media = new LiveMedia({ sim, clipOf, quirks, onSpeech: options.onSpeech });
    this.#display = new DriverDisplay({ readsAloud: profile.readsAloud === true, reply: send, report, ...timing });
    const sendAgain = (frames: readonly Uint8Array[]): void => this.#outbox.write(frames);
    const positionAt = (atMs: number): BodyOf<'position'> => this.#script.positionAt(atMs);
    this.#camera = new TerminalCamera({ profile, positionAt, send, sendAgain, ...timing });
    this.#files = new AlarmFiles({ clipOf: mainClipOf, quirks });
    const { onMessage } = options;
    this.#attachments = new AttachmentUploads({ profile, files: this.#files, reply: send, onMessage });
    this.#later = later;
    this.#firmware = new TerminalFirmware({
      profile,
      send,
      report,
      reboot: (awayMs) => this.#reboot(awayMs),
      resetParameters: () => this.#parameters.reset(),
      runAfter: later,
    });
    this.#script = new ScriptRunner({
      profile,
      ...timing,
      masks: () => this.#parameters.alarmMasks,
      areaCrossing: (position) => this.#areas.crossing(position),
      report,
      sendOnce: send,
      takePicture: (channel, event, atMs) => this.#camera.take(channel, event, atMs),
      keepFiles: (mark, step, atMs) => this.#files.keep(mark, step, atMs),
      onAbsence: (isAbsent) => this.#setAbsent(isAbsent),
    });
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#isDown = false;
    this.#script.start();
    if (!this.#script.isAbsent) this.#dial();
  }

  /** Drops every connection without a word, like a terminal whose power is cut. */
  stop(): void {
    this.#running = false;
    this.#cancelRedial?.();
    this.#cancelReboot?.();
    this.#socket?.destroy();
    this.#leave();
    this.#firmware.close();
    this.#script.stop();
    this.#camera.close();
  }

  /** The streams that are being sent, as `channel/0` (main), `channel/1` (sub) and `channel/talk`. */
  get streams(): readonly string[] {
    return this.#media.streams;
  }

  /** The channels whose recordings are being sent. */
  get playbacks(): readonly number[] {
    return this.#card.playbacks;
  }

  /** The number of uploads of its recordings that are running. */
  get uploads(): number {
    return this.#uploads.serials.length;
  }

  /** Texts that were sent to the driver, oldest first. */
  get texts(): readonly DriverText[] {
    return this.#display.texts;
  }

  /** Firmware images that arrived completely, oldest first. */
  get images(): readonly TakenImage[] {
    return this.#firmware.taken;
  }

  /** The share of the firmware image coming in packages that has arrived, from 0 (none is coming) to 1. */
  get arrivedShare(): number {
    return this.#firmware.arrivedShare;
  }

  get firmwareVersion(): string {
    return this.#firmware.version;
  }

  /** The files that the terminal has of an alarm, as it sends them on request. */
  alarmFiles({ mark, alarmNumber }: BodyOf<'attachmentRequest'>): readonly AlarmFile[] {
    return this.#files.files(mark, alarmNumber);
  }

  #dial(): void {
    const splitter = new FrameSplitter();
    const socket = openSocket({ ...this.#options.gateway, noDelay: true }, reportFault);
    this.#socket = socket;
    this.#outbox.connect(socket);
    socket.on('connect', () => this.#introduce());
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        if (event.kind !== 'frame') continue;
        const result = decodeMessage(event.bytes);
        if (result.ok) this.#handle(result.message);
      }
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#leave();
      if (this.#mayDial) this.#cancelRedial = runAfter(REDIAL_MS, () => this.#dial(), reportFault);
    });
  }

  get #mayDial(): boolean {
    return this.#running && !this.#isDown && !this.#script.isAbsent;
  }

  /** Restarts after this time; undefined: the terminal never comes back. */
  #reboot(awayMs: number | undefined): void {
    this.#isDown = true;
    this.#cancelRedial?.();
    this.#cancelReboot?.();
    this.#socket?.destroy();
    if (awayMs === undefined) return;
    this.#cancelReboot = this.#later(awayMs, () => {
      this.#isDown = false;
      if (this.#mayDial) this.#dial();
    });
  }

  /** The script takes the network away, or gives it back. */
  #setAbsent(isAbsent: boolean): void {
    this.#cancelRedial?.();
    if (isAbsent) this.#socket?.destroy();
    else if (this.#mayDial) this.#dial();
  }

  #introduce(): void {
    if (this.#authenticationCode === undefined) this.#outbox.report(registrationOf(this.#options.profile));
    else this.#authenticate(this.#authenticationCode);
  }

  #authenticate(code: string): void {
    this.#outbox.report({ kind: 'authentication', code, imei: '860000000000000', softwareVersion: 'demo' });
  }

  #handle({ header, body }: Message): void {
    const { quirks } = this.#options.profile;
    this.#options.onMessage?.(body);
    switch (body.kind) {
      case 'registrationReply':
        this.#outbox.acknowledge(body.replySerial);
        this.#authenticationCode = body.code;
        if (body.code === undefined) this.#socket?.destroy();
        else this.#authenticate(body.code);
        return;
      case 'platformGeneralReply':
        this.#acknowledged(body);
        return;
      case 'platformResendRequest':
        this.#outbox.resend(body.firstSerial, body.numbers);
        return;
      case 'mediaUploadReply':
        this.#camera.uploadReply(body);
        return;
      default:
        if (quirks?.mute !== true) this.#obey(header.serial, withOwnChannel(body, quirks));
    }
  }

  #acknowledged({ replySerial, replyId, result }: BodyOf<'platformGeneralReply'>): void {
    this.#outbox.acknowledge(replySerial);
    if (replyId === MessageId.authentication) this.#authenticated(result === GeneralResult.Ok);
    if (replyId === MessageId.mediaUpload && result !== GeneralResult.Ok) this.#camera.refused(replySerial);
    if (result === GeneralResult.AlarmProcessed) this.#script.processed(replySerial);
  }

  #obey(serial: number, body: MessageBody): void {
    const { profile } = this.#options;
    const refusal = refusalOf(body, profile);
    if (refusal !== undefined) {
      this.#answer(serial, body, refusal);
      return;
    }
    if (this.#firmware.obey(serial, body)) return;
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
      case 'fileUpload':
      case 'fileUploadControl':
        this.#uploads.obey(serial, body);
        return;
      case 'queryPosition':
        this.#outbox.send({ ...this.#script.position(), kind: 'positionReply', replySerial: serial });
        return;
      case 'confirmAlarm':
        this.#answer(serial, body);
        this.#script.confirm(body);
        return;
      case 'setParameters':
        this.#parameters.set(body.items);
        this.#answer(serial, body);
        return;
      case 'text':
      case 'question':
      case 'eventSet':
        this.#display.obey(serial, body);
        return;
      case 'takePicture':
      case 'searchMedia':
      case 'uploadStoredMedia':
      case 'uploadOneMedia':
        this.#camera.obey(serial, body);
        return;
      case 'attachmentRequest':
        this.#attachments.obey(serial, body);
        return;
      case 'queryAreas':
        if (profile.edition === '2019') this.#outbox.send(this.#areas.reply(body));
        else this.#answer(serial, body, GeneralResult.NotSupported);
        return;
      default: {
        const firmwareVersion = this.#firmware.version;
        const answer = answerTo(body, serial, { profile, parameters: this.#parameters, firmwareVersion });
        if (answer === undefined) this.#answer(serial, body, this.#areas.obey(body) ?? generalResultOf(body, profile));
        else this.#outbox.send(answer);
      }
    }
  }

  #startLive(serial: number, request: BodyOf<'liveRequest'>): void {
    const { quirks, channels } = this.#options.profile;
    if (quirks?.live === 'not-answered') return;
    if (quirks?.live === 'refused' || request.channel > channels) {
      this.#answer(serial, request, GeneralResult.Failed);
      return;
    }
    this.#answer(serial, request);
    if (quirks?.live !== 'not-dialled') this.#media.start(request);
  }

  #authenticated(isGood: boolean): void {
    if (!isGood) {
      // The code is no longer known: a terminal then registers again.
      this.#authenticationCode = undefined;
      this.#socket?.destroy();
      return;
    }
    this.#options.onOnline?.(true);
    const { heartbeatSeconds = DEFAULT_HEARTBEAT_SECONDS } = this.#options.profile;
    const beat = (): void => {
      // A heartbeat is only needed while nothing else is sent.
      if (Date.now() - this.#outbox.lastSentMs >= heartbeatSeconds * 1_000) this.#outbox.report({ kind: 'heartbeat' });
    };
    this.#stopHeartbeat = runEvery(heartbeatSeconds * 500, beat, reportFault);
    this.#script.signedIn();
    this.#camera.signedIn();
    this.#firmware.signedIn();
  }

  #answer(replySerial: number, to: MessageBody, result: number = GeneralResult.Ok): void {
    this.#outbox.send({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }

  #leave(): void {
    if (this.#stopHeartbeat !== undefined) this.#options.onOnline?.(false);
    this.#stopHeartbeat?.();
    this.#stopHeartbeat = undefined;
    this.#outbox.disconnect();
    this.#media.stopAll();
    this.#card.stopAll();
    this.#uploads.stopAll();
    this.#display.disconnected();
    this.#camera.disconnected();
    this.#attachments.stopAll();
    this.#script.disconnected();
  }
}

function simOf({ number, edition, quirks }: VehicleProfile): string {
  const width = quirks?.simBytes === undefined ? edition : quirks.simBytes === 10 ? '2019' : '2013';
  return terminalNumber(width === '2013' ? number.slice(-SHORT_NUMBER_DIGITS) : number, width).raw;
}
