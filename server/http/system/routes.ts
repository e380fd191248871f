import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Stores } from '../../store/stores.ts';
import { type HealthDeps, registerHealth } from './healthRoutes.ts';
import { type LocalesDeps, registerLocales } from './localesRoutes.ts';
import { registerMetrics } from './metrics.ts';
import type { ServerInfoReader } from './serverInfo.ts';
import { registerServerInfo } from './serverRoute.ts';
import { type AboutRouteDeps, registerAbout } from './version/aboutRoute.ts';

export interface SystemRoutesDeps extends HealthDeps, AboutRouteDeps, Omit<LocalesDeps, 'missingTranslations'> {
  readonly stores: Pick<Stores, 'missingTranslations'>;
  readonly metrics: Registry;
  readonly serverInfo: ServerInfoReader;
}

/** Metrics, health, what the installation says of itself, and the texts of its pages. */
export async function registerSystemRoutes(app: FastifyInstance, deps: SystemRoutesDeps): Promise<void> {
  await registerMetrics(app, deps.metrics);
  await registerHealth(app, deps);
  await registerServerInfo(app, deps.serverInfo);
  await registerAbout(app, deps);
  await registerLocales(app, { ...deps, ...deps.stores });
}
