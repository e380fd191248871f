// Watches the packet numbers of one media connection. The standard does not say whether channels and media share one
// count, so that is learned where the connection changes from one track to another.

/** Which packets share a count, and hence whose a missing one may have been. */
export type CountScope = 'connection' | 'channel' | 'track';

export type Observation =
  /** The packet that was due, or one of a terminal whose number stands still. */
  | { readonly kind: 'next' }
  /** It has come before. */
  | { readonly kind: 'repeated' }
  /** It was missed, and comes behind packets that follow it. */
  | { readonly kind: 'late' }
  /** So many packets of the scope are missing before this one. */
  | { readonly kind: 'gap'; readonly scope: CountScope; readonly missing: number };

const NEXT: Observation = { kind: 'next' };
const REPEATED: Observation = { kind: 'repeated' };
const LATE: Observation = { kind: 'late' };

/** So many numbers back a packet is told from the first of a count that began anew. */
const WINDOW = 31;
/** A packet further ahead than half of all numbers is behind. */
const MAX_AHEAD = 0x7fff;
/** Scores closer than this leave the scope open. */
const CLEAR_LEAD = 2;
const MAX_SCORE = 16;
/** Being wrong where another count runs on is chance for the true one, and for the others the rule. */
const PENALTY = 4;
const SCOPES = ['track', 'connection', 'channel'] as const satisfies readonly CountScope[];

/** One run of packet numbers. */
export class Count {
  #last = -1;
  /** Bit n: the packet n + 1 before the last one has come. */
  #seen = 0;

  /** Distance from the last number, 0 to 65,535; -1 before the first. */
  distanceTo(sequence: number): number {
    return this.#last < 0 ? -1 : (sequence - this.#last) & 0xffff;
  }

  moveTo(sequence: number): void {
    const distance = this.distanceTo(sequence);
    if (distance > 0) this.#seen = distance > WINDOW ? 0 : (this.#seen << distance) | (1 << (distance - 1));
    this.#last = sequence;
  }

  /** Whether the packet so many numbers back has come; from now on it has. */
  take(back: number): boolean {
    const bit = 1 << (back - 1);
    const hasCome = (this.#seen & bit) !== 0;
    this.#seen |= bit;
    return hasCome;
  }
}

/** A track as the watch knows it. */
export interface CountedTrack<Packet> {
  readonly channelCount: Count;
  readonly trackCount: Count;
  /** Whether the packet has the bytes of the one of this track before it. */
  isSame(packet: Packet): boolean;
  /** Whether its time stamp is later than that of any packet of the track. */
  isNewer(packet: Packet): boolean;
}

export class SequenceWatch<Packet extends { readonly sequence: number }> {
  readonly #connection = new Count();
  readonly #channels = new Map<number, Count>();
  /** How often each was right of late where the connection changed tracks. */
  readonly #scores: Record<CountScope, number> = { track: 0, connection: 0, channel: 0 };
  #bestScore = 0;
  #lastTrack: CountedTrack<Packet> | undefined;

  /** The count that the tracks of a channel have in common. */
  channelCount(channel: number): Count {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const count = new Count();
    this.#channels.set(channel, count);
    return count;
  }

  /** A packet that has come before, or comes too late, changes nothing. */
  observe(packet: Packet, track: CountedTrack<Packet>): Observation {
    const { sequence } = packet;
    if (track !== this.#lastTrack) this.#learn(sequence, track);
    const observation = this.#judge(packet, track);
    if (observation === REPEATED || observation === LATE) return observation;
    this.#connection.moveTo(sequence);
    track.channelCount.moveTo(sequence);
    track.trackCount.moveTo(sequence);
    this.#lastTrack = track;
    return observation;
  }

  /** A change of tracks shows which count runs on. Where none does, packets are missing, which shows nothing. */
  #learn(sequence: number, track: CountedTrack<Packet>): void {
    if (!SCOPES.some((scope) => this.#countOf(scope, track).distanceTo(sequence) === 1)) return;
    for (const scope of SCOPES) {
      const distance = this.#countOf(scope, track).distanceTo(sequence);
      if (distance < 0) continue;
      const score = this.#scores[scope] + (distance === 1 ? 1 : -PENALTY);
      this.#scores[scope] = Math.min(Math.max(score, 0), MAX_SCORE);
    }
    this.#bestScore = Math.max(this.#scores.track, this.#scores.connection, this.#scores.channel);
  }

  #judge(packet: Packet, track: CountedTrack<Packet>): Observation {
    let judged: CountScope = 'track';
    let judgedScore = -1;
    for (const scope of SCOPES) {
      const score = this.#scores[scope];
      // A channel that is alone on its connection shows no difference between the two: either count may run on.
      if (this.#bestScore - score >= CLEAR_LEAD) continue;
      const distance = this.#countOf(scope, track).distanceTo(packet.sequence);
      if (distance === 1 || distance < 0) return NEXT;
      if (distance === 0) return track.isSame(packet) ? REPEATED : NEXT;
      if (score <= judgedScore) continue;
      judged = scope;
      judgedScore = score;
    }
    return this.#judgeGap(judged, packet, track);
  }

  #judgeGap(scope: CountScope, packet: Packet, track: CountedTrack<Packet>): Observation {
    const count = this.#countOf(scope, track);
    const distance = count.distanceTo(packet.sequence);
    if (distance <= MAX_AHEAD) return { kind: 'gap', scope, missing: distance - 1 };
    const back = 0x1_0000 - distance;
    // A count that began anew: nothing says how much is missing.
    if (back > WINDOW) return { kind: 'gap', scope, missing: 1 };
    if (!count.take(back)) return LATE;
    // A count that begins anew repeats numbers, on packets that have not come before.
    return track.isNewer(packet) ? { kind: 'gap', scope, missing: 1 } : REPEATED;
  }

  #countOf(scope: CountScope, track: CountedTrack<Packet>): Count {
    switch (scope) {
      case 'connection':
        return this.#connection;
      case 'channel':
        return track.channelCount;
      case 'track':
        return track.trackCount;
    }
  }
}
