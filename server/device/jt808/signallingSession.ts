// One terminal's signalling connection: bytes to messages, sign-in, replies, commands.
import type { Socket } from 'node:net';
import { plainAddress } from '../tcpServer.ts';
import type { CommandResult, LiveOrder, MediaAddress, TerminalSession } from '../terminalSession.ts';
import { GeneralResult } from './codec/codes.ts';
import { FrameSplitter } from './codec/frame.ts';
import type { Header, HeaderFields } from './codec/header.ts';
import { decodeMessage, encodeMessages, type Message, type MessageBody, messageIdOf } from './codec/message.ts';
import { LiveCloseType, LiveCommand, LiveDataType, LiveStream } from './codec/messages/live.ts';
import { PendingCommands } from './pendingCommands.ts';
import type { SignedInDevice, SignInDesk } from './signInDesk.ts';

export interface SignallingDeps {
  readonly desk: SignInDesk;
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** What a signed-in terminal reports. */
  readonly onReport: (session: TerminalSession, body: MessageBody) => void;
  readonly onSignedIn: (session: TerminalSession) => void;
  readonly onEnded: (session: TerminalSession) => void;
  readonly onFault: (error: Error) => void;
}

/** Some terminals beat once in ten minutes until they are told otherwise. */
const IDLE_TIMEOUT_MS = 15 * 60_000;
/** Nobody needs long to say who he is. */
const SIGN_IN_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** A terminal that takes nothing is gone; its commands would pile up here. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** Owns the socket until it closes. */
export class SignallingSession {
  readonly #socket: Socket;
  readonly #deps: SignallingDeps;
  readonly #remoteAddress: string;
  readonly #splitter = new FrameSplitter();
  readonly #pending: PendingCommands;
  readonly #cancelSignInTimeout: () => void;
  /** Messages are taken one after another: sign-in asks the database, and what follows it must find its result. */
  #work: Promise<void> = Promise.resolve();
  /** Media commands go out one at a time: terminals mix up the answers of two. */
  #mediaCommands: Promise<unknown> = Promise.resolve();
  #serial = 0;
  #header: Header | undefined;
  #signedIn: { readonly session: TerminalSession; readonly terminal: string } | undefined;

  constructor(socket: Socket, deps: SignallingDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    this.#pending = new PendingCommands(deps.after);
    this.#cancelSignInTimeout = deps.after(SIGN_IN_TIMEOUT_MS, () => socket.destroy());
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  #read(chunk: Uint8Array): void {
    for (const event of this.#splitter.push(chunk)) {
      if (event.kind !== 'frame') continue;
      const result = decodeMessage(event.bytes);
      if (result.ok) this.#take(result.message);
      else if (result.fault === 'body' && result.header !== undefined) this.#refuse(result.header);
    }
  }

  #take(message: Message): void {
    this.#header = message.header;
    this.#work = this.#work
      .then(() => this.#handle(message))
      .catch((error: unknown) => {
        this.#deps.onFault(new Error('a terminal message could not be handled', { cause: error }));
        this.#socket.destroy();
      });
  }

