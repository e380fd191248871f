// What a device has used since the reader's midnight.
import { wallClockMs } from '../../protocol/timeZones.ts';
import { hoursOfDay } from '../../time/hoursOfDay.ts';
import { type ApiResult, mapResult } from '../client.ts';
import { getNetflowUse } from './netflow.ts';

const DAY_MS = 86_400_000;
/** Usage is written each minute. */
export const USED_TODAY_EVERY_MS = 60_000;

export interface UsedTodayQuestion {
  readonly deviceId: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Bytes, with the overhead of the network. For members with `netflow`. */
export async function getUsedToday(
  { deviceId, timeZone, nowMs }: UsedTodayQuestion,
  signal?: AbortSignal,
): Promise<ApiResult<number>> {
  const day = Math.floor(wallClockMs(nowMs, timeZone) / DAY_MS);
  const span = { ...hoursOfDay(day, timeZone), step: 'hour', timeZone } as const;
  const use = await getNetflowUse({ ...span, deviceid: deviceId }, signal);
  return mapResult(use, ({ steps }) => steps.flatMap(({ kinds }) => kinds).reduce((sum, each) => sum + each, 0));
}
