import { expect, it } from 'vitest';
import { CLEAN, frameTimes, type Network } from '../../bench/player/network.ts';

const first = (count: number, channel: number, network: Network) => {
  const times = frameTimes(channel, 1_000, network);
  return Array.from({ length: count }, () => times.next().value);
};
const bad: Network = { name: 'bad', jitterMs: 60, hole: { atMs: 2_000, lengthMs: 1_000 } };

it('sends the first frame at once and the others on a beat of 40 ms, on a clean network without delay', () => {
  const times = first(50, 1, CLEAN);
  expect(times[0]).toEqual({ dueMs: 1_000, releaseMs: 1_000 });
  const dues = times.slice(1).map(({ dueMs }) => dueMs);
  expect(dues.slice(1).every((due, index) => due - (dues[index] ?? 0) === 40)).toBe(true);
  expect(times.every(({ dueMs, releaseMs }) => dueMs === releaseMs)).toBe(true);
});

it('beats at another moment for each channel', () => {
  expect((first(2, 2, CLEAN)[1]?.dueMs ?? 0) - (first(2, 1, CLEAN)[1]?.dueMs ?? 0)).toBe(5);
});

it('is late by at most the jitter, in order, and lets nothing out of the hole before its end', () => {
  const times = first(150, 3, bad);
  const releases = times.map(({ releaseMs }) => releaseMs);
  expect(releases.slice(1).every((release, index) => release >= (releases[index] ?? 0))).toBe(true);
  const inHole = times.filter(({ dueMs }) => dueMs >= 3_000 && dueMs < 4_000);
  expect(inHole).toHaveLength(25);
  expect(inHole.every(({ releaseMs }) => releaseMs >= 4_000 && releaseMs <= 4_060)).toBe(true);
  const outside = times.filter(({ dueMs }) => dueMs < 2_900 || dueMs > 4_100);
  expect(outside.every(({ dueMs, releaseMs }) => releaseMs - dueMs <= 60)).toBe(true);
  expect(Math.max(...outside.map(({ dueMs, releaseMs }) => releaseMs - dueMs))).toBeGreaterThan(30);
});

it('does the same again in the next run', () => {
  expect(first(100, 4, bad)).toEqual(first(100, 4, bad));
});
