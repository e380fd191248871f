import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { eventMoment, stopMoment, tripMoment } from './listedMoments.tsx';
import type { ListedMoment } from './MomentList.tsx';

export interface ListedMoments {
  readonly trips: readonly ListedMoment[];
  readonly stops: readonly ListedMoment[];
  readonly events: readonly ListedMoment[];
}

/** What the summary says, in the reader's words. */
export function useListedMoments(summary: TrackSummary | undefined): ListedMoments {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const names = useEventNames();
  return useMemo(() => {
    const texts = {
      zone,
      underWay: t('under way'),
      odometerDiffers: t('odometer differs'),
      withPictures: t('with pictures'),
      upTo: (speed: number) => t('up to {{speed}} km/h', { speed }),
      engineOn: (duration: string) => t('engine on for {{duration}}', { duration }),
    };
    return {
      trips: summary?.trips.map((trip) => tripMoment(trip, texts)) ?? [],
      stops: summary?.stops.map((stop, at) => stopMoment(stop, at, texts)) ?? [],
      events: summary?.events.map((event) => eventMoment(event, names, texts)) ?? [],
    };
  }, [summary, names, t, zone]);
}
