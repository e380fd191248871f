// Watches the packet numbers of one media connection. The standard does not say whether channels and media share one
// count, so that is learned where the connection changes from one track to another.

/** The set of packets that share one count, to any of which a missing packet may belong. */
export type CountScope = 'connection' | 'channel' | 'track';

export type Observation =
  /** The packet that was due, or any packet of a terminal that doesn't count. */
  | { readonly kind: 'next' }
  /** It has come before. */
  | { readonly kind: 'repeated' }
  /** It was missed, and comes behind packets that follow it. */
  | { readonly kind: 'late' }
  /** `missing` packets of the scope are missing before this one. */
  | { readonly kind: 'gap'; readonly scope: CountScope; readonly missing: number };

const NEXT: Observation = { kind: 'next' };
const REPEATED: Observation = { kind: 'repeated' };
const LATE: Observation = { kind: 'late' };

/** A packet at most this many numbers back is late or repeated; one further back is the start of a new count. */
const WINDOW = 31;
/** A packet more than half of all numbers ahead counts as behind. */
const MAX_AHEAD = 0x7fff;
/** While two scores are closer than this, both scopes remain possible. */
const CLEAR_LEAD = 2;
const MAX_SCORE = 16;
/** The true count is wrong only by chance where another count continues; the other counts are wrong there as a rule. */
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

/** What the sequence watch needs of a track. */
export interface CountedTrack<Packet> {
  readonly channelCount: Count;
  readonly trackCount: Count;
  /** Whether the packet's bytes are those of the track's packet before it. */
  isSame(packet: Packet): boolean;
  /** Whether its time stamp is later than that of any packet of the track. */
  isNewer(packet: Packet): boolean;
}

export class SequenceWatch<Packet extends { readonly sequence: number }> {
  readonly #connection = new Count();
  readonly #channels = new Map<number, Count>();
  /** How often each scope predicted the number recently, where the connection changed from one track to another. */
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

  /** A change of tracks shows which count continues. Where none does, packets are missing, which proves nothing. */
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
      // On a connection with one channel the two counts can't be told apart: either may be the one that continues.
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
    // A new count has begun: how many packets are missing is unknown.
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
