import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Stores } from '../../store/stores.ts';
import { type HealthDeps, registerHealth } from './healthRoutes.ts';
import { type LocalesDeps, registerLocales } from './localesRoutes.ts';
import { registerMetrics } from './metrics.ts';
import type { ServerInfoReader } from './serverInfo.ts';
import { registerServerInfo } from './serverRoute.ts';
import { registerVersionRoutes, type VersionRoutesDeps } from './version/routes.ts';

export interface SystemRoutesDeps
  extends HealthDeps,
    Omit<LocalesDeps, 'missingTranslations'>,
    Omit<VersionRoutesDeps, 'stores'> {
  readonly stores: Pick<Stores, 'missingTranslations'> & VersionRoutesDeps['stores'];
  readonly metrics: Registry;
  readonly serverInfo: ServerInfoReader;
}

/** Metrics, health, what the installation says of itself, its page Version, and the texts of its pages. */
export async function registerSystemRoutes(app: FastifyInstance, deps: SystemRoutesDeps): Promise<void> {
  await registerMetrics(app, deps.metrics);
  await registerHealth(app, deps);
  await registerServerInfo(app, deps.serverInfo);
  await registerLocales(app, { ...deps, ...deps.stores });
  await registerVersionRoutes(app, deps);
}
