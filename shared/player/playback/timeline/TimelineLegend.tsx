import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { showsFetched } from './fetchedMarks.ts';
import type { ChannelRanges } from './rangeStore.ts';
import type { TimelineView } from './timelineView.ts';

export interface TimelineLegendProps {
  readonly view: TimelineView;
  readonly channels: readonly ChannelRanges[];
}

/** What the stripes of the timeline mean, while it has any. */
export function TimelineLegend({ view, channels }: TimelineLegendProps): ReactElement | null {
  const { t } = useTranslation('Playback');
  if (!showsFetched(channels, view)) return null;
  return (
    <span className="playback-legend">
      <span className="playback-legend-sample" aria-hidden="true" />
      {t('Fetched from the device')}
    </span>
  );
}
