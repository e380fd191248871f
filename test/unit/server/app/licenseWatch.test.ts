import { beforeEach, describe, expect, it } from 'vitest';
import { watchLicense } from '../../../../server/app/licenseWatch.ts';
import type { Rounds } from '../../../../server/faults/rounds.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../support/waitFor.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const EXPIRES_MS = 100 * DAY_MS;

let timers: ManualTimers;
let raised: string[];
let faults: Error[];
let kept: Map<string, string>;
let expiresMs: () => Promise<number>;
let nowMs: number;
beforeEach(() => {
  timers = new ManualTimers();
  raised = [];
  faults = [];
  kept = new Map();
  nowMs = 0;
});

const watch = (): Rounds =>
  watchLicense({
    engine: { raise: ({ type, form }) => void raised.push(`${type} ${form}`) },
    expiresMs: () => expiresMs(),
    settings: {
      get: async (name) => kept.get(name),
      set: async (name, value) => void kept.set(name, value),
    },
    now: () => nowMs,
    runAfter: timers.runAfter,
    onFault: (error) => faults.push(error),
  });

/** The events of the next look, but for that the license has not expired. */
async function look(ms = HOUR_MS): Promise<readonly string[]> {
  raised = [];
  faults = [];
  timers.advance(ms);
  await waitFor('a look', () => raised.length + faults.length > 0 && timers.pending > 0);
  return raised.filter((text) => text !== 'license-expired end');
}

describe('the license', () => {
  it('raises an event that lasts from when it has expired to when it is renewed', async () => {
    expiresMs = async () => EXPIRES_MS;
    nowMs = EXPIRES_MS;
    const rounds = watch();
    expect(await look(0)).toEqual(['license-expired begin']);
    expect(await look()).toEqual(['license-expired begin']);
    expiresMs = () => Promise.reject(new Error('no database'));
    await look();
    expect(faults).toHaveLength(1);
    expiresMs = async () => 2 * EXPIRES_MS;
    expect(await look()).toEqual([]);
    expiresMs = async () => 0;
    expect(await look()).toEqual([]);
    await rounds.close();
    expect(timers.pending).toBe(0);
  });

  it('raises one on each day that people are told on, also over restarts, and again for another end', async () => {
    expiresMs = async () => EXPIRES_MS;
    let rounds = watch();
    const lookAfter = async (left: number): Promise<readonly string[]> => {
      nowMs = EXPIRES_MS - left * DAY_MS;
      return look();
    };
    expect(await look(0)).toEqual([]);
    expect(await lookAfter(31)).toEqual([]);
    expect(await lookAfter(30)).toEqual(['license-expiring momentary']);
    await rounds.close();
    rounds = watch();
    expect(await look(0)).toEqual([]);
    expect(await lookAfter(8)).toEqual([]);
    expect(await lookAfter(6.5)).toEqual(['license-expiring momentary']);
    expect(await lookAfter(0.9)).toEqual(['license-expiring momentary']);
    expect(await lookAfter(0.1)).toEqual([]);
    expiresMs = async () => EXPIRES_MS + DAY_MS;
    expect(await look()).toEqual(['license-expiring momentary']);
    await rounds.close();
  });
});
