// One terminal's signalling connection: sign-in, and replies to what the terminal says.
import type { Socket } from 'node:net';
import { wallMs } from '../../../shared/protocol/time.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import { plainAddress } from '../tcpServer.ts';
import type { TerminalSession } from '../terminalSession.ts';
import { NO_SOCKET_USE, type SocketUse, type SocketUses } from '../usage/socketUse.ts';
import type { Caller } from './addressGate.ts';
import { GeneralResult, MessageId, RegistrationResult } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import type { BodyOf, Message, MessageBody } from './codec/message.ts';
import type { Authentication } from './codec/messages/authentication.ts';
import type { Registration } from './codec/messages/registration.ts';
import { UNKNOWN_HEARTBEAT_TIMEOUT_MS } from './idleTimeout.ts';
import { Inbox, type InboxItem, type MissingPackages, type PackageBytes, type RepeatedPackage } from './inbox.ts';
import { InputQueue } from './inputQueue.ts';
import { LivenessProbe } from './livenessProbe.ts';
import { Outbox } from './outbox.ts';
import type { PackagePace } from './packages/packagePace.ts';
import { RecentReplies } from './recentReplies.ts';
import { SignedInSession } from './signedInSession.ts';
import { SIGN_IN_TIMEOUT, SignInDeadline } from './signInDeadline.ts';
import { waitAfter } from './slowing.ts';
import type { SignedInDevice, TerminalAuthenticator } from './terminalAuthenticator.ts';
import { TerminalOrders } from './terminalOrders.ts';
import type { WaitingBytes } from './waitingBytes.ts';

export interface SignallingDeps {
  readonly authenticator: TerminalAuthenticator;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Ids of vendor-specific messages that are answered with success. Without an answer, terminals disconnect after some time. */
  readonly acknowledgedIds: ReadonlySet<number>;
  /** Bytes that all connections of the port have read and not handled. */
  readonly waiting: WaitingBytes;
  readonly packageBytes: PackageBytes;
  /** The pace of long messages to all terminals. Undefined: none is held back. */
  readonly pace?: PackagePace | undefined;
  /** Takes the reports of a signed-in terminal. False if it is not kept: the terminal has to send the report again. */
  readonly onReport: (session: TerminalSession, body: MessageBody) => boolean | Promise<boolean>;
  /** Keeps a picture that a terminal uploads (0x0801). True once it would survive a power cut. Undefined: no pictures are kept. */
  readonly storePicture?: ((session: TerminalSession, upload: BodyOf<'mediaUpload'>) => Promise<boolean>) | undefined;
  /** Called for every message of a signed-in terminal. */
  readonly onMessage?: (session: TerminalSession) => void;
  readonly onSignedIn: (session: TerminalSession) => void;
  readonly onEnded: (session: TerminalSession) => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
  readonly uses?: SocketUses | undefined;
}

/** Messages at once before a connection has signed in; then 20 per second. The socket is read no faster. */
export const UNAUTHENTICATED_MESSAGES_LIMIT: Limit = { name: 'terminals.messages.unauthenticated', max: 100 };
const UNAUTHENTICATED_MESSAGES_PER_SECOND = 20;
/**
 * Messages at once of a signed-in terminal; then 500 per second. A terminal that was without a network for long sends what it has stored.
 * The socket is read no faster.
 */
export const MESSAGES_LIMIT: Limit = { name: 'terminals.messages.connection', max: 2_000 };
const MESSAGES_PER_SECOND = 500;
const PACE_MS = 100;
/** Media type of pictures in 0x0801, beside sound and video. */
const PICTURE = 0;
/** Shorter than the time-out of most terminals. */
const KEPT_TIMEOUT_MS = 5_000;
/**
 * Registrations and codes of a connection since its last correct code. Each further one waits: 1 s, then twice as long each time, 30 s at
 * most. The connection is not read meanwhile.
 */
export const ATTEMPTS_LIMIT: Limit = { name: 'terminals.attempts.connection', max: 5 };

type JoinedItem = Extract<InboxItem, { readonly kind: 'joined' }>;

/** The reply to a message, and what to do after it has been sent. */
interface Handled {
  readonly reply?: MessageBody | undefined;
  readonly afterwards?: () => void;
  /** The same frame must be handled again when it is repeated. */
  readonly isFinal?: false;
}

