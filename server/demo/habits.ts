// What real terminals do and a well-behaved simulator would not: each can be asked for by itself.

import type { DamageKind } from './packetDamage.ts';

export interface Habits {
  /** Each n-th media packet is lost on the way. */
  readonly loseEveryPacket?: number;
  /** By channel: what the line does to one media packet in so many. */
  readonly damage?: Readonly<Record<number, { readonly kind: DamageKind; readonly everyPacket: number }>>;
  /** Parameter sets come with the first key frame of a connection and never again. */
  readonly setsOnce?: boolean;
  /** The clock is set again and again, by so much each time. */
  readonly clockJumps?: { readonly everyMs: number; readonly byMs: number };
  /** Time stamps of media: the date (unless said), counted from 0, or always the same. */
  readonly timestamps?: 'date' | 'from-zero' | 'frozen';
  /** A media connection stays open and falls silent after this. */
  readonly silentAfterMs?: number;
  /** Live requests and talk: refused, accepted without ever dialling, or not answered at all. */
  readonly live?: 'refused' | 'not-dialled' | 'not-answered';
  /** Width of the number in media packets; unless said, that of the edition's own header. */
  readonly simBytes?: 6 | 10;
  /** Bytes of each write to a media socket, whatever packets they cut. */
  readonly chunkBytes?: number;
  /** The four bytes that HiSilicon's chips put before sound. */
  readonly hiSiliconHeader?: boolean;
  readonly audio?: 'A-law' | 'µ-law' | 'none';
  /** Every second package of a long answer is kept back until it is asked for. */
  readonly losesPackages?: boolean;
  /** Answers to questions beyond sign-in: none at all. */
  readonly mute?: boolean;
}
