import Box from '@mui/material/Box';
import type { TrackEvent, TrackStop, Trip } from '../../../../shared/protocol/api/tracks/track.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { distanceText, durationText, placeText } from './durationText.ts';
import type { ListedMoment } from './MomentList.tsx';

/** The words of the lists, in the reader's language, and the zone of their times. */
export interface ListTexts {
  readonly zone: string;
  readonly underWay: string;
  readonly odometerDiffers: string;
  readonly withPictures: string;
  readonly upTo: (speed: number) => string;
  readonly engineOn: (duration: string) => string;
}

/** HH:mm:ss, with the day where it is another than that of the beginning. */
function endText(fromMs: number, toMs: number, zone: string): string {
  const [from, to] = [formatTimestamp(fromMs, zone), formatTimestamp(toMs, zone)];
  return from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
}

export function tripMoment(trip: Trip, { zone, underWay, odometerDiffers, upTo }: ListTexts): ListedMoment {
  const { id, fromMs, toMs, isOpen, metres, maxSpeedKmh } = trip;
  const end = isOpen ? underWay : endText(fromMs, toMs, zone);
  const from = placeText(trip.fromPlace, trip.fromLat, trip.fromLng);
  const to = placeText(trip.toPlace, trip.toLat, trip.toLng);
  return {
    key: id,
    atMs: fromMs,
    toMs,
    head: `${formatTimestamp(fromMs, zone)} – ${end}`,
    details: [
      trip.odometerDiffers ? `${distanceText(metres)} (${odometerDiffers})` : distanceText(metres),
      durationText(toMs - fromMs),
      upTo(Math.round(maxSpeedKmh)),
      ...(trip.driver === '' ? [] : [trip.driver]),
    ].join(' · '),
    place: `${from} → ${to}`,
  };
}

export function stopMoment(stop: TrackStop, at: number, { zone, underWay, engineOn }: ListTexts): ListedMoment {
  const { id, fromMs, toMs, isOpen, idleMs, lat, lng, place } = stop;
  const end = isOpen ? underWay : endText(fromMs, toMs, zone);
  const idle = idleMs > 0 ? [engineOn(durationText(idleMs))] : [];
  return {
    key: id,
    atMs: fromMs,
    toMs,
    head: `${at + 1}. ${formatTimestamp(fromMs, zone)} – ${end}`,
    details: [durationText(toMs - fromMs), placeText(place, lat, lng), ...idle].join(' · '),
  };
}

export function eventMoment(event: TrackEvent, names: EventNames, { zone, withPictures }: ListTexts): ListedMoment {
  const { id, beginAtMs, endAtMs, hasPictures, type } = event;
  const lasted = endAtMs > beginAtMs ? [durationText(endAtMs - beginAtMs)] : [];
  return {
    key: id,
    atMs: beginAtMs,
    toMs: undefined,
    head: (
      <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
        <EventIcon type={names.typeOf(type)} />
        {names.nameOf(type)}
      </Box>
    ),
    details: [formatTimestamp(beginAtMs, zone), ...lasted, ...(hasPictures ? [withPictures] : [])].join(' · '),
  };
}
