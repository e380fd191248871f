// The positions of an event's device around the time of the event.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EventIdParams } from '../../../shared/protocol/api/events.ts';
import {
  EVENT_TRACK_POINTS,
  EVENT_TRACK_SPAN_MS,
  EventTrack,
  eventTrackPath,
} from '../../../shared/protocol/api/eventTrack.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { EventEvidence, EventEvidenceStore } from '../../store/events/eventEvidence.ts';
import type { Position, PositionStore } from '../../store/fleet/positions.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { NO_EVENT } from './eventMediaRoutes.ts';

export interface EventTrackDeps {
  readonly stores: {
    readonly eventEvidence: Pick<EventEvidenceStore, 'find'>;
    readonly positions: Pick<PositionStore, 'between'>;
  };
}

/** Two a second, which is more than terminals send. */
const MOST_POSITIONS = (2 * EVENT_TRACK_SPAN_MS * 2) / 1_000;

const config = { access: { kind: 'permissions', all: [Permission.Event] } } as const;

/** `GET /api/event/events/:id/track`. */
export function registerEventTrack(app: FastifyInstance, { stores }: EventTrackDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: "An event's device in the minutes before and after it",
    params: EventIdParams,
    response: answers(EventTrack),
  };
  routes.get(eventTrackPath(':id'), { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const found = await stores.eventEvidence.find(Number(request.params.id), memberGroup);
    if (found === undefined) return refuse(reply, NO_EVENT);
    const span = trackSpanOf(found.event);
    const positions = await stores.positions.between(found.device.deviceId, span, MOST_POSITIONS);
    return ok(thinned(positions.filter(isPlaced), EVENT_TRACK_POINTS).map(toPoint));
  });
}

/** Positions are found by the device's clock; an event of a rule may have no time by it. Pure. */
export function trackSpanOf({
  device_time_ms: deviceTimeMs,
  begin_at_ms: beginAtMs,
}: Pick<EventEvidence['event'], 'device_time_ms' | 'begin_at_ms'>) {
  const atMs = deviceTimeMs === 0 ? beginAtMs : deviceTimeMs;
  return { fromMs: atMs - EVENT_TRACK_SPAN_MS, toMs: atMs + EVENT_TRACK_SPAN_MS };
}

/** Evenly, the first and the last among them. Pure. */
export function thinned<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)]).filter((item) => item !== undefined);
}

/** A terminal that has never had a fix reports zeros. */
function isPlaced({ latitude, longitude }: Position): boolean {
  return latitude !== 0 || longitude !== 0;
}

function toPoint({ deviceTimeMs, latitude, longitude, speedKmh }: Position): EventTrack[number] {
  return { atMs: deviceTimeMs, lat: latitude, lng: longitude, speedKmh: speedKmh ?? null };
}
