import type { TimeRange } from '../clock/ranges.ts';
import type { RecordedChannel } from './videoState.ts';

export interface VideoPanelProps {
  readonly deviceId: string;
  readonly isOnline: boolean;
  readonly recordings: readonly RecordedChannel[];
  /** What is exported at first. */
  readonly stretch: TimeRange;
  readonly isExporting: boolean;
  readonly onExported: () => void;
}
