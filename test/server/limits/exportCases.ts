// How the bounds on exports, and on what is read for them and for playback, are reached.
import { PassThrough } from 'node:stream';
import { LISTED_RECORDINGS_LIMIT, RecordingList } from '../../../server/device/playback/recordingList.ts';
import { REFUSALS_LIMIT, RefusedExports } from '../../../server/http/playback/refusedExports.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import {
  ENDED_LIMIT,
  ENDED_OWNERS_LIMIT,
  EXPORTS_ACCOUNT_LIMIT,
  EXPORTS_LIMIT,
  type ExportJob,
  ExportJobs,
  WAITING_ACCOUNT_LIMIT,
  WAITING_LIMIT,
} from '../../../server/recording/export/exportJobs.ts';
import { SLOW_BYTES, SLOW_LIMIT, STALL_LIMIT } from '../../../server/recording/export/stallWatch.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/manualTimers.ts';
import type { LimitCase } from './describeLimits.ts';

const START = Date.UTC(2026, 10, 20, 14);
function jobsOf(onLimit: OnLimit, timers = new ManualTimers()): ExportJobs {
  return new ExportJobs({ now: timers.now, after: timers.after, onLimit });
}

function enter(jobs: ExportJobs, account: string, name?: string): ExportJob | undefined {
  const job = jobs.enter({ owner: account, account }, name);
  return typeof job === 'string' ? undefined : job;
}

/** Enters so many of one account, or of an account each. */
const enterMany =
  (count: number, accountOf: (number: number) => string) =>
  (onLimit: OnLimit): void => {
    const jobs = jobsOf(onLimit);
    for (let number = 0; number < count; number++) enter(jobs, accountOf(number));
  };

export const exportCases: readonly LimitCase[] = [
  { limit: EXPORTS_LIMIT, reach: enterMany(EXPORTS_LIMIT.max + 1, String) },
  { limit: EXPORTS_ACCOUNT_LIMIT, reach: enterMany(EXPORTS_ACCOUNT_LIMIT.max + 1, () => 'ann') },
  { limit: WAITING_LIMIT, reach: enterMany(EXPORTS_LIMIT.max + WAITING_LIMIT.max + 1, String) },
  {
    limit: WAITING_ACCOUNT_LIMIT,
    reach: enterMany(EXPORTS_ACCOUNT_LIMIT.max + WAITING_ACCOUNT_LIMIT.max + 1, () => 'ann'),
  },
  {
    limit: ENDED_LIMIT,
    reach: (onLimit) => {
      const jobs = jobsOf(onLimit);
      for (let number = 0; number <= ENDED_LIMIT.max; number++) enter(jobs, 'ann', `job-${number}`)?.end('done');
      if (jobs.find('ann', 'job-0') !== undefined) throw new Error('the oldest is remembered');
      if (jobs.find('ann', 'job-1') === undefined) throw new Error('the next is forgotten');
    },
  },
  {
    limit: ENDED_OWNERS_LIMIT,
    reach: (onLimit) => {
      const jobs = jobsOf(onLimit);
      for (let number = 0; number <= ENDED_OWNERS_LIMIT.max; number++) enter(jobs, `link:${number}`)?.end('done');
    },
  },
  {
    limit: REFUSALS_LIMIT,
    reach: (onLimit) => {
      const refused = new RefusedExports(onLimit);
      for (let number = 0; number <= REFUSALS_LIMIT.max; number++)
        refused.note('ann', `job-${number}`, { status: 404, code: 'no-recording', message: '' });
    },
  },
  {
    limit: STALL_LIMIT,
    reach: async (onLimit) => {
      const timers = new ManualTimers();
      const jobs = jobsOf(onLimit, timers);
      const job = enter(jobs, 'ann', 'job-1');
      if (job === undefined) throw new Error('it does not begin');
      const films = new PassThrough();
      jobs.deliver(job, films).on('error', () => undefined);
      films.write(Buffer.alloc(1024 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
      timers.advance(2 * STALL_LIMIT.max * 1_000);
      if (jobs.find('ann', 'job-1')?.state !== 'stalled') throw new Error('it goes on');
    },
  },
  {
    limit: SLOW_LIMIT,
    reach: async (onLimit) => {
      const timers = new ManualTimers();
      const jobs = jobsOf(onLimit, timers);
      const crawling = Array.from({ length: EXPORTS_LIMIT.max }, (_, number) => enter(jobs, String(number), 'job-1'));
      enter(jobs, 'waits');
      const films = new PassThrough({ highWaterMark: SLOW_BYTES });
      const [first] = crawling;
      if (first === undefined) throw new Error('it does not begin');
      const body = jobs.deliver(first, films).on('error', () => undefined);
      films.write(Buffer.alloc(1024 * 1024));
      for (let seconds = 0; seconds <= SLOW_LIMIT.max; seconds += 40) {
        films.write(Buffer.alloc(64 * 1024));
        body.read();
        await new Promise((resolve) => setImmediate(resolve));
        timers.advance(40_000);
      }
      if (jobs.find('0', 'job-1')?.state !== 'stalled') throw new Error('it goes on');
    },
  },
  {
    limit: LISTED_RECORDINGS_LIMIT,
    reach: async (onLimit) => {
      const item = { start: START, end: START + 1_000, media: 0, stream: 1, storage: 1, alarms: 0, videoAlarms: 0 };
      const items = Array.from({ length: LISTED_RECORDINGS_LIMIT.max / 2 }, () => item);
      const session = { query: async () => ({ ok: true, answer: { items } }) };
      const list = new RecordingList({ registry: { session: () => session } as never, now: () => 0, onLimit });
      for (const channel of [1, 2, 3])
        await list.list({ deviceId: 'BUS1', channel, from: wallMs(START), to: wallMs(START + 60_000) });
    },
  },
];
