import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { StoredArea } from '../../../../server/store/fences/terminalAreas.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { FenceContent } from '../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aCircle, aCorridor, aFenceContent } from '../../../support/aFence.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
const FIRST = { at: 'offset', offset: 0 } as const;

describeOnBothEngines('geofences in the database', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let depot: number;
  let elsewhere: number;
  let deviceGroup: number;
  const bus = { deviceId: 'BUS1', incarnation: 0 };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    deviceGroup = await stores.deviceGroups.insert('North');
    depot = await stores.memberGroups.insert({ name: 'Depot' });
    elsewhere = await stores.memberGroups.insert({ name: 'Elsewhere' });
    await stores.memberGroups.setDeviceGroups(depot, [deviceGroup]);
    bus.incarnation = (
      await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup })
    ).incarnation;
  });
  afterEach(async () => {
    for (const table of ['terminal_area', 'fence', 'device_order'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    await database.db.updateTable('device').set({ device_group: deviceGroup, disabled: 0 }).execute();
  });
  afterAll(() => database.close());

  const change = (content: Partial<FenceContent> = {}, by = 'Ann') => {
    return { content: aFenceContent(content), by, atMs: NOW_MS };
  };
  const add = async (content: Partial<FenceContent> = {}, memberGroup = depot) => {
    const added = await stores.fences.insert(memberGroup, change(content));
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };
  const namesOf = (fences: readonly { readonly content: FenceContent }[]) => fences.map(({ content }) => content.name);

  it('are kept as they were sent, and seen by their member group alone', async () => {
    const fence = await add(aCorridor(30));
    expect(await stores.fences.find(fence.id, depot)).toEqual({
      id: fence.id,
      memberGroup: depot,
      version: 1,
      content: aFenceContent(aCorridor(30)),
      changedAtMs: NOW_MS,
      changedBy: 'Ann',
    });
    expect(await stores.fences.find(fence.id, elsewhere)).toBeUndefined();
    expect(await stores.fences.findAnywhere(fence.id)).toEqual(fence);
    expect(await stores.fences.ofGroup(elsewhere)).toEqual([]);
    expect(await stores.fences.all()).toEqual([fence]);
  });

  it('are listed by name and by change, by kind and by a part of the name', async () => {
    await add({ name: 'beta', ...aCircle() });
    await add({ name: 'Alpha' });
    await add({ name: 'Gamma_1' });
    await add({ name: 'Theirs' }, elsewhere);
    const query = { sort: 'name', descending: false, limit: 10, position: FIRST } as const;
    const page = async (more: object) => {
      const found = await stores.fences.page({ ...query, memberGroup: depot, search: '', kind: undefined, ...more });
      return namesOf(found?.rows ?? []);
    };
    expect(await page({})).toEqual(['Alpha', 'beta', 'Gamma_1']);
    expect(await page({ sort: 'changedAtMs' })).toEqual(['beta', 'Alpha', 'Gamma_1']);
    expect(await page({ search: 'BET' })).toEqual(['beta']);
    expect(await page({ search: '_' })).toEqual(['Gamma_1']);
    expect(await page({ kind: 'circle' })).toEqual(['beta']);
    const first = await stores.fences.page({ ...query, limit: 2, memberGroup: depot, search: '', kind: undefined });
    const position = { at: 'after', values: first?.next ?? [] } as const;
    expect(await page({ position })).toEqual(['Gamma_1']);
  });

  it('two changes on one version are a conflict, of another group they are of nothing', async () => {
    const { id } = await add({ name: 'Before' });
    const named = { id, memberGroup: depot, version: 1 };
    expect(await stores.fences.update(named, change({ name: 'After' }, 'Bob'))).toMatchObject({
      ok: true,
      value: { before: { content: { name: 'Before' } }, after: { version: 2, changedBy: 'Bob' } },
    });
    expect(await stores.fences.update(named, change())).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.fences.remove(named)).toEqual({ ok: false, reason: 'conflict' });
    const foreign = { ...named, memberGroup: elsewhere, version: 2 };
    expect(await stores.fences.update(foreign, change())).toEqual({ ok: false, reason: 'gone' });
    expect(await stores.fences.remove(foreign)).toEqual({ ok: false, reason: 'gone' });
    expect(await stores.fences.remove({ ...named, version: 2 })).toMatchObject({ ok: true });
    expect(await stores.fences.all()).toEqual([]);
  });

  it('a number is never given twice', async () => {
    const { id } = await add();
    await stores.fences.remove({ id, memberGroup: depot, version: 1 });
    expect((await add()).id).toBeGreaterThan(id);
  });

  it('are imported all or not at all', async () => {
    const { id } = await add({ name: 'Known' });
    const by = { username: 'Ann', atMs: NOW_MS };
    const changed = { id, version: 1, content: aFenceContent({ name: 'Known', ...aCircle() }) };
    const added = Array.from({ length: 250 }, (_, at) => aFenceContent({ name: `New ${at}` }));
    expect(await stores.fences.importMany(depot, { added, changed: [{ ...changed, version: 7 }] }, by)).toBe(false);
    expect(await stores.fences.importMany(elsewhere, { added, changed: [changed] }, by)).toBe(false);
    expect(await stores.fences.all()).toHaveLength(1);
    expect(await stores.fences.importMany(depot, { added, changed: [changed] }, by)).toBe(true);
    expect(await stores.fences.countsOf(depot)).toEqual({ fences: 251, vertices: 250 * 5 + 1 });
    expect(await stores.fences.find(id, depot)).toMatchObject({ version: 2, content: { kind: 'circle' } });
    const many = Array.from({ length: 5_000 }, () => aFenceContent());
    expect(await stores.fences.importMany(depot, { added: many, changed: [] }, by)).toBe(false);
    expect(await stores.fences.countsOf(depot)).toMatchObject({ fences: 251 });
  });

  it('go with their member group', async () => {
    const closed = await stores.memberGroups.insert({ name: 'Closed' });
    await add({}, closed);
    await database.db.deleteFrom('member_group').where('serialno', '=', closed).execute();
    expect(await stores.fences.all()).toEqual([]);
  });

  it('name devices of the member group that are not disabled', async () => {
    const { fenceReach } = stores;
    expect(await fenceReach.deviceGroups(depot)).toEqual([deviceGroup]);
    expect(await fenceReach.devices(depot)).toEqual([{ ...bus, name: 'Bus 1', plate: '' }]);
    expect(await fenceReach.devices(depot, [])).toEqual([]);
    expect(await fenceReach.devices(depot, ['BUS1', 'NOBODY'])).toHaveLength(1);
    expect(await fenceReach.devices(elsewhere, ['BUS1'])).toEqual([]);
    await database.db.updateTable('device').set({ disabled: 1 }).execute();
    expect(await fenceReach.devices(depot)).toEqual([]);
  });

  const anArea = (fence: number, more: Partial<StoredArea> = {}): StoredArea => ({
    fence,
    device: bus,
    kind: 'polygon',
    isWanted: true,
    fenceVersion: 1,
    state: 'waiting',
    note: '',
    orderId: 41,
    changedAtMs: wallMs(NOW_MS),
    ...more,
  });

  it('what terminals have of them is kept by device, and changed only by its latest order', async () => {
    const { terminalAreas } = stores;
    await terminalAreas.put(anArea(5));
    await terminalAreas.put(anArea(5, { orderId: 42, note: 'simplified' }));
    expect(await terminalAreas.ofFence(5)).toEqual([anArea(5, { orderId: 42, note: 'simplified' })]);
    await terminalAreas.setState(anArea(5), { state: 'refused', note: '', atMs: NOW_MS });
    await terminalAreas.remove(anArea(5));
    expect(await terminalAreas.findByOrder(42)).toMatchObject({ state: 'waiting' });
    expect(await terminalAreas.findByOrder(41)).toBeUndefined();
    await terminalAreas.setState(anArea(5, { orderId: 42 }), { state: 'sent', note: 'no-answer', atMs: NOW_MS + 1 });
    expect(await terminalAreas.find(5, bus)).toMatchObject({
      state: 'sent',
      note: 'no-answer',
      changedAtMs: NOW_MS + 1,
    });
    expect(await terminalAreas.unconfirmed()).toEqual(['BUS1']);
    expect(await terminalAreas.ofDevice({ ...bus, incarnation: bus.incarnation + 1 })).toEqual([]);
    await terminalAreas.remove(anArea(5, { orderId: 42 }));
    expect(await terminalAreas.ofDevice(bus)).toEqual([]);
  });

  it('what a former device had is none of the present one', async () => {
    const { terminalAreas } = stores;
    await terminalAreas.put(anArea(5, { device: { ...bus, incarnation: bus.incarnation + 1 } }));
    expect(await terminalAreas.ofFence(5)).toEqual([]);
    await terminalAreas.put(anArea(5));
    await database.db
      .updateTable('terminal_area')
      .set({ incarnation: bus.incarnation + 1 })
      .execute();
    await terminalAreas.forgetFormer();
    expect(await terminalAreas.ofFence(5)).toEqual([]);
  });

  it('those whose geofence is gone, or whose device has left the member group, are found', async () => {
    const { terminalAreas } = stores;
    const { id } = await add();
    await terminalAreas.put(anArea(id));
    await terminalAreas.put(anArea(id + 1_000));
    await terminalAreas.put(anArea(id + 1_001, { isWanted: false }));
    const strays = async () => (await terminalAreas.strays(10)).map(({ fence }) => fence);
    expect(await strays()).toEqual([id + 1_000]);
    await database.db.updateTable('device').set({ device_group: null }).execute();
    expect(await strays()).toEqual([id, id + 1_000]);
  });

  it('those that wait though their order has ended are found, with its end', async () => {
    const { terminalAreas, deviceOrders } = stores;
    const order = {
      token: 'a',
      incarnation: bus.incarnation,
      message: 'setPolygon',
      body: '{}',
      requestedBy: undefined,
      reason: 'device.areas',
      reference: 5,
      expiresAtMs: wallMs(NOW_MS + 1),
    };
    const entry = { actor: '', action: 'device.autocommand', target: 'BUS1' } as const;
    const orderId = (await deviceOrders.add(order, () => entry, wallMs(NOW_MS))) ?? 0;
    await terminalAreas.put(anArea(5, { orderId }));
    expect(await terminalAreas.waitingWithoutOrder()).toEqual([]);
    await terminalAreas.put(anArea(6, { orderId: orderId + 100, state: 'removing' }));
    await database.db
      .updateTable('device_order')
      .set({ state: 'refused', result: 1, finished_at_ms: NOW_MS })
      .execute();
    expect(await terminalAreas.waitingWithoutOrder()).toEqual(
      expect.arrayContaining([
        { orderId, state: 'refused', result: 1 },
        { orderId: orderId + 100, state: undefined, result: undefined },
      ]),
    );
  });
});
