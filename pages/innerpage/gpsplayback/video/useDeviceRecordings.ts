import { useCallback, useState } from 'react';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import { getDeviceRecordings } from '../../../../shared/api/recordings/remotePlayback.ts';
import type { DeviceVideo } from '../../../../shared/ui/events/video/useDeviceVideo.ts';
import { mergedRanges, type TimeRange } from '../clock/ranges.ts';

export interface OnDevice {
  readonly asked: TimeRange;
  readonly ranges: readonly TimeRange[];
}

/** A device takes its time to look through what it has: the hour around the moment is enough. */
const HALF_HOUR_MS = 30 * 60_000;

/** What the device itself has recorded, on request: it costs the vehicle's connection. */
export function useDeviceRecordings(video: DeviceVideo, channels: readonly number[]) {
  const [onDevice, setOnDevice] = useState<OnDevice>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [isAsking, setAsking] = useState(false);
  const ask = useCallback(
    async (atMs: number) => {
      setAsking(true);
      setFailure(undefined);
      const asked = { fromMs: Math.floor(atMs - HALF_HOUR_MS), toMs: Math.floor(atMs + HALF_HOUR_MS) };
      const ranges: TimeRange[] = [];
      // One channel after the other: a device answers one question at a time.
      for (const channel of channels) {
        const result = await getDeviceRecordings({ ...video.source, channel }, asked);
        if (result.ok) ranges.push(...result.value);
        else {
          setFailure(result);
          setAsking(false);
          return;
        }
      }
      setOnDevice({ asked, ranges: mergedRanges(ranges) });
      setAsking(false);
    },
    [video, channels],
  );
  return { onDevice, failure, isAsking, ask };
}
