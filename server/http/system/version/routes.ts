import type { FastifyInstance } from 'fastify';
import { type AboutRouteDeps, registerAbout } from './aboutRoute.ts';
import { type BundleRoutesDeps, registerSupportBundle } from './bundleRoute.ts';
import { type ElsewhereDeps, registerSettingsElsewhere } from './elsewhereRoutes.ts';
import { type HealthRouteDeps, registerInstallationHealth } from './healthRoute.ts';
import { type NoticesDeps, registerNotices } from './noticesRoute.ts';
import { registerServerSettings, type SettingsRoutesDeps } from './settingsRoutes.ts';

export type VersionRoutesDeps = AboutRouteDeps &
  BundleRoutesDeps &
  ElsewhereDeps &
  HealthRouteDeps &
  NoticesDeps &
  SettingsRoutesDeps;

/** `/api/version/*`: what is installed, how it fares, and what is set of it. */
export async function registerVersionRoutes(app: FastifyInstance, deps: VersionRoutesDeps): Promise<void> {
  await registerAbout(app, deps);
  await registerInstallationHealth(app, deps);
  await registerServerSettings(app, deps);
  await registerSettingsElsewhere(app, deps);
  await registerNotices(app, deps);
  await registerSupportBundle(app, deps);
}
