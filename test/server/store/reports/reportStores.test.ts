import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobOwner } from '../../../../server/store/reports/reportJobs.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { ReportScheduleContent } from '../../../../shared/protocol/api/reports/reports.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT_MS = wallMs(1_795_000_000_000);

describeOnBothEngines('reports', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let owner: JobOwner;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const memberGroup = await stores.memberGroups.insert({ name: 'North' });
    owner = {
      memberGroup,
      userId: await stores.users.insert({ username: 'ann', passwordHash: '', permissions: [] }, AT_MS),
    };
  });
  afterAll(() => database.close());

  it.each([
    ['done', '', 1],
    ['canceled', '', 0.5],
    ['failed', 'internal', 0.5],
  ] as const)('that are %s have come as far as they came', async (state, fault, progress) => {
    const times = { fromMs: 1, toMs: 2, schedule: 0, atMs: AT_MS };
    const job = await stores.reportJobs.insert({ ...owner, ...times, kind: 'trips', parameters: reportParameters() });
    if (!job.ok) expect.fail(job.reason);
    const { id } = job.value;
    expect(await stores.reportJobs.start(id, AT_MS)).toBe(true);
    await database.db.updateTable('report_job').set({ progress: 0.5 }).where('id', '=', id).execute();
    const counts = { rows: 0, bytes: 0, isCut: false, file: '' };
    await stores.reportJobs.finish(id, { state, fault, ...counts, atMs: AT_MS, expiresAtMs: AT_MS });
    expect(await stores.reportJobs.get(id)).toMatchObject({ state, fault, progress });
  });

  it('that come again and again are listed by their names, whatever the case', async () => {
    for (const name of ['zebra', 'Apple', 'apple pie', 'Banana', 'banana split'])
      await stores.reportSchedules.insert(owner, { content: aSchedule(name), by: 'ann', atMs: AT_MS });
    const query: Parameters<Stores['reportSchedules']['page']>[0] = {
      ...owner,
      search: '',
      sort: 'name',
      descending: false,
      limit: 2,
      position: { at: 'offset', offset: 0 },
    };
    const first = await stores.reportSchedules.page(query);
    expect(first?.rows.map(({ name }) => name)).toEqual(['Apple', 'apple pie']);
    const second = await stores.reportSchedules.page({
      ...query,
      position: { at: 'after', values: first?.next ?? [] },
    });
    expect(second?.rows.map(({ name }) => name)).toEqual(['Banana', 'banana split']);
  });
});

function aSchedule(name: string): ReportScheduleContent {
  return {
    name,
    enabled: true,
    kind: 'trips',
    parameters: reportParameters(),
    every: 'daily',
    weekday: 0,
    monthDay: 0,
    minuteOfDay: 0,
    format: 'csv',
    language: 'en',
    sender: 0,
    recipients: ['ann@example.com'],
  };
}
