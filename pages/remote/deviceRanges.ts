// What the device holds of the stretch that the page plays, for the timeline. The device is asked once: it has better to do.
import type { ApiResult } from '../../shared/api/client.ts';
import type { LoadRanges } from '../../shared/player/playback/timeline/rangeStore.ts';
import type { TimeRange } from '../../shared/player/playback/timeline/ranges.ts';

export interface DeviceRangesDeps {
  readonly channel: number;
  readonly bounds: TimeRange;
  readonly ask: (range: TimeRange) => Promise<ApiResult<readonly TimeRange[]>>;
}

/** Whatever stretch is wanted, the answer is of the page's own. A failure is asked again when it is next wanted. */
export function deviceRanges({ channel, bounds, ask }: DeviceRangesDeps): LoadRanges {
  let known: Promise<ApiResult<readonly TimeRange[]>> | undefined;
  return async () => {
    known ??= ask(bounds);
    const result = await known;
    if (!result.ok) {
      known = undefined;
      return result;
    }
    return { ...result, value: [{ channel, ranges: result.value.flatMap((range) => clipped(range, bounds)) }] };
  };
}

function clipped({ fromMs, toMs }: TimeRange, bounds: TimeRange): TimeRange[] {
  const part = { fromMs: Math.max(fromMs, bounds.fromMs), toMs: Math.min(toMs, bounds.toMs) };
  return part.fromMs < part.toMs ? [part] : [];
}
