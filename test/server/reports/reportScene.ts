// Two member groups with vehicles, a summer time that ends, and rows as each kind of report gives them.

import { reportDefinition } from '../../../server/reports/kinds/list.ts';
import { reportDevices } from '../../../server/reports/reportDevices.ts';
import type { ReportValue } from '../../../server/reports/reportKind.ts';
import { createSamplesOf } from '../../../server/reports/trackSamples.ts';
import { createPositionStore } from '../../../server/store/fleet/positions.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import type { ReportParameters } from '../../../shared/protocol/api/reports/reports.ts';
import type { ReportKind } from '../../../shared/protocol/reports/reportWords.ts';
import { noDamage } from '../../support/fakes/noDamage.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

/** Sunday, 25 October 2026, on which Berlin's day has 25 hours, from 00:00 there. */
export const DAY_MS = Date.UTC(2026, 9, 24, 22);
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
export const DAY_END_MS = DAY_MS + 25 * HOUR_MS;
/** Two days later. */
export const NOW_MS = DAY_END_MS + 48 * HOUR_MS;

type ReportRecord = Readonly<Record<string, ReportValue>>;

interface SceneDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveId: string;
  readonly archiveNumber: number;
}

export interface ReportScene {
  readonly database: TestDatabase;
  readonly stores: Stores;
  readonly memberGroup: number;
  readonly otherGroup: number;
  readonly bus1: SceneDevice;
  readonly bus2: SceneDevice;
  /** A device of the other member group. */
  readonly taxi: SceneDevice;
  /** Rows by the names of their columns. */
  report(kind: ReportKind, parameters?: Partial<ReportParameters>, memberGroup?: number): Promise<ReportRecord[]>;
}

export async function openReportScene(engine: Engine): Promise<ReportScene> {
  const database = await openTestDatabase(engine);
  const stores = createStores(database.db);
  const add = async (name: string, deviceGroup: string, devices: readonly string[]) => {
    const group = await stores.deviceGroups.insert(deviceGroup);
    const memberGroup = await stores.memberGroups.insert({ name });
    await stores.memberGroups.setDeviceGroups(memberGroup, [group]);
    for (const deviceId of devices)
      await stores.devices.insert({ deviceId, name: deviceId, chn: 2, deviceGroup: group });
    return memberGroup;
  };
  const memberGroup = await add('Depot', 'North', ['BUS1', 'BUS2']);
  const otherGroup = await add('Elsewhere', 'South', ['TAXI']);
  await database.db
    .updateTable('device')
    .set({ created_at_ms: DAY_MS - 10 * HOUR_MS })
    .execute();
  const device = async (deviceId: string): Promise<SceneDevice> => {
    const row = await database.db
      .selectFrom('device')
      .select(['incarnation', 'archive_id', 'archive_number'])
      .where('device_id', '=', deviceId)
      .executeTakeFirstOrThrow();
    const { incarnation, archive_id: archiveId, archive_number: archiveNumber } = row;
    return { deviceId, incarnation, archiveId, archiveNumber };
  };
  const [bus1, bus2, taxi] = [await device('BUS1'), await device('BUS2'), await device('TAXI')];
  return {
    database,
    stores,
    memberGroup,
    otherGroup,
    bus1,
    bus2,
    taxi,
    report: async (kind, changes = {}, reader = memberGroup) => {
      const parameters = reportParameters({ fromMs: DAY_MS, toMs: DAY_END_MS, ...changes });
      return runReport(kind, { parameters, memberGroup: reader, database });
    },
  };
}

interface Run {
  readonly parameters: ReportParameters;
  readonly memberGroup: number;
  readonly database: TestDatabase;
}

async function runReport(kind: ReportKind, { parameters, memberGroup, database }: Run): Promise<ReportRecord[]> {
  const { columns, run } = reportDefinition(kind);
  const devices = await reportDevices(database.db, memberGroup, parameters);
  const query = {
    ...parameters,
    kind,
    memberGroup,
    devices,
    leastMs: parameters.leastMinutes * MINUTE_MS,
    nowMs: NOW_MS,
  };
  const sources = {
    db: database.db,
    placeOf: (latitude: number, longitude: number) => `place ${latitude} ${longitude}`,
    samplesOf: createSamplesOf(createPositionStore(database.db, database.db, noDamage)),
    recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    overheadPercent: 4,
  } as const;
  const records: ReportRecord[] = [];
  for await (const { rows } of run(query, sources)) {
    for (const { values } of rows) {
      records.push(Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null])));
    }
  }
  return records;
}
