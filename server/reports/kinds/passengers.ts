import type { ReportKindDefinition } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

/** Passengers as counted by the terminal. */
export const passengers: ReportKindDefinition = {
  kind: 'passengers',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'boarded', type: 'count' },
    { name: 'alighted', type: 'count' },
  ],
  filters: ['devices'],
  chart: { by: 'device', value: 'boarded' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: ({ fromMs, toMs, ...query }, { db }) =>
    byDevices(query, async (devices) => {
      const rows = await db
        .selectFrom('passenger_count')
        .selectAll()
        .where('incarnation', 'in', incarnationsOf(devices))
        .where('from_ms', '>=', fromMs)
        .where('from_ms', '<', toMs)
        .orderBy('incarnation')
        .orderBy('from_ms')
        .execute();
      return inOrderOf(devices, rows, (row) => row.incarnation).map(([{ deviceId }, row]) => ({
        deviceId,
        values: [deviceId, row.from_ms, row.to_ms, row.boarded, row.alighted],
      }));
    }),
};
