// What the map shows of the loaded tracks. Pure.

import type { TrackStop, TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import type { DrawnMark, DrawnTrack } from '../../../../shared/ui/map/tracks/tracksLayer.ts';
import type { LoadedTracks } from '../tracks/loadedTrack.ts';

export interface ShownDevice {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** The chosen device's line on top, colored by speed; the others in the colors that tell them apart. */
export function drawnTracks(
  devices: readonly ShownDevice[],
  tracks: LoadedTracks,
  chosenId: string,
): readonly DrawnTrack[] {
  const chosenLast = devices.toSorted((left, right) => Number(left.id === chosenId) - Number(right.id === chosenId));
  return chosenLast.flatMap(({ id, color }) => {
    const path = tracks.get(id)?.path;
    return path === undefined ? [] : [{ path, color: id === chosenId ? undefined : color }];
  });
}

export interface MarkLook {
  readonly colorOf: (severity: Severity) => string;
  /** Time zone of the times. */
  readonly zone: string;
}

/** The stops with their numbers in the list and their times, and above them the events that have a place. */
export function drawnMarks(summary: TrackSummary | undefined, { colorOf, zone }: MarkLook): readonly DrawnMark[] {
  if (summary === undefined) return [];
  const stops = summary.stops.map((stop, at): DrawnMark => {
    const { id, lat, lng } = stop;
    return {
      kind: 'stop',
      id,
      lat,
      lng,
      label: String(at + 1),
      caption: timesOf(stop, zone),
      color: '',
      hasPictures: false,
    };
  });
  const events = summary.events.flatMap(({ id, lat, lng, severity, hasPictures }): DrawnMark[] => {
    if (lat === null || lng === null) return [];
    return [{ kind: 'event', id, lat, lng, label: '', caption: '', color: colorOf(severity), hasPictures }];
  });
  return [...stops, ...events];
}

/** Beyond the nearest whole zoom no line needs more points. */
export function degreesPerPixelOf(zoom: number): number {
  const WORLD_PIXELS = 512;
  return 360 / (WORLD_PIXELS * 2 ** Math.ceil(zoom));
}

/** HH:mm, with the day where the stop continued into another one. */
function timesOf({ fromMs, toMs, isOpen }: TrackStop, zone: string): string {
  const minuteOf = (atMs: number) => formatTimestamp(atMs, zone).slice(5, 16);
  const [from, to] = [minuteOf(fromMs), minuteOf(toMs)];
  const begin = from.slice(6);
  if (isOpen) return `${begin} –`;
  return `${begin} – ${from.slice(0, 5) === to.slice(0, 5) ? to.slice(6) : to}`;
}
