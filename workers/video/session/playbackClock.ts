// The common clock of the page's playback session: which moment of the recording is now. Every stream of the session tells
// where the session stands; word of it is late by the network, by each stream's own measure. Streams that tell the same
// share one timeline, so that their pictures come in step. Pure: time is given, nothing is kept but numbers.
import type { MediaUs } from '../../../shared/protocol/time.ts';

/** What the gateway says of its session. Positions are milliseconds since the epoch. */
export interface ClockSample {
  readonly positionMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

/** Names one stream of the session. */
export type ClockMember = object;

/** A network may hold word of the clock up for so long; what differs by more is a seek. */
const MOST_LATE_MS = 1_500;
/** Later than this by one stream's word: late, or a short seek back. What the stream sends next tells which. */
const DOUBTFUL_MS = 60;
/** How long a stretch is of which the earliest word counts: two clocks that differ by 0.01 % part by a millisecond in it. */
const STRETCH_MS = 10_000;
/** Too little to be seen. */
const SHRINKAGE_MS = 2;
/** Word of the clock that was sent before the gateway heard of a pause comes within this. */
const HELD_MS = 1_000;

interface Timeline {
  readonly speed: number;
  readonly paused: boolean;
  /** Position at the time 0 of this machine's clock if it runs, the position itself if it stands still. */
  originMs: number;
  /** The most that was told in the stretch that runs, and in the one before. */
  bestMs: number;
  formerBestMs: number;
  stretchEndsMs: number;
}

interface Membership {
  timeline: Timeline;
  /** Word that may be late, or may be of a short seek back. */
  doubt: { readonly sample: ClockSample; readonly atMs: number } | undefined;
}

export class PlaybackClock {
  readonly #members = new Map<ClockMember, Membership>();
  readonly #listeners = new Set<() => void>();
  /** Until when word that the session runs is not believed. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  /** Calls after every change; gives its own cancel. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes what a stream has told. */
  noted(member: ClockMember, sample: ClockSample, nowMs: number): void {
    if (this.#isFromBeforeHold(sample, nowMs)) return;
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    const { timeline, latenessMs } = this.#closest(sample, nowMs) ?? { timeline: undefined, latenessMs: 0 };
    if (timeline === undefined) {
      this.#members.set(member, { timeline: timelineOf(sample, nowMs), doubt: undefined });
    } else {
      refine(timeline, sample, nowMs);
      const doubt = latenessMs > DOUBTFUL_MS ? { sample, atMs: nowMs } : undefined;
      this.#members.set(member, { timeline, doubt });
    }
    this.#tell();
  }

  /** The stream begins anew with what follows: word of it that seemed late was of a seek. */
  restarted(member: ClockMember): void {
    const membership = this.#members.get(member);
    const doubt = membership?.doubt;
    if (doubt === undefined) return;
    const others = this.#closest(doubt.sample, doubt.atMs, DOUBTFUL_MS);
    const timeline = others?.timeline ?? timelineOf(doubt.sample, doubt.atMs);
    this.#members.set(member, { timeline, doubt: undefined });
    this.#tell();
  }

  /** Stands still at once, before the gateway has heard of it; what it says next is right again. */
  hold(nowMs: number): void {
    const stills = new Map<Timeline, Timeline>();
    for (const membership of this.#members.values()) {
      const { timeline } = membership;
      const still = stills.get(timeline) ?? stillTimeline(timeline, nowMs);
      stills.set(timeline, still);
      membership.timeline = still;
      membership.doubt = undefined;
    }
    this.#heldUntilMs = nowMs + HELD_MS;
    this.#tell();
  }

  /** The viewer wants to go on: what the gateway says from here on is believed. */
  release(): void {
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
  }

  leave(member: ClockMember): void {
    this.#members.delete(member);
  }

  /** Where the stream's session stands; undefined before it has told. */
  positionMs(member: ClockMember, nowMs: number): number | undefined {
    const timeline = this.#members.get(member)?.timeline;
    return timeline === undefined ? undefined : positionOf(timeline, nowMs);
  }

  /** When a moment of the recording is to be seen: Infinity while the session stands still before it. */
  dueMs(member: ClockMember, mediaTimeUs: MediaUs): number {
    const timeline = this.#members.get(member)?.timeline;
    if (timeline === undefined) return Number.POSITIVE_INFINITY;
    const atMs = mediaTimeUs / 1_000;
    if (!timeline.paused) return (atMs - timeline.originMs) / timeline.speed;
    // The gateway counts steps from this position: a picture a fraction behind it is the next step's, not this one's.
    return atMs <= timeline.originMs ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  /** How fast the stream's session goes; 0 while it stands still or has not told. */
  speed(member: ClockMember): number {
    const timeline = this.#members.get(member)?.timeline;
    return timeline === undefined || timeline.paused ? 0 : timeline.speed;
  }

  #isFromBeforeHold(sample: ClockSample, nowMs: number): boolean {
    return !sample.paused && nowMs < this.#heldUntilMs;
  }

  /** The timeline that the word fits best, and how late the word then is. */
  #closest(sample: ClockSample, nowMs: number, mostMs = MOST_LATE_MS) {
    let closest: { readonly timeline: Timeline; readonly latenessMs: number } | undefined;
    for (const { timeline } of this.#members.values()) {
      if (timeline.paused !== sample.paused || timeline.speed !== sample.speed) continue;
      const latenessMs = latenessOf(timeline, sample, nowMs);
      if (Math.abs(latenessMs) > (sample.paused ? 0 : mostMs)) continue;
      if (closest !== undefined && Math.abs(closest.latenessMs) <= Math.abs(latenessMs)) continue;
      closest = { timeline, latenessMs };
    }
    return closest;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function timelineOf({ positionMs, speed, paused }: ClockSample, nowMs: number): Timeline {
  const originMs = paused ? positionMs : positionMs - nowMs * speed;
  return { speed, paused, originMs, bestMs: originMs, formerBestMs: originMs, stretchEndsMs: nowMs + STRETCH_MS };
}

function stillTimeline(timeline: Timeline, nowMs: number): Timeline {
  return timelineOf({ positionMs: positionOf(timeline, nowMs), speed: timeline.speed, paused: true }, nowMs);
}

function positionOf({ originMs, speed, paused }: Timeline, nowMs: number): number {
  return paused ? originMs : originMs + nowMs * speed;
}

/** In time of this machine; below 0 when the word came sooner than any before. */
function latenessOf(timeline: Timeline, { positionMs, speed, paused }: ClockSample, nowMs: number): number {
  return (positionOf(timeline, nowMs) - positionMs) / (paused ? 1 : speed);
}

/** Word comes late, never early: the earliest is the truest. */
function refine(timeline: Timeline, { positionMs, speed, paused }: ClockSample, nowMs: number): void {
  if (paused) return;
  const reportedAtMs = positionMs - nowMs * speed;
  if (nowMs >= timeline.stretchEndsMs) {
    timeline.stretchEndsMs = nowMs + STRETCH_MS;
    timeline.formerBestMs = timeline.bestMs;
    timeline.bestMs = reportedAtMs;
  }
  timeline.bestMs = Math.max(timeline.bestMs, reportedAtMs);
  const wantedMs = Math.max(timeline.bestMs, timeline.formerBestMs);
  timeline.originMs = Math.max(wantedMs, timeline.originMs - SHRINKAGE_MS * speed);
}