  /** What is answered is not sent again. */
  #refuse(header: Header): void {
    this.#header = header;
    this.#reply(header, GeneralResult.BadMessage);
  }

  async #handle({ header, body }: Message): Promise<void> {
    if (this.#socket.destroyed) return;
    switch (body.kind) {
      case 'registration': {
        const reply = await this.#deps.desk.register(header, body, this.#remoteAddress);
        this.#send({ kind: 'registrationReply', replySerial: header.serial, ...reply });
        return;
      }
      case 'authentication': {
        const device = await this.#deps.desk.authenticate(header, body);
        // The answer goes first: a terminal takes no command before it knows that it is signed in.
        this.#reply(header, device === undefined ? GeneralResult.Failed : GeneralResult.Ok);
        if (device !== undefined) this.#signIn(device, header.terminal.canonical);
        return;
      }
      case 'terminalGeneralReply':
        this.#pending.answer(body.replySerial, body.replyId, body.result);
        return;
      default:
        this.#handleReport(header, body);
    }
  }

  #handleReport(header: Header, body: MessageBody): void {
    const signedIn = this.#signedIn;
    if (signedIn === undefined || signedIn.terminal !== header.terminal.canonical) {
      this.#reply(header, GeneralResult.Failed);
      return;
    }
    this.#deps.onReport(signedIn.session, body);
    this.#reply(header, isUnderstood(body) ? GeneralResult.Ok : GeneralResult.NotSupported);
  }

  #signIn(device: SignedInDevice, terminal: string): void {
    if (this.#socket.destroyed) return;
    this.#cancelSignInTimeout();
    if (this.#signedIn !== undefined) this.#deps.onEnded(this.#signedIn.session);
    const session = this.#createSession(device, terminal);
    this.#signedIn = { session, terminal };
    this.#deps.onSignedIn(session);
  }

  #createSession(device: SignedInDevice, terminal: string): TerminalSession {
    return {
      deviceId: device.deviceId,
      terminal,
      remoteAddress: this.#remoteAddress,
      localAddress: plainAddress(this.#socket.localAddress),
      relaxedMediaAddress: device.anyMediaAddress,
      startLive: (order, to) => this.#mediaCommand(liveRequest(order, to)),
      stopLive: (order) => this.#mediaCommand(liveStop(order)),
      close: () => this.#socket.destroy(),
    };
  }

  #mediaCommand(body: MessageBody): Promise<CommandResult> {
    const result = this.#mediaCommands.then(() => this.#command(body));
    this.#mediaCommands = result;
    return result;
  }

  async #command(body: MessageBody): Promise<CommandResult> {
    if (this.#socket.destroyed) return { ok: false, why: 'closed' };
    const serial = this.#send(body);
    return this.#pending.await(serial, messageIdOf(body), COMMAND_TIMEOUT_MS);
  }

  #reply(to: Header, result: number): void {
    this.#send({ kind: 'platformGeneralReply', replySerial: to.serial, replyId: to.messageId, result });
  }

  /** Sends in the header form that the terminal itself uses; returns the serial of the last package. */
  #send(body: MessageBody): number {
    const header = this.#header;
    if (header === undefined || this.#socket.destroyed) return 0;
    const { edition, protocolVersion, terminal } = header;
    const fields: HeaderFields = { edition, protocolVersion, terminal, serial: this.#serial };
    const frames = encodeMessages(fields, body);
    for (const frame of frames) this.#socket.write(frame);
    const lastSerial = (this.#serial + frames.length - 1) & 0xffff;
    this.#serial = (lastSerial + 1) & 0xffff;
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.#socket.destroy();
    return lastSerial;
  }

  #end(): void {
    this.#cancelSignInTimeout();
    this.#pending.close();
    if (this.#signedIn !== undefined) this.#deps.onEnded(this.#signedIn.session);
    this.#signedIn = undefined;
  }
}

function isUnderstood(body: MessageBody): boolean {
  return body.kind !== 'unknown' && body.kind !== 'encrypted' && body.kind !== 'part';
}

function liveRequest(order: LiveOrder, to: MediaAddress): MessageBody {
  return {
    kind: 'liveRequest',
    host: to.host,
    tcpPort: to.port,
    udpPort: 0,
    channel: order.channel,
    dataType: LiveDataType.AudioVideo,
    stream: order.quality === 'main' ? LiveStream.Main : LiveStream.Sub,
  };
}

function liveStop(order: LiveOrder): MessageBody {
  return {
    kind: 'liveControl',
    channel: order.channel,
    command: LiveCommand.Close,
    closeType: LiveCloseType.All,
    stream: order.quality === 'main' ? LiveStream.Main : LiveStream.Sub,
  };
}
