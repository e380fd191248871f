// How the limits of reports are reached.
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import {
  REPORT_ROWS_LIMIT,
  ReportJobs,
  RUNNING_REPORTS_LIMIT,
  type RunReport,
} from '../../../../server/reports/jobs/reportJobs.ts';
import { createResult } from '../../../../server/reports/results/resultFile.ts';
import { ResultFolder } from '../../../../server/reports/results/resultFolder.ts';
import {
  MEMBER_QUESTIONS_LIMIT,
  RESULT_QUESTIONS_LIMIT,
  ResultPlaces,
} from '../../../../server/reports/results/resultPlaces.ts';
import { OPEN_JOBS_LIMIT } from '../../../../server/store/reports/reportJobs.ts';
import { SCHEDULES_LIMIT } from '../../../../server/store/reports/reportSchedules.ts';
import { createStores } from '../../../../server/store/stores.ts';
import type { ReportScheduleContent } from '../../../../shared/protocol/api/reports/reports.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
const REPORT = { kind: 'passengers', parameters: reportParameters({ toMs: NOW_MS }), schedule: 0 } as const;

async function openStores(onLimit: OnLimit) {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(() => close());
  const stores = createStores(db, onLimit);
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  const addOwner = async (username: string) => {
    const userId = await stores.users.insert({ username, passwordHash: '', permissions: [] }, wallMs(NOW_MS));
    return { userId, memberGroup };
  };
  return { stores, addOwner, owner: await addOwner('ann') };
}

async function openJobs(onLimit: OnLimit, run: RunReport) {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const { stores, owner } = await openStores(onLimit);
  const jobs = new ReportJobs({
    store: stores.reportJobs,
    folder: new ResultFolder(join(folder.path, 'reports')),
    run,
    maxBytes: 1e9,
    now: () => NOW_MS,
    onLimit,
    onFault: noFaults,
    onChanged: () => undefined,
    onFinished: () => undefined,
  });
  onTestFinished(() => jobs.close());
  const add = async () => {
    const added = await jobs.add({ ...owner, ...REPORT });
    if (!added.ok) throw new Error(added.reason);
    return added.value.id;
  };
  return { jobs, add, get: (id: number) => stores.reportJobs.get(id) };
}

const running: LimitCase = {
  limit: RUNNING_REPORTS_LIMIT,
  open: async (onLimit) => {
    let told = 0;
    const ends: (() => void)[] = [];
    const { jobs, add, get } = await openJobs(
      (limit) => {
        told++;
        onLimit(limit);
      },
      async (_, { signal }) => {
        await new Promise<void>((resolve) => {
          ends.push(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        return { ok: false, fault: 'no-devices', message: '' };
      },
    );
    return {
      upTo: async () => {
        for (let at = 0; at < RUNNING_REPORTS_LIMIT.max; at++) await add();
        await waitFor('all to run', () => jobs.runningCount === RUNNING_REPORTS_LIMIT.max);
      },
      beyond: async () => {
        const id = await add();
        await waitFor('the limit', () => told > 0);
        expect([jobs.runningCount, (await get(id))?.state]).toEqual([RUNNING_REPORTS_LIMIT.max, 'queued']);
        ends[0]?.();
        await waitFor('its turn', async () => (await get(id))?.state === 'running');
      },
    };
  },
};

const rows: LimitCase = {
  limit: REPORT_ROWS_LIMIT,
  open: async (onLimit) => {
    const row = { deviceId: 'BUS1', values: [1] };
    let count = REPORT_ROWS_LIMIT.max;
    const { add, get } = await openJobs(onLimit, async (task) => {
      const result = createResult(task.file, 1, task);
      result.add(Array.from({ length: count }, () => row));
      return { ok: true, ...result.finish() };
    });
    const make = async () => {
      const id = await add();
      await waitFor('the report', async () => (await get(id))?.state === 'done');
      return get(id);
    };
    return {
      upTo: async () => expect(await make()).toMatchObject({ rows: REPORT_ROWS_LIMIT.max, isCut: false }),
      beyond: async () => {
        count++;
        expect(await make()).toMatchObject({ rows: REPORT_ROWS_LIMIT.max, isCut: true });
      },
    };
  },
};

const openJobsOfMember: LimitCase = {
  limit: OPEN_JOBS_LIMIT,
  open: async (onLimit) => {
    const { stores, owner, addOwner } = await openStores(onLimit);
    const add = ({ userId, memberGroup } = owner) =>
      stores.reportJobs.insert({ ...REPORT, userId, memberGroup, fromMs: 0, toMs: NOW_MS, atMs: NOW_MS });
    return {
      upTo: async () => {
        for (let at = 0; at < OPEN_JOBS_LIMIT.max; at++) expect(await add()).toMatchObject({ ok: true });
      },
      beyond: async () => {
        expect(await add()).toEqual({ ok: false, reason: 'too-many' });
        expect(await add(await addOwner('bob'))).toMatchObject({ ok: true });
      },
    };
  },
};

const SCHEDULE: ReportScheduleContent = {
  name: 'Each morning',
  enabled: true,
  kind: 'trips',
  parameters: reportParameters({ period: 'yesterday' }),
  every: 'daily',
  weekday: 0,
  monthDay: 0,
  minuteOfDay: 360,
  format: 'xlsx',
  language: 'en',
  sender: 1,
  recipients: ['ann@example.com'],
};

const schedules: LimitCase = {
  limit: SCHEDULES_LIMIT,
  open: async (onLimit) => {
    const { stores, owner, addOwner } = await openStores(onLimit);
    const change = { content: SCHEDULE, by: 'ann', atMs: NOW_MS };
    const add = (by = owner) => stores.reportSchedules.insert(by, change);
    return {
      upTo: async () => {
        for (let at = 0; at < SCHEDULES_LIMIT.max; at++) expect(await add()).toMatchObject({ ok: true });
      },
      beyond: async () => {
        expect(await add()).toEqual({ ok: false, reason: 'too-many' });
        expect(await add(await addOwner('bob'))).toMatchObject({ ok: true });
      },
    };
  },
};

/** Nobody is answered before the end. */
function questionsCase(limit: LimitCase['limit'], memberOf: (index: number) => number): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const places = new ResultPlaces(onLimit);
      let answerFirst: (() => void) | undefined;
      const ask = (index: number) =>
        places.during(
          memberOf(index),
          () =>
            new Promise<string>((resolve) => {
              answerFirst ??= () => resolve('rows');
            }),
        );
      let first: Promise<string | undefined> | undefined;
      return {
        upTo: () => {
          first = ask(0);
          for (let index = 1; index < limit.max; index++) void ask(index);
          expect(places.taken).toBe(limit.max);
        },
        beyond: async () => {
          expect(await ask(limit.max)).toBeUndefined();
          answerFirst?.();
          expect(await first).toBe('rows');
          void ask(limit.max);
          expect(places.taken).toBe(limit.max);
        },
      };
    },
  };
}

export const reportCases: readonly LimitCase[] = [
  running,
  openJobsOfMember,
  rows,
  questionsCase(RESULT_QUESTIONS_LIMIT, (index) => index),
  questionsCase(MEMBER_QUESTIONS_LIMIT, () => 1),
  schedules,
];
