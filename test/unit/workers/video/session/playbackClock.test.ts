import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../../shared/protocol/time.ts';
import { PlaybackClock } from '../../../../../workers/video/session/playbackClock.ts';

/** 14:00:00.000 of some day: positions are told as milliseconds after it. */
const NOON = 1_795_183_200_000;
const at = (ms: number) => mediaUs((NOON + ms) * 1_000);
const playing = (ms: number, speed = 1) => ({ positionMs: NOON + ms, speed, paused: false });
const paused = (ms: number, speed = 1) => ({ positionMs: NOON + ms, speed, paused: true });
const front = {};
const rear = {};

const positionOf = (clock: PlaybackClock, member: object, nowMs: number) => {
  const positionMs = clock.positionMs(member, nowMs);
  return positionMs === undefined ? undefined : positionMs - NOON;
};

describe('the clock of a playback session', () => {
  it('says nothing before a stream has told', () => {
    const clock = new PlaybackClock();
    expect(clock.positionMs(front, 5)).toBeUndefined();
    expect(clock.dueMs(front, at(0))).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([0.25, 0.5, 1, 2, 4, 8, 16])('gives each moment its time at %d times the speed', (speed) => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000, speed), 50);
    expect(clock.dueMs(front, at(1_000))).toBeCloseTo(50, 3);
    expect(clock.dueMs(front, at(1_400))).toBeCloseTo(50 + 400 / speed, 3);
    expect(positionOf(clock, front, 150)).toBeCloseTo(1_000 + 100 * speed, 3);
    expect(clock.speed(front)).toBe(speed);
  });

  it('stands still while paused: what lies before the position is due, what lies behind it never', () => {
    const clock = new PlaybackClock();
    clock.noted(front, paused(1_000), 50);
    expect(clock.dueMs(front, at(1_000))).toBe(Number.NEGATIVE_INFINITY);
    expect(clock.dueMs(front, at(1_040))).toBe(Number.POSITIVE_INFINITY);
    expect(positionOf(clock, front, 9_000)).toBe(1_000);
    expect(clock.speed(front)).toBe(0);
  });

  it('has the picture that the gateway counts steps from, be the next one less than a millisecond away', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 0);
    clock.hold(39.6);
    // The gateway stood at 1,039.98: it tells whole milliseconds, rounded down, and steps from there.
    clock.noted(front, paused(1_039), 60);
    expect(clock.dueMs(front, at(1_039))).toBe(Number.NEGATIVE_INFINITY);
    expect(clock.dueMs(front, at(1_040))).toBe(Number.POSITIVE_INFINITY);
    clock.noted(front, paused(1_040), 80);
    expect(clock.dueMs(front, at(1_040))).toBe(Number.NEGATIVE_INFINITY);
  });

  it('stands where the gateway says that it does, not where the page stopped by itself a fraction before', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 0);
    clock.noted(rear, playing(1_000), 0);
    clock.hold(39.6);
    clock.noted(front, paused(1_040), 60);
    expect(positionOf(clock, front, 70)).toBe(1_040);
    expect(clock.dueMs(front, at(1_040))).toBe(Number.NEGATIVE_INFINITY);
    clock.noted(rear, paused(1_040), 65);
    expect(positionOf(clock, rear, 70)).toBe(1_040);
  });

  it('is the same for streams that hear of it at different times: the earliest word is the truest', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 130);
    clock.noted(rear, playing(1_000), 110);
    expect(clock.dueMs(front, at(1_500))).toBeCloseTo(610, 3);
    expect(clock.dueMs(rear, at(1_500))).toBe(clock.dueMs(front, at(1_500)));
    clock.noted(front, playing(2_000), 1_400);
    expect(clock.dueMs(front, at(3_000))).toBeCloseTo(2_110, 3);
  });

  it('follows a gateway whose clock is slower, in steps too small to be seen', () => {
    const clock = new PlaybackClock();
    const dues: number[] = [];
    for (let second = 0; second < 60; second++) {
      clock.noted(front, playing(second * 1_000), second * 1_000.1);
      dues.push(clock.dueMs(front, at(second * 1_000)) - second * 1_000);
    }
    const steps = dues.slice(1).map((due, index) => due - (dues[index] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(2.001);
    expect(dues.at(-1)).toBeGreaterThan(3.5);
  });

  it('jumps with a seek at once, for the stream that has heard of it and no other', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 0);
    clock.noted(rear, playing(1_000), 0);
    clock.noted(front, playing(600_000), 200);
    expect(positionOf(clock, front, 200)).toBe(600_000);
    expect(positionOf(clock, rear, 200)).toBe(1_200);
    clock.noted(rear, playing(600_000), 215);
    expect(positionOf(clock, rear, 300)).toBeCloseTo(600_100, 3);
  });

  it('keeps apart two quick seeks of which the streams hear in another order', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(100_000), 0);
    clock.noted(front, playing(200_000), 50);
    clock.noted(rear, playing(100_000), 60);
    expect(positionOf(clock, front, 100)).toBe(200_050);
    expect(positionOf(clock, rear, 100)).toBe(100_040);
    clock.noted(rear, playing(200_000), 70);
    expect(positionOf(clock, rear, 100)).toBeCloseTo(200_050, 3);
  });

  it('takes word that comes late for late, until the stream begins anew: then it was a short seek back', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(10_000), 0);
    clock.noted(front, playing(9_500), 500);
    expect(positionOf(clock, front, 500)).toBe(10_500);
    clock.restarted(front);
    expect(positionOf(clock, front, 500)).toBe(9_500);
    clock.noted(front, playing(9_800), 820);
    clock.restarted(front);
    expect(positionOf(clock, front, 820)).toBeCloseTo(9_820, 3);
  });

  it('stands still at once when the viewer pauses, and does not go on at word from before', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 0);
    clock.hold(500);
    clock.noted(front, playing(1_520), 520);
    expect(positionOf(clock, front, 540)).toBe(1_500);
    clock.noted(front, paused(1_530), 560);
    expect(positionOf(clock, front, 600)).toBe(1_530);
    clock.noted(front, playing(1_530), 700);
    expect(positionOf(clock, front, 800)).toBe(1_630);
  });

  it('goes on with the viewer, and by itself where the gateway never pauses', () => {
    const clock = new PlaybackClock();
    clock.noted(front, playing(1_000), 0);
    clock.hold(500);
    clock.release();
    clock.noted(front, playing(1_500), 620);
    expect(positionOf(clock, front, 720)).toBe(1_600);
    clock.hold(1_000);
    clock.noted(front, playing(3_000), 2_120);
    expect(positionOf(clock, front, 2_120)).toBe(3_000);
  });

  it('tells its listeners of every change, until they leave', () => {
    const clock = new PlaybackClock();
    let count = 0;
    const leave = clock.onChange(() => count++);
    clock.noted(front, playing(0), 0);
    clock.hold(10);
    leave();
    clock.noted(front, paused(5), 20);
    expect(count).toBe(2);
  });
});
