import { Permission } from '../../../shared/protocol/permissions.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

export const commands: ReportKindDefinition = {
  kind: 'commands',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'command', type: 'code' },
    { name: 'requestedBy', type: 'text' },
    { name: 'created', type: 'time' },
    { name: 'sent', type: 'time' },
    { name: 'finished', type: 'time' },
    { name: 'orderState', type: 'code' },
    { name: 'result', type: 'count' },
  ],
  filters: ['devices', 'members'],
  chart: null,
  moment: 'created',
  permissions: [Permission.Event],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadCommands(query, sources, devices)),
};

async function loadCommands(
  { fromMs, toMs, members }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  let orders = db
    .selectFrom('device_order')
    .select(['incarnation', 'message', 'requested_by_name', 'created_at_ms', 'sent_at_ms', 'finished_at_ms'])
    .select(['state', 'result'])
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('created_at_ms', '>=', fromMs)
    .where('created_at_ms', '<', toMs);
  if (members.length > 0) orders = orders.where('requested_by', 'in', members);
  const rows = await orders.orderBy('created_at_ms').orderBy('id').execute();
  const orNone = (atMs: number): number | null => (atMs === 0 ? null : atMs);
  return inOrderOf(devices, rows, (row) => row.incarnation).map(([{ deviceId }, row]) => ({
    deviceId,
    values: [
      deviceId,
      row.message,
      row.requested_by_name,
      row.created_at_ms,
      orNone(row.sent_at_ms),
      orNone(row.finished_at_ms),
      row.state,
      row.result,
    ],
  }));
}
