import { expect, test } from 'vitest';
import {
  pauseClock,
  positionAt,
  resumeClock,
  seekClock,
  sendsKeyFramesOnly,
  setClockSpeed,
  startClock,
} from '../../../../../server/recording/playback/sessionClock.ts';

const START_MS = Date.UTC(2026, 2, 1, 14, 3);

test('a session plays from its start at the pace of the clock', () => {
  const clock = startClock(START_MS, 1_000);
  expect(positionAt(clock, 1_000)).toBe(START_MS);
  expect(positionAt(clock, 3_500)).toBe(START_MS + 2_500);
});

test('a pause holds the position, and resuming goes on from it', () => {
  const paused = pauseClock(startClock(START_MS, 0), 4_000);
  expect(positionAt(paused, 60_000)).toBe(START_MS + 4_000);
  const resumed = resumeClock(paused, 60_000);
  expect(positionAt(resumed, 61_000)).toBe(START_MS + 5_000);
});

test('a second pause or resume changes nothing', () => {
  const paused = pauseClock(pauseClock(startClock(START_MS, 0), 1_000), 5_000);
  expect(positionAt(paused, 9_000)).toBe(START_MS + 1_000);
  const resumed = resumeClock(resumeClock(startClock(START_MS, 0), 1_000), 2_000);
  expect(positionAt(resumed, 3_000)).toBe(START_MS + 3_000);
});

test('a change of speed goes on from where the position is', () => {
  const fast = setClockSpeed(startClock(START_MS, 0), 1_000, 8);
  expect(positionAt(fast, 1_000)).toBe(START_MS + 1_000);
  expect(positionAt(fast, 2_000)).toBe(START_MS + 9_000);
  const slow = setClockSpeed(fast, 2_000, 0.25);
  expect(positionAt(slow, 6_000)).toBe(START_MS + 10_000);
});

test('a speed outside the range becomes the nearest inside', () => {
  expect(setClockSpeed(startClock(0, 0), 0, 100).speed).toBe(16);
  expect(setClockSpeed(startClock(0, 0), 0, -3).speed).toBe(0.25);
});

test('a seek keeps the speed and the pause', () => {
  const clock = seekClock(pauseClock(setClockSpeed(startClock(START_MS, 0), 0, 2), 100), 200, START_MS + 60_000);
  expect(clock).toMatchObject({ speed: 2, paused: true });
  expect(positionAt(clock, 5_000)).toBe(START_MS + 60_000);
});

test.each([
  [1, false],
  [4, false],
  [4.5, true],
  [16, true],
])('at speed %d key frames alone: %s', (speed, expected) => {
  expect(sendsKeyFramesOnly(speed)).toBe(expected);
});
