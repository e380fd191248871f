import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useSettled } from '../../../shared/ui/records/useSettled.ts';
import type { ClockCourse } from './clock/clockState.ts';
import type { TimeRange } from './clock/ranges.ts';
import { useClock } from './clock/useClock.ts';
import { useClockInAddress } from './clock/useClockInAddress.ts';
import type { StepTargets } from './controls/trackCommands.ts';
import { degreesPerPixelOf, type ShownDevice } from './map/mapContent.ts';
import { viewWith, zoomedTo } from './slider/sliderScale.ts';
import { courseOf, type LoadedTrack } from './tracks/loadedTrack.ts';
import { useLoadedTracks } from './tracks/useLoadedTracks.ts';
import { Vehicles } from './tracks/vehicles.ts';
import type { PlaybackView } from './view/playbackAddress.ts';

/** Streets can be distinguished at this zoom; the map reports its own zoom once it has fitted the line. */
const FIRST_ZOOM = 12;
const SETTLE_MS = 300;

export interface PlaybackDataOptions {
  readonly devices: readonly ShownDevice[];
  readonly view: PlaybackView;
  readonly span: TimeRange;
}

/** What the parts of the page share: the tracks, the clock's course along them, and what of the time is looked at. */
export function usePlaybackData({ devices, view, span }: PlaybackDataOptions) {
  const [tracks, onLoaded] = useLoadedTracks();
  const [zoom, setZoom] = useState(FIRST_ZOOM);
  const [vehicles] = useState(() => new Vehicles());
  const degreesPerPixel = degreesPerPixelOf(useSettled(zoom, SETTLE_MS));
  useEffect(() => () => vehicles.close(), [vehicles]);
  // Before the map draws its vehicles.
  useLayoutEffect(
    () => vehicles.setDrawn(new Map(devices.map(({ id }) => [id, tracks.get(id)?.path] as const))),
    [vehicles, devices, tracks],
  );
  const chosen: LoadedTrack | undefined = tracks.get(view.chosenId);
  const course = useCourse(devices, tracks, span);
  useClockInAddress({ course, atMs: view.atMs, firstMs: chosen?.path?.atMs[0] });
  const summary = chosen?.summary;
  const targets = useMemo<StepTargets>(
    () => ({ summary, pointFrom: (atMs, direction) => vehicles.stepFrom(view.chosenId, atMs, direction) }),
    [summary, vehicles, view.chosenId],
  );
  return { tracks, onLoaded, vehicles, degreesPerPixel, setZoom, chosen, targets, ...useZoomedTime(span) };
}

function useCourse(
  devices: readonly ShownDevice[],
  tracks: ReturnType<typeof useLoadedTracks>[0],
  span: TimeRange,
): ClockCourse {
  return useMemo(
    () =>
      courseOf(
        span,
        devices.map(({ id }) => tracks.get(id)?.summary),
      ),
    [span, devices, tracks],
  );
}

/** What of the span is looked at; all of it at first, and a zoomed stretch goes along with the clock. */
function useZoomedTime(span: TimeRange) {
  const clock = useClock();
  const [zoomed, setZoomed] = useState({ span, range: span });
  if (zoomed.span !== span) setZoomed({ span, range: span });
  const range = zoomed.span === span ? zoomed.range : span;
  useEffect(
    () =>
      clock.draw((atMs) =>
        setZoomed((before) => {
          const next = viewWith(before.span, before.range, atMs);
          return next === before.range ? before : { ...before, range: next };
        }),
      ),
    [clock],
  );
  const zoomTime = useCallback((next: TimeRange) => setZoomed({ span, range: zoomedTo(span, next) }), [span]);
  return { zoomed: range, zoomTime };
}
