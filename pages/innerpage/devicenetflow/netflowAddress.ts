// The page's query: the tab, the time of the chart, and the filters of the devices. What it doesn't know is ignored. Pure.
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const NETFLOW_TABS = ['usage', 'plans'] as const;
export type NetflowTab = (typeof NETFLOW_TABS)[number];

export const USE_RANGES = ['day', 'month', 'last-month', 'year'] as const;
export type UseRange = (typeof USE_RANGES)[number];

export const PLAN_FILTERS = ['none', 'within', 'near', 'over'] as const;
export type PlanFilter = (typeof PLAN_FILTERS)[number];

export interface NetflowView {
  readonly tab: NetflowTab;
  readonly range: UseRange;
  /** Serial number of a device group; '' for all. */
  readonly group: string;
  /** '' for all. */
  readonly plan: PlanFilter | '';
}

export const FIRST_NETFLOW_VIEW: NetflowView = { tab: 'usage', range: 'month', group: '', plan: '' };

export function viewOfQuery(query: string): NetflowView {
  const values = new URLSearchParams(query);
  const group = values.get('group') ?? '';
  return {
    tab: NETFLOW_TABS.find((each) => each === values.get('tab')) ?? FIRST_NETFLOW_VIEW.tab,
    range: USE_RANGES.find((each) => each === values.get('range')) ?? FIRST_NETFLOW_VIEW.range,
    group: /^[1-9]\d{0,14}$/.test(group) ? group : '',
    plan: PLAN_FILTERS.find((each) => each === values.get('plan')) ?? '',
  };
}

export function queryOfView({ tab, range, group, plan }: NetflowView): string {
  return queryText(
    new URLSearchParams({
      ...(tab !== FIRST_NETFLOW_VIEW.tab && { tab }),
      ...(range !== FIRST_NETFLOW_VIEW.range && { range }),
      ...(group !== '' && { group }),
      ...(plan !== '' && { plan }),
    }),
  );
}
