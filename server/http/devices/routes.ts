import type { FastifyInstance } from 'fastify';
import { registerChanging } from '../kernel/recordChanges.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { registerDeviceList } from './deviceListRoutes.ts';
import { registerDevices } from './deviceRecordRoutes.ts';
import { type DeviceDeps, registerDevice } from './deviceRoute.ts';
import type { OrderRoutesDeps } from './driverReach.ts';
import { registerGroups } from './groupRoutes.ts';
import { registerImport } from './import/routes.ts';
import { registerOrders } from './orderRoutes.ts';
import { registerCommonRecording } from './recordingRoutes.ts';
import { registerTerminals } from './terminalRoutes.ts';

export interface DeviceRoutesDeps extends DeviceDeps, Omit<DeviceGroupDeps, 'stores'>, Omit<OrderRoutesDeps, 'stores'> {
  readonly stores: DeviceGroupDeps['stores'] & OrderRoutesDeps['stores'];
}

/** Devices as links open them, and as administrators keep them. */
export async function registerDeviceRoutes(app: FastifyInstance, deps: DeviceRoutesDeps): Promise<void> {
  await registerDevice(app, deps);
  await registerOrders(app, deps);
  await registerChanging(app, ['device', 'group'], (routes) => registerDeviceGroup(routes, deps));
}

/** `/api/devicegroup/*`: groups and devices, as administrators keep them. */
async function registerDeviceGroup(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  await registerGroups(app, deps);
  await registerDeviceList(app, deps);
  await registerDevices(app, deps);
  await registerCommonRecording(app, deps);
  await registerTerminals(app, deps);
  await registerImport(app, deps);
}
