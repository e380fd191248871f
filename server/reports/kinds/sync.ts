import { Permission } from '../../../shared/protocol/permissions.ts';
import { SYNC_ITEM_STATES } from '../../../shared/protocol/sync/syncWords.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

/** Items that were planned before the end of the period, but for those that had ended before it. `start` and `end` are the recording's. */
export const sync: ReportKindDefinition = {
  kind: 'sync',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'channel', type: 'count' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'syncState', type: 'code' },
    { name: 'syncMethod', type: 'code' },
    { name: 'received', type: 'bytes' },
    { name: 'transferTime', type: 'duration' },
    { name: 'requestedBy', type: 'text' },
    { name: 'syncRule', type: 'text' },
    { name: 'created', type: 'time' },
    { name: 'finished', type: 'time' },
    { name: 'syncFault', type: 'code' },
  ],
  filters: ['devices'],
  chart: { by: 'device', value: 'received' },
  moment: 'start',
  permissions: [Permission.Datasync],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadItems(query, sources, devices)),
};

async function loadItems(
  { memberGroup, fromMs, toMs }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const rows = await db
    .selectFrom('sync_item')
    // Rules of other member groups are not named.
    .leftJoin('sync_rule', (join) =>
      join.onRef('sync_rule.id', '=', 'sync_item.rule').on('sync_rule.member_group', '=', memberGroup),
    )
    .selectAll('sync_item')
    .select('sync_rule.name as rule_name')
    .where('sync_item.incarnation', 'in', incarnationsOf(devices))
    .where('sync_item.created_at_ms', '<', toMs)
    .where(({ eb, or }) => or([eb('sync_item.is_ended', '=', 0), eb('sync_item.changed_at_ms', '>=', fromMs)]))
    .orderBy('sync_item.from_ms')
    .orderBy('sync_item.id')
    .execute();
  return inOrderOf(devices, rows, (row) => row.incarnation).map(([{ deviceId }, row]) => ({
    deviceId,
    values: [
      deviceId,
      row.channel,
      row.from_ms,
      row.to_ms,
      SYNC_ITEM_STATES[row.state] ?? '',
      row.method,
      row.received_bytes,
      row.transfer_ms === 0 ? null : row.transfer_ms,
      row.requested_by,
      row.rule_name ?? '',
      row.created_at_ms,
      row.is_ended === 1 ? row.changed_at_ms : null,
      row.fault,
    ],
  }));
}
