// Alarm limits over TCP: set in a simulated terminal that keeps its parameters, and read back.
import { expect, it, onTestFinished } from 'vitest';
import { AlarmLimitSync } from '../../../server/device/limits/alarmLimitSync.ts';
import { DeviceOrders } from '../../../server/device/orders/deviceOrders.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { waitFor } from '../../support/waitFor.ts';
import { PROFILE, startTestGateway } from './testGateway.ts';

it('alarm limits wait for the terminal, and are confirmed by what it says that it has', async () => {
  const test = await startTestGateway();
  const { stores, gateway } = test;
  const { registry } = gateway;
  const common = { registry, now: Date.now, runAfter: new ManualTimers().runAfter, onFault: noFaults };
  const onLimit = () => undefined;
  const orders = new DeviceOrders({ ...common, store: stores.deviceOrders, random: Math.random, onLimit });
  const sync = new AlarmLimitSync({ ...common, store: stores.alarmLimits, orders });
  onTestFinished(async () => {
    sync.close();
    await orders.close();
    await test.close();
  });
  await test.addDevice();
  await sync.start();
  await orders.start();
  const { deviceId } = PROFILE;
  const { incarnation = 0 } = (await stores.devices.findByDeviceId(deviceId)) ?? {};
  const by = { id: 1, username: 'ann', address: '192.0.2.1' };
  const limits = { maxSpeedKmh: 80, maskedAlarms: 0x8000_0001, parkedSeconds: 3_600 };
  expect(await sync.change({ deviceId, incarnation }, { limits, version: 0, by })).toMatchObject({
    ok: true,
    after: limits,
  });
  expect(await sync.known(deviceId)).toMatchObject({ state: 'waiting' });

  test.start();
  const confirmed = await waitFor(
    'the limits are confirmed',
    () => sync.known(deviceId),
    (known) => known?.state !== 'waiting' && known?.state !== 'sent',
  );
  expect(confirmed).toMatchObject({ state: 'confirmed', wanted: limits });
  expect(confirmed?.reported).toMatchObject(limits);
});
