// What sends commands to terminals, for the app of a test.
import { AreaSync } from '../../../server/device/areas/areaSync.ts';
import { AlarmLimitSync } from '../../../server/device/limits/alarmLimitSync.ts';
import { DeviceOrders } from '../../../server/device/orders/deviceOrders.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';

/** No terminal is ever there: what is sent to one is tested with the device side. */
export async function startOrders(stores: Stores, now: () => number) {
  const registry = new DeviceRegistry(now);
  const orders = new DeviceOrders({
    store: stores.deviceOrders,
    registry,
    now,
    runAfter: () => () => {},
    random: Math.random,
    onFault: noFaults,
    onLimit: () => undefined,
  });
  const alarmLimits = new AlarmLimitSync({ store: stores.alarmLimits, orders, registry, now, onFault: noFaults });
  await alarmLimits.start();
  const areaSync = new AreaSync({
    store: stores.terminalAreas,
    fences: stores.fences,
    orders,
    registry,
    now,
    onFault: noFaults,
  });
  await areaSync.start();
  await orders.start();
  return { orders, alarmLimits, areaSync };
}
