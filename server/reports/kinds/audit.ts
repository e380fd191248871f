import { Permission } from '../../../shared/protocol/permissions.ts';
import type { ReportKindDefinition, ReportQuery, ReportSources } from '../reportKind.ts';

const ROWS_AT_ONCE = 1_000;

/** What the audit log shows a member with `system`. */
export const audit: ReportKindDefinition = {
  kind: 'audit',
  columns: [
    { name: 'at', type: 'time' },
    { name: 'member', type: 'text' },
    { name: 'action', type: 'code' },
    { name: 'target', type: 'text' },
    { name: 'address', type: 'text' },
  ],
  filters: ['members'],
  chart: null,
  moment: '',
  permissions: [Permission.System, Permission.Audit],
  needsDevices: false,
  run: async function* (query, sources) {
    const { fromMs, toMs } = query;
    let after = { atMs: fromMs, id: 0 };
    for (;;) {
      const rows = await loadEntries(query, sources, after);
      const last = rows.at(-1);
      const progress = last === undefined ? 1 : (last.at_ms - fromMs) / Math.max(1, toMs - fromMs);
      yield {
        rows: rows.map((row) => ({
          deviceId: '',
          values: [row.at_ms, row.actor, row.action, row.target, row.address],
        })),
        progress: Math.min(1, progress),
      };
      if (last === undefined || rows.length < ROWS_AT_ONCE) return;
      after = { atMs: last.at_ms, id: last.id };
    }
  },
};

function loadEntries(
  { toMs, members }: ReportQuery,
  { db }: ReportSources,
  after: { readonly atMs: number; readonly id: number },
) {
  let entries = db
    .selectFrom('audit')
    .select(['id', 'at_ms', 'actor', 'action', 'target', 'address'])
    .where(({ eb, and, or }) =>
      or([eb('at_ms', '>', after.atMs), and([eb('at_ms', '=', after.atMs), eb('id', '>', after.id)])]),
    )
    .where('at_ms', '<', toMs);
  if (members.length > 0) {
    const names = db.selectFrom('app_user').select('username').where('id', 'in', members);
    entries = entries.where('actor', 'in', names);
  }
  return entries.orderBy('at_ms').orderBy('id').limit(ROWS_AT_ONCE).execute();
}
