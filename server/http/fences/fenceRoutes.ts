// Areas of a member group.
import type { FastifyInstance } from 'fastify';
import { registerChanging } from '../kernel/recordChanges.ts';
import { registerFenceExport } from './export/exportRoute.ts';
import type { FenceDeps } from './fenceDeps.ts';
import { registerFences } from './fenceListRoutes.ts';
import { registerFenceImport } from './import/importRoutes.ts';
import { registerShownFences } from './shownRoute.ts';
import { registerTerminalAreas } from './terminalAreaRoutes.ts';

export async function registerFenceRoutes(app: FastifyInstance, deps: FenceDeps): Promise<void> {
  registerFences(app, deps);
  await registerChanging(app, ['fence'], async (routes) => registerTerminalAreas(routes, deps));
  await registerFenceImport(app, deps);
  registerFenceExport(app, deps);
  registerShownFences(app, deps);
}
