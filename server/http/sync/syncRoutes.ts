// Data sync: what is fetched from devices' own storage.
import type { FastifyInstance } from 'fastify';
import { registerSyncCalendar, registerSyncDay } from './calendarRoutes.ts';
import { registerSyncAct, registerSyncFile, registerSyncItems, registerSyncRequest } from './itemRoutes.ts';
import { registerSyncRules } from './ruleRoutes.ts';
import type { SyncRoutesDeps } from './syncDeps.ts';

export async function registerSyncRoutes(app: FastifyInstance, deps: SyncRoutesDeps): Promise<void> {
  registerSyncRules(app, deps);
  registerSyncItems(app, deps);
  registerSyncAct(app, deps);
  registerSyncRequest(app, deps);
  registerSyncFile(app, deps);
  registerSyncCalendar(app, deps);
  registerSyncDay(app, deps);
}
