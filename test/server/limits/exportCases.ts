// How the bounds on exports, and on what is remembered of them and of terminals' recordings, are reached.
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { LISTED_RECORDINGS_LIMIT, RecordingList } from '../../../server/device/playback/recordingList.ts';
import { REFUSALS_LIMIT, RefusedExports } from '../../../server/http/recordings/refusedExports.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import {
  ENDED_LIMIT,
  ENDED_OWNERS_LIMIT,
  EXPORTS_ACCOUNT_LIMIT,
  EXPORTS_LIMIT,
  ExportJobs,
  WAITING_ACCOUNT_LIMIT,
  WAITING_LIMIT,
} from '../../../server/recording/export/exportJobs.ts';
import { SLOW_BYTES, SLOW_LIMIT, STALL_LIMIT } from '../../../server/recording/export/stallWatch.ts';
import type { ExportState } from '../../../shared/protocol/api/recordings.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';

const START = Date.UTC(2026, 10, 20, 14);

/** Exports by number, each of the account that it is given. */
function openJobs(onLimit: OnLimit, accountOf: (index: number) => string = String) {
  const timers = new ManualTimers();
  const jobs = new ExportJobs({ owners: ONE_OWNER, now: timers.now, runAfter: timers.runAfter, onLimit });
  const enter = (index: number) => {
    const account = accountOf(index);
    const job = jobs.enter({ owner: account, account, deviceId: 'BUS1' }, `job-${index}`);
    return typeof job === 'string' ? undefined : job;
  };
  const stateOf = (index: number): ExportState['state'] | undefined =>
    jobs.find(accountOf(index), `job-${index}`)?.state;
  return { timers, jobs, enter, stateOf };
}

/** Runs as many as there are places; the next waits, until one has ended. */
function runningCase(limit: LimitCase['limit'], accountOf: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { enter, stateOf } = openJobs(onLimit, accountOf);
      let endFirst: (() => void) | undefined;
      return {
        upTo: () => {
          const first = enter(0);
          endFirst = () => first?.end('done');
          times(limit.max - 1, (index) => enter(index + 1));
          times(limit.max, (index) => expect(stateOf(index)).toBe('running'));
        },
        beyond: () => {
          enter(limit.max);
          expect(stateOf(limit.max)).toBe('waiting');
          endFirst?.();
          expect(stateOf(limit.max)).toBe('running');
        },
      };
    },
  };
}

/** Behind those that run; the next is refused. */
function waitingCase(limit: LimitCase['limit'], running: number, accountOf: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { enter, stateOf } = openJobs(onLimit, accountOf);
      const most = running + limit.max;
      return {
        upTo: () => {
          times(most, enter);
          expect([stateOf(running), stateOf(most - 1)]).toEqual(['waiting', 'waiting']);
        },
        beyond: () => {
          expect(enter(most)).toBeUndefined();
          expect([stateOf(most), stateOf(most - 1)]).toEqual([undefined, 'waiting']);
        },
      };
    },
  };
}

/** Remembers as many; then the oldest is forgotten, and no other. */
function rememberedCase(
  limit: LimitCase['limit'],
  open: (onLimit: OnLimit) => { readonly add: (index: number) => void; readonly isKnown: (index: number) => boolean },
): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { add, isKnown } = open(onLimit);
      return {
        upTo: () => {
          times(limit.max, add);
          times(limit.max, (index) => expect(isKnown(index)).toBe(true));
        },
        beyond: () => {
          add(limit.max);
          expect([isKnown(0), isKnown(1), isKnown(limit.max)]).toEqual([false, true, true]);
        },
      };
    },
  };
}

const endedJobs = (accountOf: (index: number) => string) => (onLimit: OnLimit) => {
  const { enter, stateOf } = openJobs(onLimit, accountOf);
  return {
    add: (index: number): void => enter(index)?.end('done'),
    isKnown: (index: number): boolean => stateOf(index) === 'done',
  };
};