/** Owns the socket until it closes. */
export class SignallingSession {
  readonly #socket: Socket;
  readonly #deps: SignallingDeps;
  readonly #onProved: () => void;
  readonly #remoteAddress: string;
  readonly #use: SocketUse;
  readonly #input: InputQueue<InboxItem>;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #orders: TerminalOrders;
  readonly #recent: RecentReplies;
  readonly #deadline: SignInDeadline;
  #pace: TokenBucket;
  #paceLimit = UNAUTHENTICATED_MESSAGES_LIMIT;
  #probe: LivenessProbe | undefined;
  #attempts = 0;
  /** Ends the one sleep that message handling may be in. */
  #wake: (() => void) | undefined;
  #signedIn: { readonly session: TerminalSession; readonly terminal: string } | undefined;

  /** `onProved` is called for each right code, before anyone else learns of it. */
  constructor(socket: Socket, deps: SignallingDeps, onProved: () => void = () => undefined) {
    this.#onProved = onProved;
    const { now, runAfter, onLimit, onFault, packageBytes, pace } = deps;
    this.#socket = socket;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    this.#use = deps.uses?.add(socket) ?? NO_SOCKET_USE;
    this.#inbox = new Inbox({ now, runAfter, onLimit, packageBytes, onMissing: (missing) => this.#askAgain(missing) });
    this.#outbox = new Outbox(socket, onLimit);
    // A firmware image is the only message that is sent in this way.
    const onLongBytes = (sentBytes: number): void => this.#use.attribute('firmware', { receivedBytes: 0, sentBytes });
    this.#orders = new TerminalOrders({ outbox: this.#outbox, pace, runAfter, onLimit, onFault, onLongBytes });
    this.#recent = new RecentReplies(now, onLimit);
    this.#pace = paceOf(this.#paceLimit, UNAUTHENTICATED_MESSAGES_PER_SECOND, now());
    this.#deadline = new SignInDeadline(runAfter, () => {
      onLimit(SIGN_IN_TIMEOUT);
      socket.destroy();
    });
    this.#setIdleTimeout(UNKNOWN_HEARTBEAT_TIMEOUT_MS);
    socket.on('close', () => this.#end());
    // Messages are taken one after another: sign-in asks the database, and what follows it must find its result.
    const { waiting } = deps;
    this.#input = new InputQueue(socket, {
      waiting,
      onFault,
      onLimit,
      address: addressKey(this.#remoteAddress),
      decode: (bytes) => this.#inbox.push(bytes),
      handle: (item) => this.#handleInTime(item),
    });
  }

  /** Silence while the socket is not read, or not read to its end, is not the terminal's fault. */
  #setIdleTimeout(timeoutMs: number): void {
    this.#socket.removeAllListeners('timeout');
    this.#socket.setTimeout(timeoutMs, () => {
      if (this.#input.isBusy) this.#setIdleTimeout(timeoutMs);
      else this.#socket.destroy();
    });
  }

  async #handleInTime(item: InboxItem): Promise<void> {
    const isExpected = item.kind === 'message' && this.#orders.isOfPackage(item.message.body);
    while (!isExpected && !this.#pace.take(this.#deps.now())) {
      this.#deps.onLimit(this.#paceLimit);
      if (!(await this.#sleep(PACE_MS))) return;
    }
    await this.#take(item);
  }

  /** A terminal that tries again and again on one connection waits longer each time. False when the connection has ended meanwhile. */
  async #slowAttempt(): Promise<boolean> {
    const waitMs = waitAfter(this.#attempts++);
    if (waitMs === 0) return true;
    this.#deps.onLimit(ATTEMPTS_LIMIT);
    return this.#sleep(waitMs);
  }

  async #sleep(delayMs: number, earlier?: Promise<void>): Promise<boolean> {
    if (this.#socket.destroyed) return false;
    let cancel = (): void => undefined;
    const slept = new Promise<void>((resolve) => {
      cancel = this.#deps.runAfter(delayMs, resolve);
      this.#wake = resolve;
    });
    await (earlier === undefined ? slept : Promise.race([slept, earlier]));
    cancel();
    this.#wake = undefined;
    return !this.#socket.destroyed;
  }

  async #take(item: InboxItem): Promise<void> {
    this.#probe?.heard();
    switch (item.kind) {
      case 'message':
        return this.#takeMessage(item.message, item.fingerprint);
      case 'package':
        this.#outbox.answerAs(item.header);
        this.#orders.packageCame(item.header.messageId);
        this.#outbox.send(generalReply(item.header, item.result));
        return;
      case 'joined':
        return this.#takeJoined(item);
      case 'repeated':
        return this.#takeRepeated(item);
      case 'broken': {
        const reply = generalReply(item.header, GeneralResult.BadMessage);
        this.#outbox.answerAs(item.header);
        if (item.from !== undefined) this.#inbox.answered(item.from, [reply]);
        this.#outbox.send(reply);
        return;
      }
    }
  }

  async #takeMessage(message: Message, fingerprint: number): Promise<void> {
    this.#outbox.answerAs(message.header);
    const before = this.#recent.find(fingerprint);
    if (before !== undefined) {
      // A terminal that never increments its serial sends the same bytes in answer to the same question.
      if (this.#signedIn !== undefined) this.#orders.answer(message.body);
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
  async #takeJoined({ message, header, from }: JoinedItem): Promise<void> {
    this.#outbox.answerAs(header);
    const { reply, afterwards, isFinal } = await this.#handle(message);
    const isGeneral = reply === undefined || reply.kind === 'platformGeneralReply';
    const result = reply?.kind === 'platformGeneralReply' ? reply.result : GeneralResult.Ok;
    const replies = [generalReply(header, result), ...(isGeneral ? [] : [reply])];
    if (isFinal === false) this.#inbox.failed(from);
    else this.#inbox.answered(from, replies);
    for (const each of replies) this.#outbox.send(each);
    afterwards?.();
  }

  async #takeRepeated(item: RepeatedPackage): Promise<void> {
    const repetition = this.#inbox.repeat(item);
    if (repetition.kind !== 'answered') return this.#take(repetition);
    const { header, replies } = repetition;
    this.#outbox.answerAs(header);
    for (const reply of replies) {
      this.#outbox.send(reply.kind === 'platformGeneralReply' ? generalReply(header, reply.result) : reply);
    }
  }

  async #handle({ header, body }: Message): Promise<Handled> {
    switch (body.kind) {
      case 'registration':
        return this.#register(header, body);
      case 'authentication':
        return this.#authenticate(header, body);
      case 'timeQuery':
        return { reply: { kind: 'timeReply', time: wallMs(this.#deps.now()) }, isFinal: false };
      case 'vendorTimeQuery':
        return { reply: vendorTime(this.#deps.now()), isFinal: false };
      default:
        return this.#handleOfTerminal(header, body);
    }
  }

  async #register(header: Header, body: Registration): Promise<Handled> {
    if (!(await this.#slowAttempt())) return {};
    const answer = await this.#owed(this.#deps.authenticator.register(header, body, this.#caller));
    // Answering a registration that was not checked would tell the terminal that its identity is wrong.
    if (answer === undefined) return { afterwards: () => this.#socket.destroy() };
    const reply = { kind: 'registrationReply', replySerial: header.serial, ...answer } as const;
    return answer.result === RegistrationResult.Ok ? { reply } : { reply, isFinal: false };
  }

  async #authenticate(header: Header, body: Authentication): Promise<Handled> {
    if (!(await this.#slowAttempt())) return {};
    const device = await this.#owed(this.#deps.authenticator.authenticate(header, body, this.#caller));
    if (device === undefined) return { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
    this.#attempts = 0;
    // The answer goes first: a terminal takes no command before it knows that it is signed in.
    return { reply: generalReply(header, GeneralResult.Ok), afterwards: () => this.#signIn(device, header) };
  }

  /** The time that the server takes to check is not counted as the terminal's silence. */
  async #owed<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#deadline.hold();
    try {
      return await answer;
    } finally {
      this.#deadline.goOn();
    }
  }

  get #caller(): Caller {
    return { remoteAddress: this.#remoteAddress, sleep: (delayMs, earlier) => this.#sleep(delayMs, earlier) };
  }

  #handleOfTerminal(header: Header, body: MessageBody): Handled | Promise<Handled> {
    const signedIn = this.#signedIn;
    if (signedIn === undefined || signedIn.terminal !== header.terminal.canonical) {
      return { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
    }
    this.#deps.onMessage?.(signedIn.session);
    if (POSITIONS.has(header.messageId))
      this.#use.attribute('position', { receivedBytes: frameBytes(header), sentBytes: 0 });
    switch (body.kind) {
      case 'terminalGeneralReply':
        this.#orders.generalReply(body);
        return {};
      case 'terminalResendRequest':
        return this.#orders.resend(body) ? {} : { reply: generalReply(header, GeneralResult.Failed) };
      case 'logout':
        return { reply: generalReply(header, GeneralResult.Ok), afterwards: () => this.#signOut() };
      case 'mediaUpload':
        return this.#storePicture(header, body, signedIn.session);
      default:
        if (this.#orders.answer(body)) return { reply: generalReply(header, this.#resultFor(body)) };
        return this.#report(header, body, signedIn.session);
    }
  }

  /** A terminal that gets success deletes its own copy; after a failure it sends the picture again. */
  async #storePicture(header: Header, body: BodyOf<'mediaUpload'>, session: TerminalSession): Promise<Handled> {
    const { storePicture } = this.#deps;
    if (storePicture === undefined || body.type !== PICTURE) {
      return { reply: generalReply(header, GeneralResult.NotSupported) };
    }
    if (await this.#within(storePicture(session, body))) {
      return { reply: { kind: 'mediaUploadReply', mediaId: body.mediaId, missing: [] } };
    }
    return { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
  }

  #report(header: Header, body: MessageBody, session: TerminalSession): Handled | Promise<Handled> {
    // A terminal that gets success deletes its own copy.
    const answer = (isKept: boolean): Handled =>
      isKept
        ? { reply: generalReply(header, this.#resultFor(body)) }
        : { reply: generalReply(header, GeneralResult.Failed), isFinal: false };
    const kept = this.#deps.onReport(session, body);
    return typeof kept === 'boolean' ? answer(kept) : this.#within(kept).then(answer);
  }

  /** Bounds the wait, so that a database that is down doesn't keep the terminal waiting for ever. */
  async #within(kept: Promise<boolean>): Promise<boolean> {
    let cancel = (): void => undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      cancel = this.#deps.runAfter(KEPT_TIMEOUT_MS, () => resolve(false));
    });
    try {
      return await Promise.race([kept, tooLate]);
    } finally {
      cancel();
    }
  }

  #resultFor(body: MessageBody): GeneralResult {
    switch (body.kind) {
      case 'unknown':
        return this.#deps.acknowledgedIds.has(body.id) ? GeneralResult.Ok : GeneralResult.NotSupported;
      case 'encrypted':
      // Files of alarms come over a connection of their own.
      case 'attachmentList':
      case 'attachmentFile':
      case 'attachmentFileDone':
        return GeneralResult.NotSupported;
      default:
        return GeneralResult.Ok;
    }
  }

  #signIn(device: SignedInDevice, header: Header): void {
    if (this.#socket.destroyed) return;
    this.#deadline.close();
    this.#signOut();
    this.#probe ??= this.#trust();
    const session = this.#createSession(device, header, this.#probe);
    this.#signedIn = { session, terminal: header.terminal.canonical };
    this.#use.belongsTo({ incarnation: device.incarnation, kind: () => 'signalling' });
    this.#onProved();
    this.#deps.onSignedIn(session);
  }

  /** Creates what only terminals need, at the connection's first right code. */
  #trust(): LivenessProbe {
    const { now, runAfter } = this.#deps;
    this.#inbox.trust();
    this.#input.trust();
    this.#paceLimit = MESSAGES_LIMIT;
    this.#pace = paceOf(MESSAGES_LIMIT, MESSAGES_PER_SECOND, now());
    const ask = (): boolean => this.#outbox.send({ kind: 'queryPosition' }) !== undefined;
    return new LivenessProbe({ now, runAfter, ask });
  }

  #signOut(): void {
    const ended = this.#signedIn?.session;
    this.#signedIn = undefined;
    if (ended !== undefined) this.#deps.onEnded(ended);
  }

  #createSession(device: SignedInDevice, header: Header, probe: LivenessProbe): TerminalSession {
    return new SignedInSession(device, header, {
      remoteAddress: this.#remoteAddress,
      localAddress: plainAddress(this.#socket.localAddress),
      orders: this.#orders,
      probe,
      setIdleTimeout: (timeoutMs) => this.#setIdleTimeout(timeoutMs),
      close: () => this.#socket.destroy(),
    });
  }

  #askAgain({ messageId, firstSerial, numbers, first }: MissingPackages): void {
    const mediaId = messageId === MessageId.mediaUpload && first !== undefined ? mediaIdOf(first) : undefined;
    if (mediaId === undefined) this.#outbox.send({ kind: 'platformResendRequest', firstSerial, numbers });
    else this.#outbox.send({ kind: 'mediaUploadReply', mediaId, missing: numbers });
  }

  #end(): void {
    this.#deadline.close();
    this.#wake?.();
    this.#inbox.close();
    this.#orders.close();
    this.#probe?.close();
    this.#signOut();
  }
}

function paceOf({ max }: Limit, perSecond: number, nowMs: number): TokenBucket {
  return new TokenBucket({ burst: max, perSecond }, nowMs);
}

const POSITIONS: ReadonlySet<number> = new Set([MessageId.position, MessageId.bulkPositions]);

/** Length of a message in one frame, without escapes: the frame itself is no longer at hand when its content is known. */
function frameBytes({ edition, bodyLength }: Header): number {
  return (edition === '2019' ? 17 : 12) + bodyLength + 3;
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
