// How the bounds on what is read of tracks are reached.
import { expect } from 'vitest';
import type { Limit, OnLimit } from '../../../../server/limits/limit.ts';
import {
  type NoTurn,
  TRACKS_ACCOUNT_LIMIT,
  TRACKS_LIMIT,
  TRACKS_WAITING_ACCOUNT_LIMIT,
  TRACKS_WAITING_LIMIT,
  TrackTurns,
} from '../../../../server/tracks/trackTurns.ts';
import { ONE_OWNER } from '../../../support/fakes/deviceOwners.ts';
import type { LimitCase } from '../describeLimits.ts';

type Turn = (() => void) | NoTurn;

/** Turns that were asked for, by number; undefined: it waits. */
function openTurns(onLimit: OnLimit, accountOf: (index: number) => string) {
  const turns = new TrackTurns({ owners: ONE_OWNER, onLimit });
  const given: (Turn | undefined)[] = [];
  const take = async (index: number): Promise<void> => {
    void turns.take({ account: accountOf(index), memberGroup: 1 }, new AbortController().signal).then((turn) => {
      given[index] = turn;
    });
    await Promise.resolve();
    await Promise.resolve();
  };
  const stateOf = (index: number): 'running' | 'waiting' | NoTurn => {
    const turn = given[index];
    return turn === undefined ? 'waiting' : typeof turn === 'string' ? turn : 'running';
  };
  const end = async (index: number): Promise<void> => {
    const turn = given[index];
    if (typeof turn === 'function') turn();
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  };
  return { take, stateOf, end };
}

/** The next one waits until one has ended. */
function runningCase(limit: Limit, accountOf: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { take, stateOf, end } = openTurns(onLimit, accountOf);
      return {
        upTo: async () => {
          for (let index = 0; index < limit.max; index++) await take(index);
          expect(stateOf(limit.max - 1)).toBe('running');
        },
        beyond: async () => {
          await take(limit.max);
          expect(stateOf(limit.max)).toBe('waiting');
          await end(0);
          expect(stateOf(limit.max)).toBe('running');
        },
      };
    },
  };
}

/** The next one is refused. */
function waitingCase(limit: Limit, running: number, accountOf: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { take, stateOf } = openTurns(onLimit, accountOf);
      const most = running + limit.max;
      return {
        upTo: async () => {
          for (let index = 0; index < most; index++) await take(index);
          expect(stateOf(most - 1)).toBe('waiting');
        },
        beyond: async () => {
          await take(most);
          expect([stateOf(most), stateOf(most - 1)]).toEqual(['full', 'waiting']);
        },
      };
    },
  };
}

export const trackCases: readonly LimitCase[] = [
  runningCase(TRACKS_LIMIT, String),
  runningCase(TRACKS_ACCOUNT_LIMIT, () => 'ann'),
  waitingCase(TRACKS_WAITING_LIMIT, TRACKS_LIMIT.max, String),
  waitingCase(TRACKS_WAITING_ACCOUNT_LIMIT, TRACKS_ACCOUNT_LIMIT.max, () => 'ann'),
];