const placeCases: readonly LimitCase[] = [
  runningCase(EXPORTS_LIMIT, String),
  runningCase(EXPORTS_ACCOUNT_LIMIT, () => 'ann'),
  waitingCase(WAITING_LIMIT, EXPORTS_LIMIT.max, String),
  waitingCase(WAITING_ACCOUNT_LIMIT, EXPORTS_ACCOUNT_LIMIT.max, () => 'ann'),
  rememberedCase(
    ENDED_LIMIT,
    endedJobs(() => 'ann'),
  ),
  rememberedCase(ENDED_OWNERS_LIMIT, endedJobs(String)),
  rememberedCase(REFUSALS_LIMIT, (onLimit) => {
    const refused = new RefusedExports(onLimit);
    const refusal = { status: 404, code: 'no-recording', message: '' };
    return {
      add: (index) => refused.note('ann', `job-${index}`, refusal),
      isKnown: (index) => refused.find('ann', `job-${index}`) !== undefined,
    };
  }),
];

const flowCases: readonly LimitCase[] = [
  {
    limit: STALL_LIMIT,
    open: async (onLimit) => {
      const { timers, jobs, enter, stateOf } = openJobs(onLimit);
      const job = enter(0);
      if (job === undefined) throw new Error('it does not begin');
      const mp4s = new PassThrough();
      const body = jobs.deliver(job, mp4s);
      body.on('error', () => undefined);
      mp4s.write(Buffer.alloc(1024 * 1024));
      await settled();
      return {
        upTo: () => {
          // It is seen to be offered at the first look.
          timers.advance(STALL_LIMIT.max * 1_000);
          expect(stateOf(0)).toBe('running');
        },
        beyond: () => {
          timers.advance(10_000);
          expect([stateOf(0), body.destroyed]).toEqual(['stalled', true]);
        },
      };
    },
  },
  {
    limit: SLOW_LIMIT,
    open: (onLimit) => {
      const { timers, jobs, enter, stateOf } = openJobs(onLimit);
      const job = enter(0);
      if (job === undefined) throw new Error('it does not begin');
      // All the others have a place, and one more waits for it.
      times(EXPORTS_LIMIT.max, (index) => enter(index + 1));
      const mp4s = new PassThrough({ highWaterMark: SLOW_BYTES });
      const body = jobs.deliver(job, mp4s).on('error', () => undefined);
      mp4s.write(Buffer.alloc(1024 * 1024));
      const takeALittle = async (): Promise<void> => {
        mp4s.write(Buffer.alloc(64 * 1024));
        body.read();
        await settled();
        timers.advance(40_000);
      };
      return {
        upTo: async () => {
          for (let seconds = 40; seconds < SLOW_LIMIT.max; seconds += 40) {
            expect(stateOf(0)).toBe('running');
            await takeALittle();
          }
        },
        beyond: async () => {
          await takeALittle();
          expect([stateOf(0), stateOf(EXPORTS_LIMIT.max)]).toEqual(['stalled', 'running']);
        },
      };
    },
  },
  {
    limit: LISTED_RECORDINGS_LIMIT,
    open: (onLimit) => {
      const item = { start: START, end: START + 1_000, media: 0, stream: 1, storage: 1, alarms: 0, videoAlarms: 0 };
      let isOnline = true;
      // A list counts as one entry beside its own.
      const items = Array.from({ length: LISTED_RECORDINGS_LIMIT.max / 2 - 1 }, () => item);
      const session = { query: async () => ({ ok: true, answer: { items } }) };
      const registry = { session: () => (isOnline ? session : undefined) } as never;
      const list = new RecordingList({ registry, now: () => 0, onLimit });
      const ask = (channel: number) =>
        list.list({ deviceId: 'BUS1', channel, from: wallMs(START), to: wallMs(START + 60_000) });
      const known = async (): Promise<readonly boolean[]> => {
        isOnline = false;
        const answers = await Promise.all([1, 2, 3].map(ask));
        isOnline = true;
        return answers.map(({ ok }) => ok);
      };
      return {
        upTo: async () => {
          for (const channel of [1, 2]) await ask(channel);
          expect(await known()).toEqual([true, true, false]);
        },
        beyond: async () => {
          await ask(3);
          expect(await known()).toEqual([false, true, true]);
        },
      };
    },
  },
];

export const exportCases: readonly LimitCase[] = [...placeCases, ...flowCases];
