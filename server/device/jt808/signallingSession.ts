// One terminal's signalling connection: sign-in, replies, commands and questions.
import type { Socket } from 'node:net';
import { wallMs } from '../../../shared/protocol/time.ts';
import { wireChannel } from '../channelNumbers.ts';
import { plainAddress } from '../tcpServer.ts';
import type { CommandResult, QueryResult, TerminalSession } from '../terminalSession.ts';
import { GeneralResult, MessageId, type MessageKind, RegistrationResult } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import { type BodyOf, type Message, type MessageBody, messageIdOf } from './codec/message.ts';
import { UNKNOWN_HEARTBEAT_TIMEOUT_MS } from './idleTimeout.ts';
import { Inbox, type InboxItem, type MissingPackages } from './inbox.ts';
import { createLane } from './lane.ts';
import { liveRequest, liveStop, playbackControl, playbackRequest, ptzOrder, talkRequest, talkStop } from './orders.ts';
import { Outbox } from './outbox.ts';
import { PendingCommands } from './pendingCommands.ts';
import { PendingQuery } from './pendingQuery.ts';
import { RecentReplies } from './recentReplies.ts';
import type { SignedInDevice, SignInDesk } from './signInDesk.ts';

export interface SignallingDeps {
  readonly desk: SignInDesk;
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Ids of vendors' own messages that are answered with success: unanswered, they end the connection after some time. */
  readonly acknowledgedIds: ReadonlySet<number>;
  /** What a signed-in terminal reports. */
  readonly onReport: (session: TerminalSession, body: MessageBody) => void;
  /** A signed-in terminal has said something, whatever it was. */
  readonly onMessage?: (session: TerminalSession) => void;
  readonly onSignedIn: (session: TerminalSession) => void;
  readonly onEnded: (session: TerminalSession) => void;
  readonly onFault: (error: Error) => void;
}

/** Nobody needs long to say who he is. */
const SIGN_IN_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;

/** What a message is answered with, and what happens once the answer is out. */
interface Handled {
  readonly reply?: MessageBody | undefined;
  readonly afterwards?: () => void;
  /** The same frame asked again is to be judged again. */
  readonly isFinal?: false;
}

/** Owns the socket until it closes. */
export class SignallingSession {
  readonly #socket: Socket;
  readonly #deps: SignallingDeps;
  readonly #remoteAddress: string;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #recent: RecentReplies;
  readonly #commands: PendingCommands;
  readonly #query: PendingQuery;
  readonly #cancelSignInTimeout: () => void;
  /** Messages are taken one after another: sign-in asks the database, and what follows it must find its result. */
  readonly #inTurn = createLane();
  /** Terminals mix up the answers of two media commands. */
  readonly #mediaTurn = createLane();
  readonly #queryTurn = createLane();
  #signedIn: { readonly session: TerminalSession; readonly terminal: string } | undefined;

