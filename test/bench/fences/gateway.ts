// What geofences cost the whole gateway, with terminals that drive: connections, decoding, storing and events, without and with them in turns.
import type { Stores } from '../../../server/store/stores.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { benchTerminals, type TerminalsOptions } from '../terminals/row.ts';
import { GEOFENCES, geofenceContent } from './geofences.ts';

const REPETITIONS = 3;
const CPU = 'CPU s/s';
/** Each has been heard of twice: where it is when it is first heard of isn't news, but is written. */
const WARM_UP_SECONDS = 20;

export async function benchGateway(options: TerminalsOptions): Promise<Record<string, readonly Row[]>> {
  const rows: Row[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    for (const count of [0, GEOFENCES]) {
      options.onProgress(`with ${count} geofences`);
      const [row] = await benchTerminals({
        ...options,
        areDriving: true,
        warmUpSeconds: WARM_UP_SECONDS,
        prepare: (stores) => addGeofences(stores, count),
      });
      if (row !== undefined) rows.push({ geofences: count, ...row });
    }
  }
  return { 'geofences in the gateway': rows, 'CPU with geofences to CPU without': [ratioOf(rows)] };
}

async function addGeofences({ memberGroups, deviceGroups, fences }: Stores, count: number): Promise<number> {
  const deviceGroup = await deviceGroups.insert('All');
  const memberGroup = await memberGroups.insert({ name: 'All' });
  await memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const added = Array.from({ length: count }, (_, at) => geofenceContent(at));
  const isDone = await fences.importMany(memberGroup, { added, changed: [] }, { username: 'bench', atMs: Date.now() });
  if (!isDone) throw new Error('the geofences were not taken');
  return deviceGroup;
}

function ratioOf(rows: readonly Row[]): Row {
  const cpu = (count: number): number =>
    median(rows.flatMap((row) => (row.geofences === count ? [Number(row[CPU])] : [])));
  return { without: cpu(0), with: cpu(GEOFENCES), ratio: rounded(cpu(GEOFENCES) / cpu(0), 2) };
}
