// What the device of a live page is now. It is asked again only while something is wrong, so that a page whose pictures run
// costs the server nothing.
import { useCallback, useEffect, useState } from 'react';
import type { ApiResult } from '../../api/client.ts';
import { type DeviceQuery, getDevice } from '../../api/devices/device.ts';
import type { DeviceInfo } from '../../protocol/api.ts';
import type { TileAbsence } from '../tile/TileOverlay.tsx';

/** A camera that is back, and a terminal that has left, are seen within this. */
const ASK_EVERY_MS = 5_000;
/** A server that has said nothing for this long can't be reached. */
const ANSWER_WITHIN_MS = 5_000;

export interface DeviceWatch {
  readonly info: DeviceInfo;
  /** Why pictures stand still; undefined where neither the device nor the server is known to be away. */
  readonly absence: TileAbsence | undefined;
  /** For the tiles: the same function from one rendering to the next. */
  readonly onStalled: (channel: number, isStalled: boolean) => void;
}

/** `isLacking`: whether the device, as last heard of, gives less than it could. */
export function useDeviceWatch(
  source: DeviceQuery,
  first: DeviceInfo,
  isLacking: (info: DeviceInfo) => boolean,
): DeviceWatch {
  const [info, setInfo] = useState(first);
  const [isReached, setReached] = useState(true);
  const [stalled, setStalled] = useState<ReadonlySet<number>>(new Set());
  const onStalled = useCallback<DeviceWatch['onStalled']>((channel, isStalled) => {
    setStalled((before) => (before.has(channel) === isStalled ? before : changed(before, channel, isStalled)));
  }, []);
  const hasStalled = stalled.size > 0;
  const isAsking = hasStalled || isLacking(info);
  useEffect(() => {
    if (!isAsking) return;
    let isOver = false;
    let call = new AbortController();
    const ask = async () => {
      // Nobody sees a page in a hidden tab, which has no pictures on purpose.
      if (document.hidden) {
        timer = setTimeout(ask, ASK_EVERY_MS);
        return;
      }
      call = new AbortController();
      const limit = setTimeout(() => call.abort(), ANSWER_WITHIN_MS);
      const answer = await getDevice(source, call.signal);
      clearTimeout(limit);
      if (isOver) return;
      setReached(isFromServer(answer));
      if (answer.ok) setInfo(answer.value);
      timer = setTimeout(ask, ASK_EVERY_MS);
    };
    let timer = setTimeout(ask, hasStalled ? 0 : ASK_EVERY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      call.abort();
      setReached(true);
    };
  }, [source, isAsking, hasStalled]);
  return { info, absence: absenceOf(info, isReached), onStalled };
}

/** A proxy in front of a server that is away answers in its place. */
function isFromServer(answer: ApiResult<unknown>): boolean {
  return answer.ok || (answer.kind === 'http' && answer.status < 500);
}

function absenceOf({ online, seenAtMs = 0 }: DeviceInfo, isReached: boolean): TileAbsence | undefined {
  if (!isReached) return { kind: 'server' };
  return online === false ? { kind: 'device', sinceMs: seenAtMs } : undefined;
}

function changed(before: ReadonlySet<number>, channel: number, isIn: boolean): ReadonlySet<number> {
  const after = new Set(before);
  if (isIn) after.add(channel);
  else after.delete(channel);
  return after;
}
