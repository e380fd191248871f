// From the terminal's bytes to complete messages: splits frames, decodes bodies, joins packages and requests missing ones.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { GeneralResult, MessageId } from './codec/codes.ts';
import type { CompletedSet } from './codec/completedSet.ts';
import { FrameSplitter } from './codec/frame.ts';
import type { Header } from './codec/header.ts';
import { decodeBody, decodeMessage, type Message, type MessageBody } from './codec/message.ts';
import { costOf } from './codec/partSet.ts';
import { type CompleteMessage, PACKAGES_EXPIRE_AFTER_MS, PartAssembler, type PartReminder } from './codec/parts.ts';
import { JoinedMessages } from './joinedMessages.ts';
import { fingerprintOf } from './recentReplies.ts';

export type InboxItem =
  | { readonly kind: 'message'; readonly message: Message; readonly fingerprint: number }
  /** One package of an incomplete message, which only needs an acknowledgement with this result. */
  | { readonly kind: 'package'; readonly header: Header; readonly result: GeneralResult }
  /**
   * The last missing package has come. `message.header` has the serial of the last package in order, `header` that of this
   * one.
   */
  | { readonly kind: 'joined'; readonly message: Message; readonly header: Header; readonly from: CompleteMessage }
  /** A package of a message that was complete before: `repeat` says what it comes to, once that message has been handled. */
  | { readonly kind: 'repeated'; readonly header: Header; readonly of: CompletedSet }
  /** The body can't be read. It has to be answered, or the terminal would send it again. `from`: it came in packages. */
  | { readonly kind: 'broken'; readonly header: Header; readonly from?: CompleteMessage };

export type RepeatedPackage = Extract<InboxItem, { readonly kind: 'repeated' }>;
export type Repetition =
  | Exclude<InboxItem, RepeatedPackage>
  /** The whole was answered: the same is said again. */
  | { readonly kind: 'answered'; readonly header: Header; readonly replies: readonly MessageBody[] };

export type MissingPackages = Extract<PartReminder, { readonly kind: 'missing' }>;

export interface InboxDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onMissing: (missing: MissingPackages) => void;
  readonly packageBytes: PackageBytes;
  readonly onLimit: OnLimit;
}

/** Bounds for messages being joined: their number, and the bytes of their packages including overhead. */
interface PackageLimits {
  readonly sets: Limit;
  readonly bytes: Limit;
  /** Bytes of all connections together. */
  readonly all: Limit;
}

/**
 * Bytes that all connections of a port hold in packages. Unauthenticated connections can't use the room of signed-in
 * terminals.
 */
export class PackageBytes {
  unauthenticated = 0;
  signedIn = 0;
}

/** Enough for a registration. */
export const UNAUTHENTICATED_PACKAGES: PackageLimits = {
  /** Incomplete messages in packages, before a connection has signed in. The one longest without a package is dropped. */
  sets: { name: 'terminals.packaged.unauthenticated', max: 1 },
  /** Size of the packages of incomplete messages before a connection has signed in, overhead included. The message is refused. */
  bytes: { name: 'terminals.package-bytes.unauthenticated', max: 16 * 1024 },
  /**
   * Size of the packages of incomplete messages of all connections that have not signed in, overhead included. The package is answered with
   * a failure, and may be sent again.
   */
  all: { name: 'terminals.package-bytes.all-unauthenticated', max: 32 * 1024 * 1024 },
};
/** Recorder data and pictures are the largest that terminals send in packages. */
export const TERMINAL_PACKAGES: PackageLimits = {
  /** Incomplete messages in packages of a signed-in terminal. The one longest without a package is dropped. */
  sets: { name: 'terminals.packaged.connection', max: 8 },
  /** Size of the packages of incomplete messages of a signed-in terminal, overhead included. The message is refused. */
  bytes: { name: 'terminals.package-bytes.connection', max: 4 * 1024 * 1024 },
  /**
   * Size of the packages of incomplete messages of all signed-in terminals, overhead included. The package is answered with a failure, and
   * may be sent again.
   */
  all: { name: 'terminals.package-bytes.all', max: 256 * 1024 * 1024 },
};
const UNAUTHENTICATED_IDS: ReadonlySet<number> = new Set([MessageId.registration, MessageId.authentication]);

export class Inbox {
  readonly #deps: InboxDeps;
  readonly #splitter = new FrameSplitter();
  #parts: PartAssembler;
  #joined: JoinedMessages;
  #isTrusted = false;
  #heldBytes = 0;
  #isClosed = false;
  #cancelReminder: (() => void) | undefined;

  constructor(deps: InboxDeps) {
    this.#deps = deps;
    this.#parts = this.#createParts(UNAUTHENTICATED_PACKAGES);
    this.#joined = this.#createJoined(UNAUTHENTICATED_PACKAGES);
  }

