// The clock of the page's playback session: which moment of the recording is now. Each stream receives the session's clock
// events, delayed by the network by different amounts. Streams whose events agree share one timeline, so that their
// pictures stay in step. Pure: time is given, and only numbers are kept.
import type { MediaUs } from '../../../shared/protocol/time.ts';

/** What the gateway says of its session. Positions are milliseconds since the epoch. */
export interface ClockSample {
  readonly positionMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

/** Names one stream of the session. */
export type ClockMember = object;

/** Longest network delay of a clock event. A larger difference is a seek. */
const MOST_LATE_MS = 1_500;
/** An event later than this is either delayed or of a short seek back. What the stream sends next shows which. */
const DOUBTFUL_MS = 60;
/** Length of a stretch of which the earliest event counts. Two clocks that differ by 0.01 % move apart by a millisecond in it. */
const STRETCH_MS = 10_000;
/** Too little to be seen. */
const SHRINKAGE_MS = 2;
/** Clock events that the gateway sent before it knew of a pause arrive within this time. */
const HELD_MS = 1_000;

interface Timeline {
  readonly speed: number;
  readonly paused: boolean;
  /** While running, the position at time 0 of this machine's clock; while paused, the position itself. */
  originMs: number;
  /** Highest origin computed in the current stretch, and in the one before. */
  bestMs: number;
  formerBestMs: number;
  stretchEndsMs: number;
}

interface Membership {
  timeline: Timeline;
  /** An event that was delayed or is of a short seek back. */
  doubt: { readonly sample: ClockSample; readonly atMs: number } | undefined;
}

export class PlaybackClock {
  readonly #members = new Map<ClockMember, Membership>();
  readonly #listeners = new Set<() => void>();
  /** Until then, events that say the session is running are ignored. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  /** Calls after every change; gives its own cancel. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes a stream's report. */
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

  /** The stream restarts with what follows, so the doubtful event was of a seek. */
  restarted(member: ClockMember): void {
    const membership = this.#members.get(member);
    const doubt = membership?.doubt;
    if (doubt === undefined) return;
    const others = this.#closest(doubt.sample, doubt.atMs, DOUBTFUL_MS);
    const timeline = others?.timeline ?? timelineOf(doubt.sample, doubt.atMs);
    this.#members.set(member, { timeline, doubt: undefined });
    this.#tell();
  }

  /** Pauses at once, before the gateway knows of the pause. Its next events about the pause are accepted. */
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

  /** The viewer resumes: events that say the session is running are accepted again. */
  release(): void {
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
  }

  leave(member: ClockMember): void {
    this.#members.delete(member);
  }

  /** The position of the stream's session; undefined before its first report. */
  positionMs(member: ClockMember, nowMs: number): number | undefined {
    const timeline = this.#members.get(member)?.timeline;
    return timeline === undefined ? undefined : positionOf(timeline, nowMs);
  }

  /** When a moment of the recording is due on this machine's clock; Infinity if the session is paused before it. */
  dueMs(member: ClockMember, mediaTimeUs: MediaUs): number {
    const timeline = this.#members.get(member)?.timeline;
    if (timeline === undefined) return Number.POSITIVE_INFINITY;
    const atMs = mediaTimeUs / 1_000;
    if (!timeline.paused) return (atMs - timeline.originMs) / timeline.speed;
    // The gateway counts steps from this position, so a picture a fraction of a millisecond after it belongs to the next
    // step.
    return atMs <= timeline.originMs ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  /** The speed of the stream's session; 0 while it stands still or has not reported. */
  speed(member: ClockMember): number {
    const timeline = this.#members.get(member)?.timeline;
    return timeline === undefined || timeline.paused ? 0 : timeline.speed;
  }

  #isFromBeforeHold(sample: ClockSample, nowMs: number): boolean {
    return !sample.paused && nowMs < this.#heldUntilMs;
  }

  /** The timeline that fits the event best, and the event's delay on it. */
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

/** In time of this machine; negative if the event came earlier than any before. */
function latenessOf(timeline: Timeline, { positionMs, speed, paused }: ClockSample, nowMs: number): number {
  return (positionOf(timeline, nowMs) - positionMs) / (paused ? 1 : speed);
}

/** Events are delayed, never early, so the earliest is the most accurate. */
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
