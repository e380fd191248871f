import { type Kysely, type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { migrate, SchemaTooNew } from '../../../server/store/engine/migrate.ts';
import { severityOrder } from '../../../server/store/events/list/severityOrder.ts';
import { migrations } from '../../../server/store/migrations/list.ts';
import type { Engine, Migration } from '../../../server/store/migrations/migration.ts';
import { createStores } from '../../../server/store/stores.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { EVENT_STATUSES, SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { fillVersion } from './rowsOfVersions.ts';
import { describeOnBothEngines, openAtSteps, openTestDatabase, type TestDatabase } from './testDatabase.ts';

type AnyDb = Kysely<unknown>;

const ALL = migrations.map(({ version }) => version);
/**
 * To begin with another version is to begin with other rows: these are the versions that add or change what `fillVersion` writes, and the
 * one before this. PostgreSQL begins at those after which many tables change.
 */
const BEGINNINGS = {
  sqlite: [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 17, 18, 19, 21, ALL.length - 1, ALL.length],
  postgres: [1, 6, 9, 13, 18, ALL.length - 1],
};

/** Event types by the bits of the alarm word, from bit 2. */
const TYPES_FROM_FATIGUE = [
  ...['fatigue', 'danger-warning', 'gnss-fault', 'gnss-antenna-open', 'gnss-antenna-short', 'power-low', 'power-lost'],
  ...['display-fault', 'voice-fault', 'camera-fault', 'card-reader-fault', 'speeding-warning', 'fatigue-warning'],
  ...['driving-violation', 'tire-pressure', 'right-turn-blind-spot', 'driving-time', 'parked-too-long', 'area-crossed'],
  ...['route-crossed', 'section-time', 'off-route', 'speed-sensor-fault', 'fuel-abnormal', 'theft'],
  ...['unauthorized-ignition', 'unauthorized-movement', 'collision', 'rollover-warning', 'unauthorized-door'],
];

/** Describes tables, columns and indexes in a form by which two databases can be compared. Months of events come and go with the events. */
async function describeSchema(db: AnyDb, engine: Engine): Promise<unknown> {
  const query =
    engine === 'sqlite'
      ? sql`select name, sql from sqlite_master where name not like 'sqlite_%' order by name`
      : sql`select table_name as name, column_name, data_type, is_nullable, column_default, null as definition
            from information_schema.columns where table_schema = 'public'
            union all select indexname, '', '', '', '', indexdef from pg_indexes where schemaname = 'public'
            order by 1, 2`;
  const { rows } = await (query as RawBuilder<{ readonly name: string }>).execute(db);
  return rows.filter(({ name }) => !name.startsWith('event_month_'));
}

describeOnBothEngines('migrations', (engine) => {
  let newest: unknown;
  beforeAll(async () => {
    const fresh = await openTestDatabase(engine);
    newest = await describeSchema(fresh.db as AnyDb, engine);
    await fresh.close();
  });

  async function open(steps: readonly Migration[]): Promise<TestDatabase> {
    const database = await openAtSteps(engine, steps);
    onTestFinished(() => database.close());
    return database;
  }

  it.each(IS_LONG ? ALL : BEGINNINGS[engine])(
    'from version %i lead to the same schema with the rows kept',
    async (version) => {
      const old = await open(migrations.slice(0, version));
      await fillVersion(old.db as AnyDb, version);
      await migrate(old.db as AnyDb, engine, migrations);
      expect(await describeSchema(old.db as AnyDb, engine)).toEqual(newest);
      const stores = createStores(old.db);
      expect(await stores.devices.findByDeviceId('DEV1')).toMatchObject({ name: 'Bus', chn: 4, deviceGroup: 1 });
      const query = { groups: [1], ungrouped: false, search: 'dev1 bus p', sort: 'name', descending: false } as const;
      // A row of version 7 was written without its keys, as nothing but a store writes one.
      if (version < 7) expect(await stores.deviceRecords.ids(query)).toEqual(['DEV1']);
      expect(await stores.settings.get('link_key')).toBe('ab');
      const controls = version >= 5 ? { ptzchs: '0100', talkchs: '1000' } : { ptzchs: '', talkchs: '' };
      expect(await stores.devices.findByDeviceId('DEV1')).toMatchObject(controls);
      const permissions = version >= 35 ? ['event'] : ['event', 'talk', 'devicetext'];
      if (version >= 2) expect(await stores.users.find(1)).toMatchObject({ username: 'A', permissions });
      if (version >= 2) expect(await stores.memberGroups.userSeesDevice(1, 'DEV1')).toBe(true);
      if (version >= 3) expect(await stores.positions.latest('DEV1')).toMatchObject({ latitude: 1.5, deviceTimeMs: 7 });
      if (version >= 6) {
        const archiveId = 'DEV1';
        expect(await stores.devices.findByDeviceId('DEV1')).toMatchObject({ archiveId });
        expect(await stores.segments.ranges({ archiveId, fromMs: 0, toMs: 9 })).toMatchObject([{ fromMs: 1, toMs: 2 }]);
        expect(await stores.evidenceHolds.list({ deviceId: 'DEV1', limit: 9 })).toMatchObject([
          { archiveId, deviceId: 'DEV1' },
        ]);
      }
      if (version >= 9) {
        const devices = [{ deviceId: 'DEV1', count: 1 }];
        const types = [{ type: 'speeding', count: 1 }];
        expect(await stores.eventFigures.summary([1], 0, 9)).toEqual({ types, devices });
      }
      if (version >= 17) expect(await stores.deviceOrders.unfinished(0, 9)).toMatchObject([{ deviceId: 'DEV1' }]);
      if (version >= 4) expect(await stores.audit.list({ limit: 9 })).toMatchObject([{ actor: 'A', atMs: 9 }]);
    },
  );

  it('make of each alarm that had begun an event that is over and closed, of the type of its bit', async () => {
    const before = migrations.filter(({ version }) => version < 18);
    const { db } = await open(before);
    await fillVersion(db as AnyDb, 13);
    const onset = (incarnation: number, alarm: number, atMs: number): Promise<unknown> =>
      sql`insert into alarm_onset (incarnation, alarm, at_ms) values (${incarnation}, ${alarm}, ${atMs})`.execute(db);
    for (let alarm = 2; alarm < 32; alarm++) await onset(1, alarm, 1_000 + alarm);
    // This alarm is of a device that was deleted: what is in its archive is not lost.
    await onset(9, 0, 500);
    const november = Date.UTC(2026, 10, 1);
    for (const atMs of [november - 1, november]) await onset(1, 31, atMs);
    await migrate(db as AnyDb, engine, migrations);
    const rows = await db.selectFrom('event').selectAll().orderBy('begin_at_ms').execute();
    expect(rows.map((row) => [row.archive_number, row.type, row.begin_at_ms])).toEqual([
      [1, 'speeding', 2],
      [9, 'emergency', 500],
      ...TYPES_FROM_FATIGUE.map((type, at) => [1, type, 1_002 + at]),
      [1, 'unauthorized-door', november - 1],
      [1, 'unauthorized-door', november],
    ]);
    if (engine === 'postgres') {
      const lies = sql<{
        readonly lies: string;
      }>`select distinct tableoid::regclass::text as lies from event order by 1`;
      const months = ['event_month_1970_01', 'event_month_2026_10', 'event_month_2026_11'];
      expect((await lies.execute(db)).rows.map((row) => row.lies)).toEqual(months);
    }
    expect(rows.filter(({ type }) => builtInType(type) === undefined)).toEqual([]);
    for (const row of rows) {
      const { begin_at_ms: at } = row;
      const closed = EVENT_STATUSES.indexOf('closed');
      const severity = SEVERITIES.indexOf('minor');
      expect(row).toMatchObject({ end_at_ms: at, closed_at_ms: at, origins: 0, status: closed, severity, count: 1 });
      expect(row.severity_order).toBe(severityOrder(severity, at));
    }
    // None of these events goes on when the gateway starts.
    const { eventLog } = createStores(db);
    expect((await eventLog.tracked(0)).every(({ isAnswered, endAtMs }) => isAnswered && endAtMs > 0)).toBe(true);
  });

  it('add the hours of data usage to their days, in the time zone of each device', async () => {
    const { db } = await open(migrations.slice(0, 29));
    const noonMs = Date.UTC(2026, 10, 30, 12);
    const hour = (incarnation: number, hoursLater: number, kind: number) =>
      `(${incarnation}, ${noonMs + hoursLater * 3_600_000}, ${kind}, 100, 10)`;
    for (const row of [
      `insert into device_incarnation (incarnation, device_id, archive_id)
        values (1, 'BUS', ''), (2, 'TAXI', ''), (3, 'GONE', '')`,
      `insert into device (incarnation, device_id, name, plate, chn, installchs, time_zone, created_at_ms)
        values (1, 'BUS', 'Bus', '', 1, '1', 'Asia/Taipei', 5), (2, 'TAXI', 'Taxi', '', 1, '1', 'UTC', 5)`,
      'insert into netflow_day (incarnation, day, kind, received_bytes, sent_bytes) values (1, 20261130, 0, 5, 1)',
      `insert into netflow_hour (incarnation, hour_ms, kind, received_bytes, sent_bytes)
        values ${[hour(1, 0, 0), hour(1, 3, 0), hour(1, 4, 0), hour(1, 3, 2), hour(2, 11, 0), hour(2, 12, 0), hour(3, 0, 0)].join()}`,
    ])
      await sql.raw(row).execute(db);
    await migrate(db as AnyDb, engine, migrations);
    const days = db.selectFrom('netflow_day').selectAll().where('incarnation', '<', 3);
    expect(await days.orderBy('incarnation').orderBy('day').orderBy('kind').execute()).toEqual([
      { incarnation: 1, day: 20_261_130, kind: 0, received_bytes: 205, sent_bytes: 21 },
      { incarnation: 1, day: 20_261_130, kind: 2, received_bytes: 100, sent_bytes: 10 },
      { incarnation: 1, day: 20_261_201, kind: 0, received_bytes: 100, sent_bytes: 10 },
      { incarnation: 2, day: 20_261_130, kind: 0, received_bytes: 100, sent_bytes: 10 },
      { incarnation: 2, day: 20_261_201, kind: 0, received_bytes: 100, sent_bytes: 10 },
    ]);
    const months = db.selectFrom('netflow_device_month').selectAll().where('month', '=', 202_611);
    expect(await months.orderBy('incarnation').execute()).toEqual([
      { incarnation: 1, month: 202_611, bytes: 336 },
      { incarnation: 2, month: 202_611, bytes: 110 },
      { incarnation: 3, month: 202_611, bytes: 110 },
    ]);
  });

  it('let everybody talk to drivers and send them texts, who could do so without a permission before', async () => {
    const { db } = await open(migrations.slice(0, 34));
    for (const row of [
      `insert into role (id, name, name_key, permissions) values
        (10, 'Watch', 'watch', '[]'), (11, 'Desk', 'desk', '["event","talk"]')`,
      `insert into app_user (id, username, username_key, password_hash, permissions, created_at_ms, password_changed_at_ms, role)
        values (1, 'own', 'own', 'h', '["link"]', 5, 5, null), (2, 'mei', 'mei', 'h', '[]', 5, 5, 10)`,
    ])
      await sql.raw(row).execute(db);
    await migrate(db as AnyDb, engine, migrations);
    const { roles, users } = createStores(db);
    const kept = (await roles.list()).map(({ name, builtIn, permissions, version }) => {
      return [name, builtIn === 'administrator' ? 'all' : permissions, version];
    });
    const operator = ['event', 'report', 'membergroup', 'export'];
    const manager = [...operator, 'system', 'devicegroup', 'member', 'eventconfig', 'fence', 'evidence', 'link'];
    expect(kept).toHaveLength(5);
    expect(kept).toEqual(
      expect.arrayContaining([
        // A form that was opened before must not take them away again.
        ['Watch', ['talk', 'devicetext'], 2],
        ['Desk', ['event', 'talk', 'devicetext'], 2],
        ['Operator', [...operator, 'talk', 'devicetext'], 2],
        ['Manager', [...manager, 'talk', 'devicetext'], 2],
        ['Administrator', 'all', 2],
      ]),
    );
    expect((await users.find(1))?.permissions).toEqual(['link', 'talk', 'devicetext']);
    expect((await users.find(2))?.permissions).toEqual(['talk', 'devicetext']);
  });

  it('mark the files of events whose clip is held', async () => {
    const { db } = await open(migrations.slice(0, 35));
    await fillVersion(db as AnyDb, 35);
    const hold = (eventId: number, releasedAtMs: number) =>
      sql`insert into evidence_hold (device_id, archive_id, channel, from_ms, to_ms, reason, held_by, held_at_ms, released_at_ms, event_id)
        values ('DEV1', 'DEV1', 0, 1, 2, '', '', 3, ${releasedAtMs}, ${eventId})`.execute(db);
    const file = (eventId: number) =>
      sql`insert into event_media (event_id, event_begin_at_ms, archive_number, kind, channel, name, content_type, bytes, sha256,
        file_id, state, attempts, taken_at_ms, requested_at_ms, stored_at_ms)
        values (${eventId}, 2, 1, 'snapshot', 1, '', 'image/jpeg', 3, 'ab', 'cd', 'stored', 1, 2, 2, 3)`.execute(db);
    for (const eventId of [50, 51, 52, 0]) await file(eventId);
    await hold(50, 0);
    await hold(51, 9);
    await hold(0, 0);
    await migrate(db as AnyDb, engine, migrations);
    const held = db.selectFrom('event_media').select('event_id').where('held', '=', 1);
    expect(await held.execute()).toEqual([{ event_id: 50 }]);
  });

  it('do nothing on a database that is up to date, and refuse one of a newer program', async () => {
    const { db, close } = await openTestDatabase(engine);
    onTestFinished(close);
    const before = await describeSchema(db as AnyDb, engine);
    await migrate(db as AnyDb, engine, migrations);
    expect(await describeSchema(db as AnyDb, engine)).toEqual(before);
    await expect(migrate(db as AnyDb, engine, migrations.slice(0, 2))).rejects.toThrow(SchemaTooNew);
  });

  it('leave the old schema whole when a step fails half way', async () => {
    const { db } = await open(migrations.slice(0, 1));
    const before = await describeSchema(db as AnyDb, engine);
    const broken: Migration = {
      version: 2,
      name: 'broken',
      up: async (transaction) => {
        await transaction.schema.createTable('half').addColumn('a', 'integer').execute();
        throw new Error('pulled plug');
      },
    };
    await expect(migrate(db as AnyDb, engine, [...migrations.slice(0, 1), broken])).rejects.toThrow('pulled plug');
    expect(await describeSchema(db as AnyDb, engine)).toEqual(before);
    await migrate(db as AnyDb, engine, migrations.slice(0, 2));
  });

  it('may run from two gateways that start at once', async () => {
    const { db } = await open([]);
    await Promise.all([1, 2, 3].map(() => migrate(db as AnyDb, engine, migrations)));
    const versions = await sql<{ version: number }>`select version from schema_version order by version`.execute(db);
    expect(versions.rows.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version));
  });
});

it('migrations number the versions from 1 without a gap', () => {
  expect(ALL).toEqual(migrations.map((_, index) => index + 1));
});

it('two programs may open one new SQLite file at once', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const location = { engine: 'sqlite', file: `${folder.path}/one.db` } as const;
  const databases = await Promise.all([openDatabase(location), openDatabase(location)]);
  const [first, second] = databases.map(({ db }) => createStores(db));
  await first?.settings.set('a', '1');
  expect(await second?.settings.get('a')).toBe('1');
  await Promise.all(databases.map((database) => database.close()));
});
