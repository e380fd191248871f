// The page's query: the tab. What it doesn't know is ignored. Pure.
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const BACKUP_TABS = ['backups', 'plan'] as const;
export type BackupTab = (typeof BACKUP_TABS)[number];

export function tabOfQuery(query: string): BackupTab {
  const named = new URLSearchParams(query).get('tab');
  return BACKUP_TABS.find((each) => each === named) ?? BACKUP_TABS[0];
}

export function queryOfTab(tab: BackupTab): string {
  return tab === BACKUP_TABS[0] ? '' : queryText(new URLSearchParams({ tab }));
}
