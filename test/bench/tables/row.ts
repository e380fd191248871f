// How long a page of 50 rows takes, sorted and filtered, in tables of 5,000 and of 50,000 rows, on both engines.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DeviceListQuery } from '../../../server/store/devices/deviceList.ts';
import type { NewDeviceRecord } from '../../../server/store/devices/deviceRecordRows.ts';
import type { DeviceRecordStore } from '../../../server/store/devices/deviceRecords.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { DEVICE_SORTS } from '../../../shared/protocol/api/devices.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../support/newDeviceRecord.ts';
import { onBothEngines } from '../bothEngines.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { measureMembers } from './memberPages.ts';

const SIZES = [5_000, 50_000];
const GROUPS = 200;
const PAGE_ROWS = 50;
const REPETITIONS = 8;
type Tables = Readonly<Record<string, readonly Row[]>>;

const MODELS = ['M10', 'M20', 'X1', 'X2 Pro'];

/** `postgresPrograms` is the folder of initdb and postgres; without it SQLite alone is measured. */
export async function benchTables(postgresPrograms: string | undefined, note: (text: string) => void): Promise<Tables> {
  const devices: Row[] = [];
  const members: Row[] = [];
  for (const size of SIZES) {
    await onBothEngines(postgresPrograms, async ({ db }, name) => {
      note(`tables: ${size} rows on ${name}`);
      devices.push(...(await measureDevices(db, name, size)));
      members.push(...(await measureMembers(db, name, size)));
    });
  }
  return { 'device tables': devices, 'member tables': members };
}

async function measureDevices(db: StoreDb, name: string, size: number): Promise<Row[]> {
  const stores = createStores(db);
  const groups = await fill(stores, size);
  if (name === 'PostgreSQL') await settle(db);
  const all: DeviceListQuery = { groups, ungrouped: true, search: '', sort: 'name', descending: false };
  const branch = groups.slice(0, 20);
  const requests: readonly (readonly [string, Partial<DeviceListQuery>])[] = [
    ['every column sorted', {}],
    ['and a word searched that a tenth has', { search: 'x1' }],
    ['and two words that few have', { search: 'bus 4711' }],
    ['and the devices of 20 groups', { groups: branch, ungrouped: false }],
    ['and edition and registration', { edition: '2019', registered: false }],
  ];
  const rows: Row[] = [];
  for (const [what, part] of requests) {
    const timed = await timePages(stores.deviceRecords, { ...all, ...part });
    rows.push({ database: name, devices: size, requests: what, ...timed });
  }
  return rows;
}

/** Vacuums, which the server does by itself within minutes of so large a change: by then it knows which rows everybody sees. */
async function settle(db: StoreDb): Promise<void> {
  for (;;) {
    await sql`vacuum analyze device, device_group`.execute(db);
    const known = sql<{ pages: number }>`select relallvisible as pages from pg_class where relname = 'device'`;
    // There are none while another session still sees an earlier state.
    if (((await known.execute(db)).rows[0]?.pages ?? 0) > 0) return;
    await delay(500);
  }
}

/** Times the requests of the call: the count and the page at once, for each column up and down, on the first page and a late one. */
async function timePages(records: DeviceRecordStore, query: DeviceListQuery) {
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < REPETITIONS; at++) {
    for (const sort of DEVICE_SORTS) {
      const offset = at % 2 === 0 ? 0 : Math.max(0, Math.floor(found / 2) - PAGE_ROWS);
      const position = { at: 'offset', offset } as const;
      const one = { ...query, sort, descending: at % 4 > 1, limit: PAGE_ROWS, position };
      const startedMs = performance.now();
      const page = await records.page(one);
      times.push(performance.now() - startedMs);
      found = page?.total ?? 0;
    }
  }
  const worst = rounded(Math.max(...times));
  return {
    found,
    'p50 ms': rounded(percentile(times, 0.5)),
    'p95 ms': rounded(percentile(times, 0.95)),
    'worst ms': worst,
  };
}

async function fill({ deviceGroups, deviceRecords }: Stores, size: number): Promise<number[]> {
  const groups: number[] = [];
  for (let at = 0; at < GROUPS; at++) groups.push(await deviceGroups.insert(`Depot ${at}`));
  const added = Array.from({ length: size }, (_, at) => device(at, groups[at % GROUPS]));
  await deviceRecords.import({ added, changed: [] }, wallMs(1_795_000_000_000));
  return groups;
}

/** A device; the devices are added in an order that none of the columns has. */
function device(at: number, deviceGroup: number | undefined): NewDeviceRecord {
  const number = (at * 7_919) % 1_000_003;
  return newDeviceRecord(`DEV-${number}`, {
    name: `Bus ${(at * 104_729) % 100_003}`,
    plate: `ABC-${(number * 31) % 10_000}`,
    terminal: String(13_000_000_000 + number),
    edition: at % 3 === 0 ? '2013' : '2019',
    model: MODELS[number % MODELS.length] ?? '',
    sim: `8986${String(number).padStart(16, '0')}`,
    deviceGroup,
    chn: number % 9,
    channelNames: ['Front', 'Door', 'Driver'],
    icon: 'bus',
    notes: `Serviced in week ${number % 52}; the camera at the door was replaced.`,
    disabled: number % 50 === 0,
  });
}
