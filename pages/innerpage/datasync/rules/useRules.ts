import { listSyncRules } from '../../../../shared/api/sync.ts';
import type { SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { useList } from '../../../../shared/ui/records/useList.ts';

const NONE: readonly SyncRule[] = [];
/** As many as a list gives at once. */
const MOST = 100;

/** The rules of the member group by name. */
export function useRules(): readonly SyncRule[] {
  const list = useList({
    name: 'sync-rule-choices',
    load: listSyncRules,
    query: { place: { offset: 0 }, limit: MOST, sort: 'name' },
    changedBy: ['syncrule'],
  });
  return list.isKnown ? list.page.rows : NONE;
}
