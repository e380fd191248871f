// Where the recordings of a device are: by month and by day.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  SYNC_CALENDAR_PATH,
  SYNC_DAY_PATH,
  SyncCalendar,
  SyncCalendarQuery,
  SyncDay,
  SyncDayQuery,
} from '../../../shared/protocol/api/sync/sync.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { dayNumber, dayStarts, isTimeZone, startOfDay } from '../../../shared/protocol/timeZones.ts';
import type { SyncReachDevice } from '../../store/sync/syncItemPages.ts';
import { hasEndedState } from '../../sync/plan/endedStates.ts';
import { lengthsOf, type PlaceSpan, placesOf, recordedTime } from '../../sync/plan/places.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { MAY_SYNC as config, type SyncRoutesDeps } from './syncDeps.ts';

const DAY_MS = 86_400_000;

/** `GET /api/datasync/calendar`. */
export function registerSyncCalendar(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Where the recordings of a device are, day by day of a month',
    querystring: SyncCalendarQuery,
    response: answers(SyncCalendar),
  };
  routes.get(SYNC_CALENDAR_PATH, { schema, config }, async (request, reply) => {
    const { deviceid, month, timeZone } = request.query;
    const window = isTimeZone(timeZone) ? monthOf(month, timeZone) : undefined;
    if (window === undefined) return refuse(reply, refusedFields({ month: 'out-of-range' }));
    const device = await deviceOf(deps, request, deviceid);
    if (device === undefined) return refuse(reply, Refused.device);
    const channels = await channelPlaces(deps, device, window);
    const starts = dayStarts(window.fromMs, window.toMs, timeZone);
    const days = starts.slice(0, -1).flatMap((fromMs, at) => {
      const day = { fromMs, toMs: starts[at + 1] ?? window.toMs };
      const own = [...channels].map(([channel, spans]) => ({ channel, places: lengthsOf(spans, day) }));
      const some = own.filter(({ places }) => places.some((ms) => ms > 0));
      return some.length === 0 ? [] : [{ day: dayText(fromMs, timeZone), channels: some }];
    });
    const listedAtMs = wallMs(await deps.stores.listedRecordings.listedAtMs(device.incarnation));
    return ok({ listedAtMs, days });
  });
}

/** `GET /api/datasync/day`. */
export function registerSyncDay(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Where the recordings of a device of one day are',
    querystring: SyncDayQuery,
    response: answers(SyncDay),
  };
  routes.get(SYNC_DAY_PATH, { schema, config }, async (request, reply) => {
    const { deviceid, day, timeZone } = request.query;
    const window = isTimeZone(timeZone) ? dayOf(day, timeZone) : undefined;
    if (window === undefined) return refuse(reply, refusedFields({ day: 'out-of-range' }));
    const device = await deviceOf(deps, request, deviceid);
    if (device === undefined) return refuse(reply, Refused.device);
    const channels = await channelPlaces(deps, device, window);
    return ok(
      [...channels].map(([channel, spans]) => ({
        channel,
        spans: spans.map(({ fromMs, toMs, place }) => {
          return { fromMs: wallMs(Math.round(fromMs)), toMs: wallMs(Math.round(toMs)), place };
        }),
      })),
    );
  });
}

function deviceOf({ stores }: SyncRoutesDeps, request: FastifyRequest, deviceId: string) {
  return stores.syncItemPages.device(deviceId, scopeOf(callerOf(request)).memberGroup);
}

/** Each camera, and each channel that something was recorded of. */
async function channelPlaces(
  { stores, sync, now }: SyncRoutesDeps,
  device: SyncReachDevice,
  window: TimeRange,
): Promise<Map<number, readonly PlaceSpan[]>> {
  const cameras = sync.channelsOf(device);
  const past = recordedTime(window, {
    ...device,
    firstMs: await stores.segments.firstMs(device.archiveId),
    nowMs: now(),
  });
  const [files, here, taken, due] = await Promise.all([
    sync.sources.files(device, window),
    sync.sources.here(device, window),
    stores.syncItems.taken(device.incarnation, window),
    past === undefined ? new Map<number, readonly TimeRange[]>() : sync.sources.due(device, cameras, past),
  ]);
  const open = taken.filter(({ state }) => !hasEndedState(state));
  const numbers = new Set([...cameras, ...here.keys(), ...files.map(({ channel }) => channel)]);
  return new Map(
    [...numbers]
      .sort((left, right) => left - right)
      .map((channel) => [
        channel,
        placesOf({
          window,
          files: files.filter((file) => file.channel === channel),
          here: here.get(channel) ?? [],
          open: open.filter((item) => item.channel === channel),
          should: due.get(channel) ?? [],
        }),
      ]),
  );
}

/** `YYYY-MM`; undefined for a month that there is not. */
function monthOf(month: string, timeZone: string): TimeRange | undefined {
  const [year = 0, number = 0] = month.split('-').map(Number);
  if (year < 1970 || number < 1 || number > 12) return undefined;
  const [first, next] = [Date.UTC(year, number - 1), Date.UTC(year, number)];
  return { fromMs: startOfDay(first / DAY_MS, timeZone), toMs: startOfDay(next / DAY_MS, timeZone) };
}

function dayOf(day: string, timeZone: string): TimeRange | undefined {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(atMs) || atMs < 0) return undefined;
  return { fromMs: startOfDay(atMs / DAY_MS, timeZone), toMs: startOfDay(atMs / DAY_MS + 1, timeZone) };
}

function dayText(atMs: number, timeZone: string): string {
  const number = dayNumber(atMs, timeZone);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${Math.floor(number / 10_000)}-${two(Math.floor(number / 100) % 100)}-${two(number % 100)}`;
}
