// Media is taken only for a channel that was asked for, from the terminal that was asked. Packets carry no more than a
// terminal number and a channel, so what is expected stands here, by the port that the terminal was told to dial.
import type { HubPacket } from '../../stream/hubPacket.ts';
import type { MediaFrame } from './codec/assembler.ts';
import type { ChannelHints } from './packetiser.ts';

/** The four consecutive ports: streams of one channel cannot be told apart by their packets, only by their port. */
export const MediaPort = { Main: 0, Sub: 1, Playback: 2, Talk: 3 } as const;
export type MediaPort = (typeof MediaPort)[keyof typeof MediaPort];

export interface MediaKey {
  readonly port: MediaPort;
  /** Terminal number without leading zeros. */
  readonly terminal: string;
  readonly channel: number;
}

export interface MediaConnection {
  /** Digits of the terminal's number as its packets bear it; undefined while it has sent none. */
  readonly sim: string | undefined;
  /** To the terminal, in talk-back. Dropped where the terminal takes nothing any more. */
  send(packet: Uint8Array): void;
  /** Stops reading from the terminal, which then has to wait, and reads on. What was read already still comes. */
  hold(isHeld: boolean): void;
  /** Ends this channel's reception; the socket is closed with its last channel. */
  close(): void;
}

/** Why a reception has ended: closed here, by the terminal, or no packet came for too long. */
export type MediaEnd = 'released' | 'terminal' | 'silent';

/** Where the packets of an expected channel go. Exactly one `ended` follows an `opened`. */
export interface MediaSink {
  readonly hints?: ChannelHints;
  opened(connection: MediaConnection): void;
  /** The frame that the packets after it were made of, for who wants to know how the terminal sends. */
  frame?(frame: MediaFrame): void;
  packet(packet: HubPacket): void;
  ended(why: MediaEnd): void;
}

export interface MediaExpectation extends MediaKey {
  /** Only address that may bring it; undefined where the device's record allows any. */
  readonly remoteAddress: string | undefined;
  readonly sink: MediaSink;
}

const textOf = (key: MediaKey): string => `${key.port}/${key.terminal}/${key.channel}`;

export class MediaExpectations {
  readonly #open = new Map<string, MediaExpectation>();

  /** Opens the door for one stream; returns what shuts it again. A second request for the same stream replaces the first. */
  expect(expectation: MediaExpectation): () => void {
    const text = textOf(expectation);
    this.#open.set(text, expectation);
    return () => {
      if (this.#open.get(text) === expectation) this.#open.delete(text);
    };
  }

  /** The sink of an expected stream, which is then expected no longer: a live stream is never replaced by a second socket. */
  take(key: MediaKey, remoteAddress: string): MediaSink | undefined {
    const text = textOf(key);
    const expectation = this.#open.get(text);
    if (expectation === undefined || !mayCome(expectation, remoteAddress)) return undefined;
    this.#open.delete(text);
    return expectation.sink;
  }

  /** The only stream expected from an address on a port: a terminal that has nothing to send is known by that. */
  only(port: MediaPort, remoteAddress: string): MediaKey | undefined {
    const expected = this.#from(port, remoteAddress);
    return expected.length === 1 ? expected[0] : undefined;
  }

  /** The one terminal expected from an address on a port, if it is one: it settles how wide the packets' SIM field is. */
  onlyTerminal(port: MediaPort, remoteAddress: string): string | undefined {
    const terminals = new Set(this.#from(port, remoteAddress).map((each) => each.terminal));
    return terminals.size === 1 ? [...terminals][0] : undefined;
  }

  #from(port: MediaPort, remoteAddress: string): MediaExpectation[] {
    return [...this.#open.values()].filter((each) => each.port === port && mayCome(each, remoteAddress));
  }
}

function mayCome(expectation: MediaExpectation, remoteAddress: string): boolean {
  return expectation.remoteAddress === undefined || expectation.remoteAddress === remoteAddress;
}
