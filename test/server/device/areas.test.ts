// Geofences over TCP: put into simulated terminals of both editions, read back where these can say what they have, and taken out.
import { expect, it, onTestFinished } from 'vitest';
import { AreaSync } from '../../../server/device/areas/areaSync.ts';
import { DeviceOrders } from '../../../server/device/orders/deviceOrders.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aCircle, aCorridor, aFenceContent, aPolygon, aRectangle } from '../../support/aFence.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { waitFor } from '../../support/waitFor.ts';
import { PROFILE, startTestGateway } from './testGateway.ts';

it.each(['2013', '2019'] as const)(
  'geofences of each kind are confirmed by a terminal of %s, and can be taken out',
  async (edition) => {
    const test = await startTestGateway();
    const { stores, gateway } = test;
    const { registry } = gateway;
    const common = { registry, now: Date.now, runAfter: new ManualTimers().runAfter, onFault: noFaults };
    const onLimit = () => undefined;
    const orders = new DeviceOrders({ ...common, store: stores.deviceOrders, random: Math.random, onLimit });
    const { terminalAreas: store, fences } = stores;
    const sync = new AreaSync({ ...common, store, fences, orders });
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
    const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
    for (const shape of [aPolygon(), aCircle(), aRectangle(), aCorridor()]) {
      const content = aFenceContent({ name: '倉庫', ...shape });
      const added = await fences.insert(memberGroup, { content, by: 'ann', atMs: wallMs(1) });
      if (!added.ok) throw new Error(added.reason);
      expect(await sync.put(added.value, { deviceId, incarnation }, by)).toEqual({ ok: true });
    }
    const device = { deviceId, incarnation };
    const states = async () => (await store.ofDevice(device)).map(({ kind, state, note }) => [kind, state, note]);
    expect(await states()).toEqual(['polygon', 'circle', 'rectangle', 'corridor'].map((kind) => [kind, 'waiting', '']));

    test.start({ edition });
    const note = edition === '2019' ? '' : 'not-read-back';
    await waitFor('the areas are confirmed', states, (all) => all.every(([, state]) => state === 'confirmed'));
    expect(await states()).toEqual(
      ['polygon', 'circle', 'rectangle', 'corridor'].map((kind) => [kind, 'confirmed', note]),
    );

    const entries = await stores.fences.all();
    for (const { id } of entries) expect(await sync.remove(id, device, by)).toEqual({ ok: true });
    await waitFor('the areas are gone', states, (all) => all.length === 0);
  },
);
