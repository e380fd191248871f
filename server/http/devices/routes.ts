import type { FastifyInstance } from 'fastify';
import type { DeviceGroupDeps } from './deps.ts';
import { registerDeviceList } from './deviceListRoutes.ts';
import { registerDevices } from './deviceRecordRoutes.ts';
import { registerGroups } from './groupRoutes.ts';
import { registerImport } from './import/routes.ts';
import { registerCommonRecording } from './recordingRoutes.ts';
import { registerTerminals } from './terminalRoutes.ts';

/** `/api/devicegroup/*`: groups and devices, as administrators keep them. */
export async function registerDeviceGroup(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  await registerGroups(app, deps);
  await registerDeviceList(app, deps);
  await registerDevices(app, deps);
  await registerCommonRecording(app, deps);
  await registerTerminals(app, deps);
  await registerImport(app, deps);
}