  constructor(socket: Socket, deps: SignallingDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    this.#inbox = new Inbox({ ...deps, onMissing: (missing) => this.#askAgain(missing) });
    this.#outbox = new Outbox(socket);
    this.#recent = new RecentReplies(deps.now);
    this.#commands = new PendingCommands(deps.after);
    this.#query = new PendingQuery(deps.after);
    this.#cancelSignInTimeout = deps.after(SIGN_IN_TIMEOUT_MS, () => socket.destroy());
    socket.setTimeout(UNKNOWN_HEARTBEAT_TIMEOUT_MS);
    socket.on('timeout', () => socket.destroy());
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  #read(chunk: Uint8Array): void {
    for (const item of this.#inbox.push(chunk)) {
      this.#inTurn(() => this.#take(item)).catch((error: unknown) => {
        this.#deps.onFault(new Error('a terminal message could not be handled', { cause: error }));
        this.#socket.destroy();
      });
    }
  }

  async #take(item: InboxItem): Promise<void> {
    if (this.#socket.destroyed) return;
    switch (item.kind) {
      case 'message':
        return this.#takeMessage(item.message, item.fingerprint);
      case 'package':
        this.#outbox.answerAs(item.header);
        this.#query.packageCame(item.header.messageId);
        this.#outbox.send(generalReply(item.header, item.result));
        return;
      case 'joined':
        return this.#takeJoined(item.message, item.header);
      case 'broken':
        this.#outbox.answerAs(item.header);
        this.#outbox.send(generalReply(item.header, GeneralResult.BadMessage));
        return;
    }
  }

  async #takeMessage(message: Message, fingerprint: string): Promise<void> {
    this.#outbox.answerAs(message.header);
    const before = this.#recent.find(fingerprint);
    if (before !== undefined) {
      // A terminal that never moves its serial on gives the same question the same bytes.
      if (this.#signedIn !== undefined) this.#query.answer(message.body);
      this.#outbox.send(before);
      return;
    }
    const { reply, afterwards, isFinal } = await this.#handle(message);
    if (reply !== undefined) {
      if (isFinal !== false) this.#recent.remember(fingerprint, reply);
      this.#outbox.send(reply);
    }
    afterwards?.();
  }

  /** Each package has its acknowledgement; an answer of another kind follows, for the whole. */
  async #takeJoined(message: Message, header: Header): Promise<void> {
    this.#outbox.answerAs(header);
    const { reply, afterwards } = await this.#handle(message);
    const isGeneral = reply === undefined || reply.kind === 'platformGeneralReply';
    const result = reply?.kind === 'platformGeneralReply' ? reply.result : GeneralResult.Ok;
    this.#outbox.send(generalReply(header, result));
    if (!isGeneral) this.#outbox.send(reply);
    afterwards?.();
  }

  async #handle({ header, body }: Message): Promise<Handled> {
    switch (body.kind) {
      case 'registration': {
        const answer = await this.#deps.desk.register(header, body, this.#remoteAddress);
        const reply = { kind: 'registrationReply', replySerial: header.serial, ...answer } as const;
        return answer.result === RegistrationResult.Ok ? { reply } : { reply, isFinal: false };
      }
      case 'authentication': {
        const device = await this.#deps.desk.authenticate(header, body);
        if (device === undefined) return { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
        // The answer goes first: a terminal takes no command before it knows that it is signed in.
        return { reply: generalReply(header, GeneralResult.Ok), afterwards: () => this.#signIn(device, header) };
      }
      case 'timeQuery':
        return { reply: { kind: 'timeReply', time: wallMs(this.#deps.now()) }, isFinal: false };
      case 'vendorTimeQuery':
        return { reply: vendorTime(this.#deps.now()), isFinal: false };
      default:
        return this.#handleOfTerminal(header, body);
    }
  }

  #handleOfTerminal(header: Header, body: MessageBody): Handled {
    const signedIn = this.#signedIn;
    if (signedIn === undefined || signedIn.terminal !== header.terminal.canonical) {
      return { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
    }
    this.#deps.onMessage?.(signedIn.session);
    switch (body.kind) {
      case 'terminalGeneralReply':
        this.#commands.answer(body.replySerial, body.replyId, body.result);
        this.#query.generalReply(body.replySerial, body.replyId, body.result);
        return {};
      case 'terminalResendRequest':
        return this.#outbox.resend(body) ? {} : { reply: generalReply(header, GeneralResult.Failed) };
      case 'logout':
        return { reply: generalReply(header, GeneralResult.Ok), afterwards: () => this.#signOut() };
      default:
        if (!this.#query.answer(body)) this.#deps.onReport(signedIn.session, body);
        return { reply: generalReply(header, this.#resultFor(body)) };
    }
  }

  #resultFor(body: MessageBody): GeneralResult {
    switch (body.kind) {
      case 'unknown':
        return this.#deps.acknowledgedIds.has(body.id) ? GeneralResult.Ok : GeneralResult.NotSupported;
      case 'encrypted':
      case 'mediaUpload': // Nothing keeps pictures: a terminal that hears success would delete its own.
        return GeneralResult.NotSupported;
      default:
        return GeneralResult.Ok;
    }
  }

  #signIn(device: SignedInDevice, header: Header): void {
    if (this.#socket.destroyed) return;
    this.#cancelSignInTimeout();
    this.#signOut();
    this.#inbox.trust();
    const session = this.#createSession(device, header);
    this.#signedIn = { session, terminal: header.terminal.canonical };
    this.#deps.onSignedIn(session);
  }

  #signOut(): void {
    const ended = this.#signedIn?.session;
    this.#signedIn = undefined;
    if (ended !== undefined) this.#deps.onEnded(ended);
  }

  #createSession(device: SignedInDevice, header: Header): TerminalSession {
    const media = (body: MessageBody): Promise<CommandResult> => this.#mediaTurn(() => this.#command(body));
    const wire = (channel: number): number => wireChannel(device, channel);
    const onWire = <Order extends { readonly channel: number }>(order: Order): Order => ({
      ...order,
      channel: wire(order.channel),
    });
    return {
      deviceId: device.deviceId,
      terminal: header.terminal.canonical,
      edition: header.edition,
      remoteAddress: this.#remoteAddress,
      localAddress: plainAddress(this.#socket.localAddress),
      relaxedMediaAddress: device.anyMediaAddress,
      channelsFromZero: device.channelsFromZero,
      startLive: (order, to) => media(liveRequest(onWire(order), to)),
      stopLive: (order) => media(liveStop(onWire(order))),
      startTalk: (channel, to) => media(talkRequest(wire(channel), to)),
      stopTalk: (channel) => media(talkStop(wire(channel))),
      // Not in turn with media: a camera that is to stop turning cannot wait for another channel's picture.
      ptz: (channel, order) => this.#command(ptzOrder(wire(channel), order)),
      // Its answer may be a list, as a question's: both turns are waited for, always in this order.
      startPlayback: (order, to, dialled) =>
        this.#mediaTurn(() => this.#queryTurn(() => this.#order(playbackRequest(onWire(order), to), dialled))),
      controlPlayback: (channel, order) => media(playbackControl(wire(channel), order)),
      query: (question, answer) => this.#queryTurn(() => this.#ask(question, answer)),
      setIdleTimeout: (timeoutMs) => this.#socket.setTimeout(timeoutMs),
      close: () => this.#socket.destroy(),
    };
  }

  async #command(body: MessageBody): Promise<CommandResult> {
    const serials = this.#outbox.send(body);
    if (serials === undefined) return { ok: false, why: 'closed' };
    return this.#commands.await(serials, messageIdOf(body), COMMAND_TIMEOUT_MS);
  }

  async #ask<Kind extends MessageKind>(body: MessageBody, answerKind: Kind): Promise<QueryResult<BodyOf<Kind>>> {
    const serials = this.#outbox.send(body);
    if (serials === undefined) return { ok: false, why: 'closed' };
    const messageId = messageIdOf(body);
    return this.#query.await({ serials, messageId, answerKind, timeoutMs: QUERY_TIMEOUT_MS });
  }

  async #order(body: MessageBody, happened: Promise<unknown>): Promise<QueryResult<BodyOf<'resources'> | undefined>> {
    const serials = this.#outbox.send(body);
    if (serials === undefined) return { ok: false, why: 'closed' };
    const messageId = messageIdOf(body);
    void happened.then(() => this.#query.happened(serials));
    return this.#query.await({
      serials,
      messageId,
      answerKind: 'resources',
      timeoutMs: QUERY_TIMEOUT_MS,
      isOrder: true,
    });
  }

  #askAgain({ messageId, firstSerial, numbers, first }: MissingPackages): void {
    const mediaId = messageId === MessageId.mediaUpload && first !== undefined ? mediaIdOf(first) : undefined;
    if (mediaId === undefined) this.#outbox.send({ kind: 'platformResendRequest', firstSerial, numbers });
    else this.#outbox.send({ kind: 'mediaUploadReply', mediaId, missing: numbers });
  }

  #end(): void {
    this.#cancelSignInTimeout();
    this.#inbox.close();
    this.#commands.close();
    this.#query.close();
    this.#signOut();
  }
}

function generalReply(to: Header, result: number): MessageBody {
  return { kind: 'platformGeneralReply', replySerial: to.serial, replyId: to.messageId, result };
}

/** Uploads of pictures are asked for again by their own message, which names the picture. */
function mediaIdOf(first: Uint8Array): number | undefined {
  if (first.length < 4) return undefined;
  return new DataView(first.buffer, first.byteOffset, first.byteLength).getUint32(0);
}

function vendorTime(nowMs: number): MessageBody {
  const now = new Date(nowMs);
  return {
    kind: 'vendorTimeReply',
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    day: now.getUTCDate(),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
    second: now.getUTCSeconds(),
    result: GeneralResult.Ok,
  };
}
