// The page's query: the tab. What it doesn't know is ignored. Pure.
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const VERSION_TABS = ['about', 'health', 'settings', 'support', 'notices'] as const;
export type VersionTab = (typeof VERSION_TABS)[number];

export function tabOfQuery(query: string): VersionTab {
  const named = new URLSearchParams(query).get('tab');
  return VERSION_TABS.find((each) => each === named) ?? VERSION_TABS[0];
}

export function queryOfTab(tab: VersionTab): string {
  return tab === VERSION_TABS[0] ? '' : queryText(new URLSearchParams({ tab }));
}
