// What the gateway knows of a signed-in terminal, and what it can ask of it.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { StreamQuality } from '../media/channelKey.ts';
import type { Edition, MessageKind } from './jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from './jt808/codec/message.ts';
import type { LongMessage, PackagesResult } from './jt808/packages/longMessage.ts';

export type CommandFailure =
  /** `isUnsent`: nothing went out, so that it may be sent later without being repeated. */
  | { readonly ok: false; readonly reason: 'timeout' | 'closed'; readonly isUnsent?: true }
  /** The terminal answered, and said no; `result` is its code from the wire. */
  | { readonly ok: false; readonly reason: 'refused'; readonly result: number };

export type CommandResult = { readonly ok: true } | CommandFailure;

/** The failure in terms that don't depend on JT/T 808. */
export function commandFault({ reason }: CommandFailure): 'refused' | 'no-answer' | 'offline' {
  switch (reason) {
    case 'refused':
      return 'refused';
    case 'timeout':
      return 'no-answer';
    case 'closed':
      return 'offline';
  }
}

export type QueryResult<Answer> = { readonly ok: true; readonly answer: Answer } | CommandFailure;

export interface LiveOrder {
  readonly channel: number;
  readonly quality: StreamQuality;
}

/** Where a terminal is told to send its media. */
export interface MediaAddress {
  readonly host: string;
  readonly port: number;
}

export type PtzOrder =
  /** Speed 0 to 255, as the terminal takes it. A camera turns until it is stopped. */
  | {
      readonly kind: 'rotate';
      readonly direction: 'stop' | 'up' | 'down' | 'left' | 'right';
      readonly speed: number;
    }
  | { readonly kind: 'focus' | 'iris' | 'zoom'; readonly increase: boolean }
  | { readonly kind: 'wiper' | 'infrared'; readonly on: boolean };

export interface PlaybackOrder {
  readonly channel: number;
  /** `any` leaves the choice to the terminal. */
  readonly quality: StreamQuality | 'any';
  readonly start: WallMs;
  readonly end: WallMs;
}

export type PlaybackControlOrder =
  /** Goes on, at normal speed. */
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'stop' }
  /** 2, 4, 8 or 16 times. */
  | { readonly kind: 'fast-forward'; readonly speed: number }
  | { readonly kind: 'seek'; readonly position: WallMs };

export interface TerminalSession {
  readonly deviceId: string;
  /** Incarnation of the device that signed in, under which its reports are stored. */
  readonly incarnation: number;
  /** What the device's events are stored under. */
  readonly archiveNumber: number;
  /** The terminal number without leading zeros: what media packets are compared with. */
  readonly terminal: string;
  readonly edition: Edition;
  /** Address of the signalling connection; media is taken from no other, unless the device's record allows it. */
  readonly remoteAddress: string;
  /** The gateway's address that the terminal reached, which it can therefore dial for media. */
  readonly localAddress: string;
  readonly relaxedMediaAddress: boolean;
  /** Its media packets and lists count channels from 0. Orders name channels from 1; the session converts them. */
  readonly channelsFromZero: boolean;
  startLive(order: LiveOrder, to: MediaAddress): Promise<CommandResult>;
  stopLive(order: LiveOrder): Promise<CommandResult>;
  startTalk(channel: number, to: MediaAddress): Promise<CommandResult>;
  stopTalk(channel: number): Promise<CommandResult>;
  ptz(channel: number, order: PtzOrder): Promise<CommandResult>;
  /**
   * Requests a recording. The terminal answers with a list of what it will send, with plain success, or not at all when its
   * media connection comes first; `dialled` then settles the request.
   */
  startPlayback(
    order: PlaybackOrder,
    to: MediaAddress,
    dialled: Promise<unknown>,
  ): Promise<QueryResult<BodyOf<'resources'> | undefined>>;
  controlPlayback(channel: number, order: PlaybackControlOrder): Promise<CommandResult>;
  /**
   * Sends any message that the terminal answers with 0x0001, beside the media commands. Channels in it are as the terminal counts
   * them. Throws a RangeError for values that don't fit the message. `onSent`: told the serial of the message that went out, the
   * last of its packages.
   */
  command(body: MessageBody, onSent?: (serial: number) => void): Promise<CommandResult>;
  /** Sends a question that has a specific answer. Questions wait for one another, and each gets a result. */
  query<Kind extends MessageKind>(question: MessageBody, answer: Kind): Promise<QueryResult<BodyOf<Kind>>>;
  /**
   * Sends a message that is too long to be held whole, package by package; other commands go out between them. One at a time. The
   * terminal has all of it when this succeeds.
   */
  sendPackages(message: LongMessage): Promise<PackagesResult>;
  /** Whether the terminal is still connected. Asks it, unless something came from it just now. */
  isAlive(): Promise<boolean>;
  /** Silence after which the connection counts as dead. */
  setIdleTimeout(timeoutMs: number): void;
  close(): void;
}
