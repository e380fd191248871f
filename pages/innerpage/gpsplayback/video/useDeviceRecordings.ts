import { useCallback, useState } from 'react';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import { getDeviceRecordings } from '../../../../shared/api/recordings/remotePlayback.ts';
import type { DeviceVideo } from '../../../../shared/ui/events/video/useDeviceVideo.ts';
import { mergedRanges, type TimeRange } from '../clock/ranges.ts';

interface OnDevice {
  /** Stretches that the device was asked about, in order. */
  readonly asked: readonly TimeRange[];
  readonly ranges: readonly TimeRange[];
}

const NOTHING: OnDevice = { asked: [], ranges: [] };

/** A device takes its time to look through what it has: the hour around the moment is enough. */
const HALF_HOUR_MS = 30 * 60_000;

/** What the device itself has recorded, on request: it costs the vehicle's connection. */
export function useDeviceRecordings(video: DeviceVideo, channels: readonly number[]) {
  const [onDevice, setOnDevice] = useState(NOTHING);
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
      // What it said of another moment holds on; what it says now of the same one is newer.
      setOnDevice((before) => ({
        asked: mergedRanges([...before.asked, asked]),
        ranges: mergedRanges([...before.ranges.flatMap((range) => outside(range, asked)), ...ranges]),
      }));
      setAsking(false);
    },
    [video, channels],
  );
  return { onDevice, failure, isAsking, ask };
}

/** What of a range lies before and behind another one. */
function outside({ fromMs, toMs }: TimeRange, other: TimeRange): TimeRange[] {
  return [
    { fromMs, toMs: Math.min(toMs, other.fromMs) },
    { fromMs: Math.max(fromMs, other.toMs), toMs },
  ].filter((range) => range.fromMs < range.toMs);
}
