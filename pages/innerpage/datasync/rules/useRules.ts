import { syncRules } from '../../../../shared/api/sync.ts';
import { MAX_SYNC_RULES, type SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { useList } from '../../../../shared/ui/records/useList.ts';

const NONE: readonly SyncRule[] = [];

/** All rules of the member group by name. */
export function useRules(): readonly SyncRule[] {
  const list = useList({
    name: 'sync-rule-choices',
    load: syncRules.list,
    query: { place: { offset: 0 }, limit: MAX_SYNC_RULES, sort: 'name' },
    changedBy: ['syncrule'],
  });
  return list.isKnown ? list.page.rows : NONE;
}
