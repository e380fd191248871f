import { useEffect, useEffectEvent, useMemo } from 'react';
import { getTrackLine, getTrackSummary } from '../../../../shared/api/tracks.ts';
import { trackPath } from '../../../../shared/ui/map/tracks/trackPath.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useFetched } from '../../../../shared/ui/sync/useFetched.ts';
import type { TimeRange } from '../clock/ranges.ts';
import type { LoadedTrack } from './loadedTrack.ts';

export interface TrackLoaderProps {
  readonly deviceId: string;
  readonly span: TimeRange;
  /** What of the span is looked at. */
  readonly zoomed: TimeRange;
  readonly degreesPerPixel: number;
  /** Undefined when the device is no longer shown. */
  readonly onLoaded: (deviceId: string, track: LoadedTrack | undefined) => void;
}

/** Sees to the line and the summary of one device; shows nothing by itself. */
export function TrackLoader({ deviceId, span, zoomed, degreesPerPixel, onLoaded }: TrackLoaderProps) {
  const { fromMs: from, toMs: to } = zoomed;
  const line = useRecord({
    key: ['track-line', deviceId, from, to, degreesPerPixel],
    load: (signal) => getTrackLine({ deviceid: deviceId, from, to, degreesPerPixel }, signal),
    // While the map is zoomed the coarser line stays until the finer one is there.
    keepsOther: true,
  });
  const summary = useRecord({
    key: ['track-summary', deviceId, span.fromMs, span.toMs],
    load: (signal) => getTrackSummary({ deviceid: deviceId, from: span.fromMs, to: span.toMs }, signal),
  });
  // It says what is recorded too.
  useFetched(summary.reload);
  const path = useMemo(() => line.value && trackPath(line.value), [line.value]);
  const failure = line.failure ?? summary.failure;
  const track = useMemo<LoadedTrack>(
    () => ({
      path,
      positions: line.value?.positions ?? 0,
      isCoarse: line.value?.isCoarse ?? false,
      summary: summary.value,
      failure,
    }),
    [path, line.value, summary.value, failure],
  );
  const tell = useEffectEvent(onLoaded);
  useEffect(() => tell(deviceId, track), [deviceId, track]);
  useEffect(() => () => tell(deviceId, undefined), [deviceId]);
  return null;
}
