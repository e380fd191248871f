// How the limits of attempts to sign in are reached.
import { expect } from 'vitest';
import { TURNS_LIMIT } from '../../../server/auth/signInQueue.ts';
import {
  ADDRESS_LIMIT,
  CHECKS_LIMIT,
  LANE_ACCOUNT_LIMIT,
  LANE_LIMIT,
  LANES_LIMIT,
  PAIR_LIMIT,
  REMEMBERED_LIMIT,
  SignInThrottle,
  STRANGERS_LIMIT,
} from '../../../server/auth/signInThrottle.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { addressOf, times } from './manyOf.ts';

const HERE = '192.0.2.1';

interface Try {
  readonly account?: string;
  readonly address?: string;
  readonly lane?: string;
}

/** A throttle whose checks end when they are told to; attempts go by the name that they are given. */
function openPane(onLimit: OnLimit) {
  const throttle = new SignInThrottle({ now: () => 0, runAfter: () => () => {}, onLimit });
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, (right: boolean) => void>();
  return {
    started,
    refused,
    attempt: (name: string, { account = 'ann', address = HERE, lane }: Try): void => {
      const check = (): Promise<{ readonly right: boolean }> => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, (right) => resolve({ right })));
      };
      void throttle.attempt({ account, address, lane }, check).then(({ ok }) => ok || refused.push(name));
    },
    end: async (name: string, right: boolean): Promise<void> => {
      await settled();
      ends.get(name)?.(right);
      await settled();
    },
  };
}

/** A case of attempts that share something, and of one that does not. */
function refusalCase(limit: LimitCase['limit'], same: (index: number) => Try, other: Try): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { attempt, refused } = openPane(onLimit);
      return {
        upTo: async () => {
          times(limit.max, (index) => attempt(`attempt ${index}`, same(index)));
          await settled();
          expect(refused).toEqual([]);
        },
        beyond: async () => {
          attempt('one more', same(limit.max));
          attempt('another', other);
          await settled();
          expect(refused).toEqual(['one more']);
        },
      };
    },
  };
}

const checksCase: LimitCase = {
  limit: CHECKS_LIMIT,
  open: (onLimit) => {
    const { attempt, started, end } = openPane(onLimit);
    const next = (index: number): void =>
      attempt(`attempt ${index}`, { account: `name${index}`, address: addressOf(index) });
    return {
      upTo: async () => {
        times(CHECKS_LIMIT.max, next);
        await settled();
        expect(started).toHaveLength(CHECKS_LIMIT.max);
      },
      beyond: async () => {
        next(CHECKS_LIMIT.max);
        await settled();
        expect(started).toHaveLength(CHECKS_LIMIT.max);
        await end('attempt 0', false);
        expect(started.at(-1)).toBe(`attempt ${CHECKS_LIMIT.max}`);
      },
    };
  },
};

const strangersCase: LimitCase = {
  limit: STRANGERS_LIMIT,
  open: (onLimit) => {
    const { attempt, refused } = openPane(onLimit);
    return {
      upTo: async () => {
        times(CHECKS_LIMIT.max, (index) => attempt('running', { account: `r${index}`, address: `10.9.0.${index}` }));
        times(3, (index) => attempt(`crowd ${index}`, { account: `c${index}` }));
        times(STRANGERS_LIMIT.max - 3, (index) =>
          attempt('stranger', { account: `s${index}`, address: addressOf(index) }),
        );
        await settled();
        expect(refused).toEqual([]);
      },
      beyond: async () => {
        attempt('newcomer', { account: 'n', address: '203.0.113.9' });
        await settled();
        expect(refused).toEqual(['crowd 2']);
      },
    };
  },
};

const lanesCase: LimitCase = {
  limit: LANES_LIMIT,
  open: (onLimit) => {
    const { attempt, refused } = openPane(onLimit);
    const known = (account: string, name = account): void => attempt(name, { account, lane: `browser of ${name}` });
    return {
      upTo: async () => {
        times(CHECKS_LIMIT.max, (index) => known(`running ${index}`));
        times(3, (index) => known('crowd', `crowd ${index}`));
        times(LANES_LIMIT.max - 3, (index) => known(`owner ${index}`));
        await settled();
        expect(refused).toEqual([]);
      },
      beyond: async () => {
        known('newcomer');
        await settled();
        expect(refused).toEqual(['crowd 2']);
      },
    };
  },
};

const turnsCase: LimitCase = {
  limit: TURNS_LIMIT,
  open: (onLimit) => {
    const { attempt, started, end } = openPane(onLimit);
    const come = (index: number): void => attempt(`${index}`, { account: `name${index}`, address: addressOf(index) });
    const haveTurn = async (index: number): Promise<void> => {
      come(index);
      await end(`${index}`, true);
    };
    const { max } = TURNS_LIMIT;
    return {
      upTo: async () => {
        for (let index = 0; index < max; index++) await haveTurn(index);
      },
      beyond: async () => {
        await haveTurn(max);
        times(CHECKS_LIMIT.max, (index) => come(max + 1 + index));
        // One whose turn is remembered, and the one whose turn is forgotten.
        for (const index of [10, 0]) come(index);
        await end(`${max + 1}`, true);
        expect(started.at(-1)).toBe('0');
      },
      // Everyone who starts beyond the limit counts.
      calls: 1 + CHECKS_LIMIT.max + 1,
    };
  },
};

const rememberedCase: LimitCase = {
  limit: REMEMBERED_LIMIT,
  open: (onLimit) => {
    const { attempt, started, end } = openPane(onLimit);
    const fail = async (lane: string): Promise<void> => {
      attempt(lane, { lane });
      await end(lane, false);
    };
    return {
      upTo: async () => {
        // They fail so often that the next attempt has to wait.
        for (let round = 0; round < 4; round++) for (const lane of ['first', 'second']) await fail(lane);
        for (let lane = 2; lane < REMEMBERED_LIMIT.max; lane++) await fail(`browser ${lane}`);
      },
      beyond: async () => {
        await fail('newcomer');
        // A correct attempt makes room, so that those who come again take nobody's place.
        attempt('browser 2', { lane: 'browser 2' });
        await end('browser 2', true);
        started.length = 0;
        for (const lane of ['first', 'second']) attempt(lane, { lane });
        await settled();
        expect(started).toEqual(['first']);
      },
    };
  },
};

export const signInCases: readonly LimitCase[] = [
  checksCase,
  refusalCase(PAIR_LIMIT, () => ({}), { address: '192.0.2.2' }),
  refusalCase(ADDRESS_LIMIT, (index) => ({ account: `name${index}` }), { address: '192.0.2.2' }),
  strangersCase,
  refusalCase(LANE_LIMIT, () => ({ lane: 'browser A' }), { lane: 'browser B' }),
  refusalCase(LANE_ACCOUNT_LIMIT, (index) => ({ lane: `browser ${index}` }), { account: 'bob', lane: 'his browser' }),
  lanesCase,
  turnsCase,
  rememberedCase,
];
