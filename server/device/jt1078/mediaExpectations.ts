// Media is accepted only for a requested channel, from the terminal that was asked. Packets contain only a terminal number
// and a channel, so expected streams are listed here by the port that the terminal was told to dial.

import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { HubPacket } from '../../media/hubPacket.ts';
import type { MediaLossKind } from '../../media/mediaLoss.ts';
import { isTerminal } from '../jt808/codec/header.ts';
import type { MediaFrame } from './codec/assembler.ts';
import type { ChannelHints } from './packetiser.ts';

/** The four consecutive ports: streams of one channel cannot be told apart by their packets, only by their port. */
export const MediaPort = { Main: 0, Sub: 1, Playback: 2, Talk: 3 } as const;
export type MediaPort = (typeof MediaPort)[keyof typeof MediaPort];

export interface MediaKey {
  readonly port: MediaPort;
  /** Terminal number without leading zeros; for a packet, its 12 or 20 digits as they came. */
  readonly terminal: string;
  /** The channel as the terminal counts it. */
  readonly channel: number;
}

export interface MediaConnection {
  /** Digits of the terminal's number as its packets bear it; undefined while it has sent none. */
  readonly sim: string | undefined;
  /** Sends a packet to the terminal (talk-back). Dropped while the connection is congested. */
  send(packet: Uint8Array): void;
  /** Stops or resumes reading, which makes the terminal wait. What was already read is still delivered. */
  hold(isHeld: boolean): void;
  /** Ends this channel's reception; the socket is closed with its last channel. */
  close(): void;
}

/** The reason why a reception has ended: closed here, closed by the terminal, or no packet for too long. */
export type MediaEnd = 'released' | 'terminal' | 'silent';

/** The destination of an expected channel's packets. Exactly one `ended` follows an `opened`. */
export interface MediaSink {
  readonly hints?: ChannelHints;
  opened(connection: MediaConnection): void;
  /** The frame that the following packets were made from, for listeners that need the terminal's own format. */
  frame?(frame: MediaFrame): void;
  packet(packet: HubPacket): void;
  /** Media of the channel was lost, ignored or dropped. */
  lost?(kind: MediaLossKind, count: number): void;
  ended(reason: MediaEnd): void;
}

/** The device that the data belongs to, and its use at a moment. */
export interface MediaUse {
  readonly incarnation: number;
  readonly kind: () => NetflowKind;
}

export interface MediaExpectation extends MediaKey {
  /** The only address that may send it; undefined if the device's record allows any. */
  readonly remoteAddress: string | undefined;
  readonly sink: MediaSink;
  readonly use?: MediaUse | undefined;
}

export class MediaExpectations {
  /** Expectations by port and by the digits that fit into every width of the packets' SIM field. */
  readonly #open = new Map<string, MediaExpectation[]>();

  /** Expects one stream until the result is called. A second request for the same stream replaces the first. */
  expect(expectation: MediaExpectation): () => void {
    const text = indexOf(expectation);
    const others = this.#list(text).filter((each) => !isSameStream(each, expectation));
    this.#open.set(text, [...others, expectation]);
    return () => this.#remove(expectation);
  }

  /**
   * Gives what was expected of a stream and ends the expectation: a live stream is never replaced by a second socket. A number of
   * 12 digits may be the end of a longer one; where the numbers of two terminals that may use the address end alike, their packets
   * cannot be told apart, and neither is let in.
   */
  take(key: MediaKey, remoteAddress: string): MediaExpectation | undefined {
    const named = this.#list(indexOf(key)).filter(
      (each) => isTerminal(key.terminal, each.terminal) && mayCome(each, remoteAddress),
    );
    const isAmbiguous = named.some(({ terminal }) => terminal !== named[0]?.terminal);
    const expectation = isAmbiguous ? undefined : named.find(({ channel }) => channel === key.channel);
    if (expectation !== undefined) this.#remove(expectation);
    return expectation;
  }

  /** Whether anything is expected from a terminal with those digits, which determines the width of the packets' SIM field. */
  isExpected(port: MediaPort, digits: string, remoteAddress: string): boolean {
    const named = this.#list(indexOf({ port, terminal: digits }));
    return named.some((each) => isTerminal(digits, each.terminal) && mayCome(each, remoteAddress));
  }

  /** The only stream expected from an address on a port. It identifies a terminal that has connected and sends nothing. */
  only(port: MediaPort, remoteAddress: string): MediaKey | undefined {
    const expected = this.#from(port, remoteAddress);
    return expected.length === 1 ? expected[0] : undefined;
  }

  #list(text: string): readonly MediaExpectation[] {
    return this.#open.get(text) ?? [];
  }

  #remove(expectation: MediaExpectation): void {
    const text = indexOf(expectation);
    const left = this.#list(text).filter((each) => each !== expectation);
    if (left.length === 0) this.#open.delete(text);
    else this.#open.set(text, left);
  }

  #from(port: MediaPort, remoteAddress: string): MediaExpectation[] {
    return [...this.#open.values()].flat().filter((each) => each.port === port && mayCome(each, remoteAddress));
  }
}

const SHORT_DIGITS = 12;

function indexOf({ port, terminal }: Pick<MediaKey, 'port' | 'terminal'>): string {
  return `${port}/${terminal.padStart(SHORT_DIGITS, '0').slice(-SHORT_DIGITS)}`;
}

function isSameStream(left: MediaKey, right: MediaKey): boolean {
  return left.terminal === right.terminal && left.channel === right.channel;
}

function mayCome(expectation: MediaExpectation, remoteAddress: string): boolean {
  return expectation.remoteAddress === undefined || expectation.remoteAddress === remoteAddress;
}
