// The line of a track, and its chart.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  MAX_CHART_STEPS,
  MAX_LINE_POINTS,
  TRACK_CHART_PATH,
  TRACK_LINE_PATH,
  TrackChart,
  TrackChartQuery,
  TrackLine,
  TrackLineQuery,
} from '../../../shared/protocol/api/tracks/track.ts';
import type { TrackTurns } from '../../tracks/trackTurns.ts';
import { answers } from '../kernel/answers.ts';
import { ok } from '../kernel/envelope.ts';
import { findTrack, inTurn, spanOf } from './trackAsked.ts';
import { SIGNED_IN, type TrackRoutesDeps } from './trackDeps.ts';

const DEFAULT_STEPS = 500;

/** `GET /api/track/line`. */
export function registerLine(app: FastifyInstance, { stores, trackReader }: TrackRoutesDeps, turns: TrackTurns): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Where a device was: a line that is no more than a pixel off',
    querystring: TrackLineQuery,
    response: answers(TrackLine),
  };
  routes.get(TRACK_LINE_PATH, { schema, config: SIGNED_IN }, async (request, reply) => {
    const { degreesPerPixel = '0', most = String(MAX_LINE_POINTS) } = request.query;
    const options = { tolerance: Number(degreesPerPixel), most: Math.min(Number(most), MAX_LINE_POINTS) };
    const track = await findTrack(stores, request, spanOf(request.query));
    return inTurn(reply, { turns, track }, async (query, gone) => ok(await trackReader.line(query, options, gone)));
  });
}

/** `GET /api/track/chart`. */
export function registerChart(app: FastifyInstance, deps: TrackRoutesDeps, turns: TrackTurns): void {
  const { stores, trackReader, speedLimitOf } = deps;
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Speed, altitude, fuel and more of a device over time',
    querystring: TrackChartQuery,
    response: answers(TrackChart),
  };
  routes.get(TRACK_CHART_PATH, { schema, config: SIGNED_IN }, async (request, reply) => {
    const steps = Math.min(Number(request.query.steps ?? DEFAULT_STEPS), MAX_CHART_STEPS);
    const track = await findTrack(stores, request, spanOf(request.query));
    return inTurn(reply, { turns, track }, async (query, gone) => {
      const series = await trackReader.chart(query, steps, gone);
      return ok({ ...series, speedLimitKmh: speedLimitOf(query.device.deviceId) ?? null });
    });
  });
}
