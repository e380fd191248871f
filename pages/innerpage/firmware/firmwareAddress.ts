// The page's query: the tab, the task, or the version whose devices are shown. What it doesn't know is ignored. Pure.
import type { FirmwareVersions } from '../../../shared/protocol/api/firmware/images.ts';
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const FIRMWARE_TABS = ['tasks', 'images', 'models', 'versions'] as const;
export type FirmwareTab = (typeof FIRMWARE_TABS)[number];

/** Each '' where terminals have said nothing. */
export type InstalledVersion = Pick<FirmwareVersions[number], 'manufacturer' | 'model' | 'firmwareVersion'>;

export interface FirmwareView {
  readonly tab: FirmwareTab;
  /** Number of the task that is open. */
  readonly task: number | undefined;
  /** On the tab of versions: the version whose devices are listed. */
  readonly installed: InstalledVersion | undefined;
}

const FIRST_TAB: FirmwareTab = 'tasks';

export function viewOfQuery(query: string): FirmwareView {
  const values = new URLSearchParams(query);
  const task = values.get('task') ?? '';
  const tab = FIRMWARE_TABS.find((each) => each === values.get('tab')) ?? FIRST_TAB;
  return {
    tab,
    installed: tab === 'versions' ? installedOf(values) : undefined,
    task: /^[1-9]\d{0,14}$/.test(task) ? Number(task) : undefined,
  };
}

function installedOf(values: URLSearchParams): InstalledVersion | undefined {
  const firmwareVersion = values.get('version');
  if (firmwareVersion === null) return undefined;
  return { manufacturer: values.get('manufacturer') ?? '', model: values.get('model') ?? '', firmwareVersion };
}

export function queryOfView({ tab, task, installed }: FirmwareView): string {
  return queryText(
    new URLSearchParams({
      ...(tab !== FIRST_TAB && { tab }),
      ...(task !== undefined && { task: String(task) }),
      ...(tab === 'versions' &&
        installed !== undefined && {
          ...(installed.manufacturer !== '' && { manufacturer: installed.manufacturer }),
          ...(installed.model !== '' && { model: installed.model }),
          version: installed.firmwareVersion,
        }),
    }),
  );
}
