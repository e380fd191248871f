import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../../shared/protocol/time.ts';
import { MAX_DELAY_MS, PlayoutClock } from '../../../../../workers/video/live/playoutClock.ts';

const FRAME_MS = 40;

/** Random numbers, the same for every run. */
function chance(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

interface Shown {
  readonly atMs: number;
  /** Delay after the moment when the picture was due to arrive. */
  readonly behindMs: number;
}

/** Plays `count` frames, each late by `lateness(frame)`, in order as TCP has it. */
function play(clock: PlayoutClock, count: number, lateness: (frame: number) => number, first = 0): Shown[] {
  let arrivedMs = first * FRAME_MS;
  return Array.from({ length: count }, (_, index) => {
    const dueMs = (first + index) * FRAME_MS;
    arrivedMs = Math.max(arrivedMs, dueMs + lateness(first + index));
    const atMs = clock.arrived(mediaUs(dueMs * 1_000), arrivedMs);
    return { atMs, behindMs: atMs - dueMs };
  });
}

const share = (values: readonly number[], part: number) =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) * part)] ?? 0;
const gaps = (shown: readonly Shown[]) => shown.slice(1).map(({ atMs }, index) => atMs - (shown[index]?.atMs ?? 0));
const random = chance();
const jitter = () => random() * 60;
/** A second in which nothing comes, and after which all of it comes at once. */
const hole = (from: number) => (frame: number) =>
  frame >= from && frame < from + 25 ? (from + 25 - frame) * FRAME_MS : 0;

describe('PlayoutClock', () => {
  it('holds nothing back on a clean network, nor for the noise of a busy machine', () => {
    const clock = new PlayoutClock();
    const shown = play(clock, 500, () => random() * 8);
    expect(clock.delayMs).toBe(0);
    expect(
      share(
        shown.map(({ behindMs }) => behindMs),
        1,
      ),
    ).toBeLessThanOrEqual(8);
  });

  it('makes pictures even that come up to 60 ms late', () => {
    const clock = new PlayoutClock();
    const shown = play(clock, 750, jitter).slice(125);
    expect(share(gaps(shown), 0.95)).toBeLessThanOrEqual(55);
    expect(
      share(
        shown.map(({ behindMs }) => behindMs),
        0.95,
      ),
    ).toBeLessThanOrEqual(70);
  });

  it('is back where it was two seconds after a hole of one', () => {
    const clock = new PlayoutClock();
    const before = play(clock, 375, jitter).slice(-100);
    const through = (frame: number) => Math.max(jitter(), hole(375)(frame));
    play(clock, 75, through, 375);
    const after = play(clock, 100, jitter, 450);
    const median = (shown: readonly Shown[]) =>
      share(
        shown.map(({ behindMs }) => behindMs),
        0.5,
      );
    expect(Math.abs(median(after) - median(before))).toBeLessThanOrEqual(15);
    expect(share(gaps(after), 0.95)).toBeLessThanOrEqual(55);
  });

  it('is back where it was after a hole whose pictures come one by one', () => {
    const clock = new PlayoutClock();
    play(clock, 375, jitter);
    const { delayMs } = clock;
    // A busy machine reads the pictures like this: one every 6 ms, until the present is reached.
    play(clock, 30, (frame) => Math.max(0, 1_000 - (frame - 375) * (FRAME_MS - 6)), 375);
    expect(Math.abs(clock.delayMs - delayMs)).toBeLessThanOrEqual(15);
    const after = play(clock, 100, jitter, 405);
    expect(Math.max(...after.map(({ behindMs }) => behindMs))).toBeLessThanOrEqual(75);
  });

  it('covers holes that come again and again', () => {
    const clock = new PlayoutClock();
    // Each key frame holds up what follows: 400 ms, worked off over twenty pictures.
    const stutter = (frame: number) => Math.max(1, 400 - (frame % 50) * 20);
    play(clock, 500, stutter);
    const shown = play(clock, 250, stutter, 500);
    expect(Math.max(...gaps(shown))).toBeLessThanOrEqual(80);
  });

  it('covers a network that has become slower', () => {
    const clock = new PlayoutClock();
    play(clock, 200, () => 1);
    play(clock, 300, () => 600 + random() * 60, 200);
    expect(share(gaps(play(clock, 250, () => 600 + random() * 60, 500)), 0.95)).toBeLessThanOrEqual(55);
  });

  it('on a clean network is back at once after a hole', () => {
    const clock = new PlayoutClock();
    play(clock, 375, () => 1);
    play(clock, 25, hole(375), 375);
    expect(play(clock, 50, () => 1, 400).every(({ behindMs }) => behindMs < 3)).toBe(true);
  });

  it('gives a delay back when the network is good again', () => {
    const clock = new PlayoutClock();
    play(clock, 250, jitter);
    expect(clock.delayMs).toBeGreaterThan(30);
    play(clock, 250, () => 1, 250);
    expect(clock.delayMs).toBe(0);
  });

  it('never holds back more than a second, however bad it is', () => {
    const clock = new PlayoutClock();
    let worst = 0;
    let arrivedMs = 0;
    for (let frame = 0; frame < 2_000; frame++) {
      arrivedMs = Math.max(arrivedMs, frame * FRAME_MS + random() * 4_000);
      worst = Math.max(worst, clock.arrived(mediaUs(frame * FRAME_MS * 1_000), arrivedMs) - arrivedMs);
    }
    expect(worst).toBeLessThanOrEqual(MAX_DELAY_MS);
  });

  it.each([0.999, 1.001])('does not drift away with a device whose clock runs at %f', (pace) => {
    const clock = new PlayoutClock();
    let worst = 0;
    for (let frame = 0; frame < 50_000; frame++) {
      const nowMs = frame * FRAME_MS;
      worst = Math.max(worst, clock.arrived(mediaUs(Math.round(nowMs * pace * 1_000)), nowMs) - nowMs);
    }
    expect(worst).toBeLessThan(20);
    expect(clock.delayMs).toBe(0);
  });

  it('takes new bearings when the device sets its clock', () => {
    const clock = new PlayoutClock();
    play(clock, 200, () => 1);
    for (const jumpMs of [3_600_000, -3_600_000]) {
      for (let frame = 0; frame < 30; frame++) {
        const nowMs = 100_000 + frame * FRAME_MS;
        expect(clock.arrived(mediaUs((nowMs + jumpMs) * 1_000), nowMs) - nowMs).toBeLessThan(5);
      }
    }
  });
});
