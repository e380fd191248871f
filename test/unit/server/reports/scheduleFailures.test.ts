import { expect, it } from 'vitest';
import { ReportSchedules, type ReportSchedulesDeps } from '../../../../server/reports/schedules/reportSchedules.ts';
import type { StoredReportSchedule } from '../../../../server/store/reports/reportSchedules.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { waitFor } from '../../../support/waitFor.ts';

function scheduleOf(id: number): StoredReportSchedule {
  const parameters = reportParameters({ period: 'yesterday' });
  const when = { every: 'daily', weekday: 0, monthDay: 0, minuteOfDay: 0 } as const;
  return { id, userId: 1, memberGroup: 1, kind: 'trips', parameters, sender: 1, ...when } as StoredReportSchedule;
}

async function startSchedules({ isDown = () => false }: { readonly isDown?: () => boolean } = {}) {
  const slept: { delayMs: number; run: () => void }[] = [];
  const asked: number[] = [];
  const faults: Error[] = [];
  const noted: number[] = [];
  const due = async () => {
    if (isDown()) throw new Error('the database is away');
    return [scheduleOf(1), scheduleOf(2)].filter(({ id }) => !noted.includes(id));
  };
  const nextDueAtMs = async () => {
    if (isDown()) throw new Error('the database is away');
    return 0;
  };
  const noteRun = async (id: number) => void noted.push(id);
  const deps = {
    stores: {
      reportSchedules: { due, nextDueAtMs, noteRun, undelivered: async () => [] },
      reportMakers: {
        find: async () => {
          asked.push(asked.length);
          if (asked.length === 1) throw new Error('cannot be read');
          return undefined;
        },
      },
      reportScopes: { seesAny: async () => true },
    },
    hasSender: async () => true,
    now: () => 1_000,
    runAfter: (delayMs: number, run: () => void) => {
      slept.push({ delayMs, run });
      return () => undefined;
    },
    onFault: (error: Error) => void faults.push(error),
    onChanged: () => undefined,
  };
  const schedules = new ReportSchedules(deps as unknown as ReportSchedulesDeps);
  await schedules.start();
  return { schedules, slept, faults, noted };
}

it('a schedule that cannot run holds up no other, and is tried again a minute later', async () => {
  const { schedules, slept, faults, noted } = await startSchedules();
  await waitFor('the others', () => slept.length === 1);
  expect([noted, slept[0]?.delayMs, faults.length]).toEqual([[2], 60_000, 1]);
  slept[0]?.run();
  await waitFor('the first', () => noted.includes(1));
  await schedules.close();
});

it('schedules go on after the database was away', async () => {
  let isDown = true;
  const { schedules, slept, noted } = await startSchedules({ isDown: () => isDown });
  await waitFor('the next try', () => slept.length === 1);
  expect([noted, slept[0]?.delayMs]).toEqual([[], 60_000]);
  isDown = false;
  slept[0]?.run();
  await waitFor('a run', () => noted.includes(2));
  await schedules.close();
});