  /** The terminal has signed in and may send long messages. */
  trust(): void {
    if (this.#isTrusted) return;
    this.#count(0);
    this.#isTrusted = true;
    this.#parts = this.#createParts(TERMINAL_PACKAGES);
    this.#joined = this.#createJoined(TERMINAL_PACKAGES);
  }

  #createParts(limits: PackageLimits): PartAssembler {
    const { sets, bytes } = limits;
    const room = { maxSets: sets.max, maxBytes: bytes.max };
    return new PartAssembler(this.#deps.now, room, (what) => this.#deps.onLimit(limits[what]));
  }

  #createJoined({ bytes }: PackageLimits): JoinedMessages {
    const room = { maxBytes: bytes.max, expireAfterMs: PACKAGES_EXPIRE_AFTER_MS };
    return new JoinedMessages(this.#deps.now, room, () => this.#deps.onLimit(bytes));
  }

  /** What the terminal has heard of a joined message, and hears again when it repeats its packages. */
  answered(message: CompleteMessage, replies: readonly MessageBody[]): void {
    this.#joined.answered(message, replies);
    this.#heldHasChanged();
  }

  /** A joined message could not be kept: it is handled again when the terminal repeats the package that completed it. */
  failed(message: CompleteMessage): void {
    this.#joined.failed(message);
    this.#heldHasChanged();
  }

  repeat({ header, of }: RepeatedPackage): Repetition {
    const outcome = this.#joined.outcomeOf(of);
    if (outcome?.kind === 'answered') return { ...outcome, header };
    if (outcome === undefined || header.part?.number !== of.decidedBy) return packageItem(header, GeneralResult.Ok);
    return outcome.kind === 'wanted'
      ? decodeJoined(header, outcome.message)
      : packageItem(header, GeneralResult.Failed);
  }

  push(chunk: Uint8Array): InboxItem[] {
    const items: InboxItem[] = [];
    for (const event of this.#splitter.push(chunk)) {
      const item = event.kind === 'frame' ? this.#read(event.bytes) : undefined;
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelReminder?.();
    this.#cancelReminder = undefined;
    this.#count(0);
  }

  /** Undefined for a frame without a sender: there is nobody to answer. */
  #read(frame: Uint8Array): InboxItem | undefined {
    const result = decodeMessage(frame);
    if (!result.ok) {
      return result.fault === 'body' && result.header !== undefined
        ? { kind: 'broken', header: result.header }
        : undefined;
    }
    const { message } = result;
    if (message.body.kind === 'part') return this.#join(message.header, message.body.bytes);
    return { kind: 'message', message, fingerprint: fingerprintOf(frame) };
  }

  #join(header: Header, bytes: Uint8Array): InboxItem {
    if (!this.#isTrusted && !UNAUTHENTICATED_IDS.has(header.messageId)) {
      return packageItem(header, GeneralResult.Failed);
    }
    if (!this.#hasRoomFor(bytes)) return packageItem(header, GeneralResult.Failed);
    const event = this.#parts.add(header, bytes);
    this.#heldHasChanged();
    switch (event.kind) {
      case 'stored':
        return packageItem(header, GeneralResult.Ok);
      case 'duplicate':
        return event.of === undefined
          ? packageItem(header, GeneralResult.Ok)
          : { kind: 'repeated', header, of: event.of };
      case 'refused':
        return packageItem(header, GeneralResult.Failed);
      case 'complete':
        return decodeJoined(header, event);
    }
  }

  /** A package without room isn't joined; its terminal sends it again. */
  #hasRoomFor(bytes: Uint8Array): boolean {
    const { all } = this.#isTrusted ? TERMINAL_PACKAGES : UNAUTHENTICATED_PACKAGES;
    const held = this.#deps.packageBytes[this.#isTrusted ? 'signedIn' : 'unauthenticated'];
    if (held + costOf(bytes) <= all.max) return true;
    this.#deps.onLimit(all);
    return false;
  }

  #count(heldBytes: number): void {
    this.#deps.packageBytes[this.#isTrusted ? 'signedIn' : 'unauthenticated'] += heldBytes - this.#heldBytes;
    this.#heldBytes = heldBytes;
  }

  #heldHasChanged(): void {
    if (this.#isClosed) return;
    this.#count(this.#parts.heldBytes + this.#joined.heldBytes);
    this.#scheduleReminder();
  }

  #scheduleReminder(): void {
    this.#cancelReminder?.();
    const dueMs = Math.min(this.#parts.nextDueMs() ?? Infinity, this.#joined.nextDueMs() ?? Infinity);
    this.#cancelReminder = dueMs === Infinity ? undefined : this.#runAfter(dueMs - this.#deps.now());
  }

  #runAfter(delayMs: number): () => void {
    return this.#deps.runAfter(Math.max(delayMs, 1), () => {
      const reminders = this.#parts.due();
      this.#joined.dropExpired();
      for (const reminder of reminders) if (reminder.kind === 'missing') this.#deps.onMissing(reminder);
      this.#heldHasChanged();
    });
  }
}

function packageItem(header: Header, result: GeneralResult): Extract<InboxItem, { readonly kind: 'package' }> {
  return { kind: 'package', header, result };
}

function decodeJoined(header: Header, from: CompleteMessage): Exclude<InboxItem, RepeatedPackage> {
  const { messageId, edition, bytes, serials } = from;
  const decoded = decodeBody(messageId, edition, bytes);
  if (!decoded.ok) return { kind: 'broken', header, from };
  const { part: _, ...whole } = header;
  const message = {
    header: { ...whole, serial: serials.at(-1) ?? header.serial, bodyLength: bytes.length },
    body: decoded.body,
    trailingBytes: decoded.trailingBytes,
  };
  return { kind: 'joined', message, header, from };
}
