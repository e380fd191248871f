import type { FastifyInstance } from 'fastify';
import { TrackTurns } from '../../tracks/trackTurns.ts';
import { registerTrackExport } from './exportRoute.ts';
import { registerChart, registerLine } from './lineRoutes.ts';
import { registerPoints } from './pointsRoute.ts';
import { registerSummary } from './summaryRoute.ts';
import type { TrackRoutesDeps } from './trackDeps.ts';

/** Where devices were. */
export async function registerTrackRoutes(app: FastifyInstance, deps: TrackRoutesDeps): Promise<void> {
  const turns = new TrackTurns(deps);
  registerLine(app, deps, turns);
  registerChart(app, deps, turns);
  registerPoints(app, deps, turns);
  registerSummary(app, deps, turns);
  registerTrackExport(app, deps);
}
