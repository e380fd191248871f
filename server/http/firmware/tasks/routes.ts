// Firmware tasks of a member group.
import type { FastifyInstance } from 'fastify';
import { registerChanging } from '../../kernel/recordChanges.ts';
import { registerAct } from './actRoute.ts';
import { registerTaskDevices } from './deviceRoutes.ts';
import { registerRestart } from './restartRoute.ts';
import type { FirmwareTaskDeps } from './taskDeps.ts';
import { registerTasks } from './taskRoutes.ts';

export async function registerFirmwareTaskRoutes(app: FastifyInstance, deps: FirmwareTaskDeps): Promise<void> {
  await registerChanging(app, ['firmwaretask'], async (routes) => {
    registerTasks(routes, deps);
    registerAct(routes, deps);
    registerTaskDevices(routes, deps);
    registerRestart(routes, deps);
  });
}
