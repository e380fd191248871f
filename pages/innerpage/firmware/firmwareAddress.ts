// The page's query: the tab, or the task that is shown. What it doesn't know is ignored. Pure.
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const FIRMWARE_TABS = ['tasks', 'images', 'models', 'versions'] as const;
export type FirmwareTab = (typeof FIRMWARE_TABS)[number];

export interface FirmwareView {
  readonly tab: FirmwareTab;
  /** Number of the task that is open. */
  readonly task: number | undefined;
}

const FIRST_TAB: FirmwareTab = 'tasks';

export function viewOfQuery(query: string): FirmwareView {
  const values = new URLSearchParams(query);
  const task = values.get('task') ?? '';
  return {
    tab: FIRMWARE_TABS.find((each) => each === values.get('tab')) ?? FIRST_TAB,
    task: /^[1-9]\d{0,14}$/.test(task) ? Number(task) : undefined,
  };
}

export function queryOfView({ tab, task }: FirmwareView): string {
  return queryText(
    new URLSearchParams({
      ...(tab !== FIRST_TAB && { tab }),
      ...(task !== undefined && { task: String(task) }),
    }),
  );
}
