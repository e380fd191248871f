// The page's query: the tab, the filters of the queue, and what the calendar shows. What it doesn't know is ignored. Pure.
import { SYNC_ITEM_STATES, type SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const SYNC_TABS = ['queue', 'rules', 'calendar'] as const;
export type SyncTab = (typeof SYNC_TABS)[number];

export interface SyncView {
  readonly tab: SyncTab;
  /** '' for all. */
  readonly state: SyncItemState | '';
  /** Number of a rule; '' for all. */
  readonly rule: string;
  /** Device filter of the queue and of the calendar; '' for none. */
  readonly device: string;
  /** `YYYY-MM`; '' for the current month. */
  readonly month: string;
  /** `YYYY-MM-DD`; '' for none. */
  readonly day: string;
}

export const FIRST_SYNC_VIEW: SyncView = { tab: 'queue', state: '', rule: '', device: '', month: '', day: '' };

export function viewOfQuery(query: string): SyncView {
  const values = new URLSearchParams(query);
  const matching = (name: string, pattern: RegExp): string => {
    const value = values.get(name) ?? '';
    return pattern.test(value) ? value : '';
  };
  return {
    tab: SYNC_TABS.find((each) => each === values.get('tab')) ?? FIRST_SYNC_VIEW.tab,
    state: SYNC_ITEM_STATES.find((each) => each === values.get('state')) ?? '',
    rule: matching('rule', /^[1-9]\d{0,14}$/),
    device: values.get('device') ?? '',
    month: matching('month', /^\d{4}-(0[1-9]|1[0-2])$/),
    day: matching('day', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  };
}

export function queryOfView({ tab, ...rest }: SyncView): string {
  const given = Object.entries(rest).filter(([, value]) => value !== '');
  return queryText(new URLSearchParams({ ...(tab !== FIRST_SYNC_VIEW.tab && { tab }), ...Object.fromEntries(given) }));
}
