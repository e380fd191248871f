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
import { wallMs } from '../../../shared/protocol/time.ts';
import { CHART_FIELDS, ChartBuilder } from '../../tracks/chart/chartBuilder.ts';
import { inGatewayOrder } from '../../tracks/line/gatewayOrder.ts';
import { readLine } from '../../tracks/line/readLine.ts';
import { readUntilGone } from '../../tracks/trackReading.ts';
import type { TrackTurns } from '../../tracks/trackTurns.ts';
import { createYielder } from '../devices/import/yielder.ts';
import { answers } from '../kernel/answers.ts';
import { ok } from '../kernel/envelope.ts';
import { type AskedTrack, findTrack, inTurn, spanOf } from './trackAsked.ts';
import { SIGNED_IN, type TrackRoutesDeps } from './trackDeps.ts';

const DEFAULT_STEPS = 500;

/** `GET /api/track/line`. */
export function registerLine(app: FastifyInstance, { stores }: TrackRoutesDeps, turns: TrackTurns): void {
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
    return inTurn(reply, { turns, track }, async (query, gone) =>
      ok(await readLine(stores.positions, { query, options }, { yieldIfDue: createYielder(), gone })),
    );
  });
}

/** `GET /api/track/chart`. */
export function registerChart(app: FastifyInstance, deps: TrackRoutesDeps, turns: TrackTurns): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Speed, altitude, fuel and more of a device over time',
    querystring: TrackChartQuery,
    response: answers(TrackChart),
  };
  routes.get(TRACK_CHART_PATH, { schema, config: SIGNED_IN }, async (request, reply) => {
    const steps = Math.min(Number(request.query.steps ?? DEFAULT_STEPS), MAX_CHART_STEPS);
    const track = await findTrack(deps.stores, request, spanOf(request.query));
    return inTurn(reply, { turns, track }, async (query, gone) => ok(await readChart(deps, query, { steps, gone })));
  });
}

async function readChart(
  { stores, speedLimitOf }: TrackRoutesDeps,
  query: AskedTrack,
  { steps, gone }: { readonly steps: number; readonly gone: AbortSignal },
): Promise<TrackChart> {
  const { fromMs, toMs, device } = query;
  const builder = new ChartBuilder({ fromMs, toMs, steps });
  const yieldIfDue = createYielder();
  for await (const columns of inGatewayOrder(readUntilGone(stores.positions, gone), query, CHART_FIELDS)) {
    builder.add(columns);
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  const speedLimitKmh = speedLimitOf(device.deviceId) ?? null;
  return { fromMs: wallMs(fromMs), stepMs: builder.stepMs, speedLimitKmh, ...builder.series() };
}
