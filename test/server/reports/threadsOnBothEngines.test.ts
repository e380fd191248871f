import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRunReport } from '../../../server/app/reports/reportThreads.ts';
import { openResult } from '../../../server/reports/results/resultFile.ts';
import { createStores } from '../../../server/store/stores.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { describeOnBothEngines, openForThreads } from '../store/testDatabase.ts';

const NOW_MS = Date.UTC(2026, 10, 23);

describeOnBothEngines('the thread of a report', (engine) => {
  it('reads over a connection of its own', async () => {
    const { folder, location, database } = await openForThreads(engine);
    const stores = createStores(database.db, undefined, database.reading);
    const deviceGroup = await stores.deviceGroups.insert('North');
    const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
    await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
    const counts = [3, 1, 2].map((boarded, at) => ({
      incarnation,
      from_ms: NOW_MS - 3_000 + at * 1_000,
      to_ms: NOW_MS,
      boarded,
      alighted: 0,
    }));
    await database.db.insertInto('passenger_count').values(counts).execute();
    const file = join(folder, 'result.db');
    const run = createRunReport({
      database: location,
      recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
      overheadPercent: 4,
      onFault: noFaults,
    });
    const outcome = await run(
      {
        kind: 'passengers',
        parameters: reportParameters(),
        memberGroup,
        fromMs: NOW_MS - 3_000,
        toMs: NOW_MS,
        nowMs: NOW_MS,
        file,
        maxRows: 10,
        maxBytes: 1e6,
      },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    expect(outcome).toMatchObject({ ok: true, rows: 3, isCut: false });
    const result = openResult(file);
    onTestFinished(() => result.close());
    const rows = result.rowsAfter(0, { devices: ['BUS1'], deviceGroups: [] }, 10);
    expect(rows.map(({ values }) => [values[0], values[3]])).toEqual([
      ['BUS1', 3],
      ['BUS1', 1],
      ['BUS1', 2],
    ]);
  });
});
