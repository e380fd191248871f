// The page's query: the tab, or the report whose result is shown. What it doesn't know is ignored. Pure.
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const REPORT_TABS = ['reports', 'schedules'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

export interface ReportView {
  readonly tab: ReportTab;
  /** Number of the report that is open. */
  readonly job: number | undefined;
}

export const FIRST_REPORT_VIEW: ReportView = { tab: 'reports', job: undefined };

export function viewOfQuery(query: string): ReportView {
  const values = new URLSearchParams(query);
  const job = values.get('job') ?? '';
  return {
    tab: REPORT_TABS.find((each) => each === values.get('tab')) ?? FIRST_REPORT_VIEW.tab,
    job: /^[1-9]\d{0,14}$/.test(job) ? Number(job) : undefined,
  };
}

export function queryOfView({ tab, job }: ReportView): string {
  return queryText(
    new URLSearchParams({
      ...(tab !== FIRST_REPORT_VIEW.tab && { tab }),
      ...(job !== undefined && { job: String(job) }),
    }),
  );
}
