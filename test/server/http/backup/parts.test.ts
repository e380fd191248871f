import { beforeEach, describe, expect, it } from 'vitest';
import { PART_RECORDS } from '../../../../shared/protocol/backup/partWords.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { DISPATCHER, FLEET_TIME, fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';
import { createPartsScene, failures, PARTS, type PartsScene, refusals, rowsOf } from './partsScene.ts';

/** Built-in roles, event types and reasons are there on both sides. */
const OWN_RECORDS = {
  'device-group': ['Buses', 'Buses/Line 1\\/2'],
  device: ['BUS1', 'BUS2'],
  role: [DISPATCHER],
  'member-group': ['North', 'South'],
  member: ['amy'],
  fence: ['Depot'],
  'event-type': ['Tail lift'],
  'event-reason': ['Driver called'],
  'event-rule': ['Speeding', 'Tail lift (Buses/Line 1\\/2)', 'Speeding (BUS1)'],
  template: ['Short'],
  sender: ['Mail'],
} as const;

describeOnBothEngines('parts of a backup (S-2.4.19)', (engine) => {
  it('are imported by names, and are then as in the backup', async () => {
    const scene = await createPartsScene(engine);
    await fillFleet(scene.archived);
    // What belongs to South, which the caller doesn't see, is refused.
    const first = await scene.plan();
    expect(first).toMatchObject({ state: 'ready', fault: '', rowsLeftOut: 0 });
    expect(refusals(first)).toEqual(['device-group Trucks: other-group', 'member-group South: deviceGroups unknown']);
    for (const record of PART_RECORDS) {
      const names = rowsOf(first, record).flatMap(({ name, outcome }) => (outcome === 'refused' ? [] : [name]));
      expect(names, record).toEqual(OWN_RECORDS[record].filter((name) => name !== 'South'));
    }
    const done = await scene.apply(first);
    expect(failures(done)).toEqual([]);
    const { added, changed } = first.counts;
    expect(done).toMatchObject({ state: 'done', imported: { added, changed, failed: 0 } });
    const second = await scene.plan();
    expect(second.counts).toEqual({
      ...first.counts,
      added: 0,
      changed: 0,
      unchanged: first.counts.unchanged + added + changed,
    });
    const { stores } = scene.test;
    expect(await stores.deviceRecords.find('BUS2')).toMatchObject({ groupName: 'Line 1/2', chn: 4, name: 'Bus BUS2' });
    const [fence] = await stores.fences.ofGroup(scene.north);
    const buses = (await stores.deviceTree.visible(scene.north)).find(({ name }) => name === 'Buses');
    expect(fence?.content).toMatchObject({ name: 'Depot', devices: ['BUS1'], deviceGroups: [buses?.serialno] });
  });

  it('stay as they are where somebody has changed them since the dry run', async () => {
    const scene = await createPartsScene(engine);
    await fillFleet(scene.archived);
    await scene.apply(await scene.plan(['devices']));
    const bus = (await scene.archived.deviceRecords.find('BUS1')) ?? expect.fail('no device');
    const fields = { ...bus, name: 'From the backup' };
    await scene.archived.deviceRecords.change({ deviceId: 'BUS1', version: 1, fields }, undefined, FLEET_TIME);
    const plan = await scene.plan(['devices', 'templates']);
    expect(rowsOf(plan, 'device')).toMatchObject([
      { name: 'BUS1', outcome: 'changed', changes: [{ field: 'name', from: 'Bus BUS1', to: 'From the backup' }] },
    ]);
    const now = (await scene.test.stores.deviceRecords.find('BUS1')) ?? expect.fail('no device');
    const meanwhile = { deviceId: 'BUS1', version: now.version, fields: { ...now, name: 'Meanwhile' } };
    await scene.test.stores.deviceRecords.change(meanwhile, undefined, FLEET_TIME);
    const done = await scene.apply(plan);
    expect(failures(done)).toEqual(['device BUS1: conflict']);
    expect(done.imported).toEqual({ added: 1, changed: 0, failed: 1 });
    expect((await scene.test.stores.deviceRecords.find('BUS1'))?.name).toBe('Meanwhile');
  });
});

describe('an import of parts', () => {
  let scene: PartsScene;
  beforeEach(async () => {
    scene = await createPartsScene();
    await fillFleet(scene.archived);
  });

  it('takes the permission of each part, and is seen by who began it alone', async () => {
    const { test, north, backup, ask } = scene;
    const may = ALL_PERMISSIONS.filter((permission) => permission !== Permission.Member);
    await test.addUser('other', may, [north]);
    const refused = await ask('POST', PARTS, { backup, key: '', parts: ['devices', 'members'] }, 'other');
    expect([refused.status, refused.code]).toEqual([403, 'beyond-own']);
    await test.addUser('half', [Permission.System, Permission.Fence]);
    const calls = [
      ['GET', PARTS, undefined],
      ['DELETE', PARTS, undefined],
      ['POST', PARTS, { backup, key: '', parts: ['fences'] }],
      ['POST', `${PARTS}/apply`, { id: 'any' }],
    ] as const;
    for (const [method, url, body] of calls) expect((await ask(method, url, body, 'half')).status).toBe(403);
    const { id } = await scene.plan(['fences']);
    expect((await ask('GET', PARTS, undefined, 'other')).data).toEqual({ current: null });
    const stolen = await ask('POST', `${PARTS}/apply`, { id }, 'other');
    expect([stolen.status, stolen.code]).toEqual([409, 'parts-import-outdated']);
  });

  it('goes on one at a time, and is dropped', async () => {
    const { test, backup, ask } = scene;
    let open = (): void => undefined;
    test.backups.gate.opened = new Promise((resolve) => {
      open = resolve;
    });
    const body = { backup, key: '', parts: ['fences'] };
    const { current } = (await ask('POST', PARTS, body)).data;
    expect(current).toMatchObject({ state: 'running', backup, parts: ['fences'] });
    expect((await ask('POST', PARTS, body)).code).toBe('parts-import-running');
    expect((await ask('POST', `${PARTS}/apply`, { id: current?.id })).code).toBe('parts-import-outdated');
    expect((await ask('DELETE', PARTS)).status).toBe(200);
    open();
    expect((await ask('GET', PARTS)).data).toEqual({ current: null });
    expect((await ask('POST', PARTS, { ...body, backup: 99 })).code).toBe('no-such-backup');
  });

  it('says why an archive can not be read', async () => {
    delete scene.test.backups.archived.stores;
    expect(await scene.plan()).toMatchObject({ state: 'failed', fault: 'wrong-key', rows: [] });
  });

  it('is in the audit, with an entry for each record', async () => {
    await scene.apply(await scene.plan(['templates', 'fences', 'devices']));
    const entries = await scene.test.stores.audit.list({ limit: 50 });
    const actions = entries.map(({ action }) => action);
    for (const action of ['devicegroup.add', 'device.add', 'fence.add', 'template.add'] as const) {
      expect(actions).toContain(action);
    }
    expect(entries.find(({ action }) => action === 'backup.import')).toMatchObject({
      actor: 'root',
      detail: { parts: 'templates fences devices', counts: { added: 6, changed: 0, failed: 0 } },
    });
    expect(scene.test.changed).toContain('template');
    expect(scene.test.fenceChanges).toEqual([scene.north]);
  });

  it('rejects texts to drivers of members who may send none, and leaves those that are there', async () => {
    const { test, north, archived } = scene;
    const mayNotText = ALL_PERMISSIONS.filter((permission) => permission !== Permission.DeviceText);
    await test.addUser('other', mayNotText, [north]);
    const scope = { kind: 'installation' } as const;
    const rule = (text: string) => ({ type: 'idling', scope, settings: { driverText: text }, version: 0 });
    await archived.eventRules.put(rule('Engine off'));
    const refusedRules = async (as?: string) => {
      const plan = await scene.plan(['devices', 'events'], as);
      return refusals(plan).filter((text) => text.startsWith('event-rule '));
    };
    const saysSo = ['event-rule Idling: driverText not-allowed'];
    expect(await refusedRules('other')).toEqual(saysSo);
    expect(await refusedRules()).toEqual([]);
    await test.stores.eventRules.put(rule('Stop the engine'));
    expect(await refusedRules('other')).toEqual(saysSo);
    await test.stores.eventRules.put({ ...rule('Engine off'), version: 1 });
    expect(await refusedRules('other')).toEqual([]);
  });

  it('rejects what refers to something that is neither there nor imported', async () => {
    expect(refusals(await scene.plan(['fences', 'events']))).toEqual([
      'fence Depot: deviceGroups unknown,devices unknown',
      'event-rule Tail lift (Buses/Line 1\\/2): group unknown',
      'event-rule Speeding (BUS1): deviceid unknown',
    ]);
    // The role stands in the same part, the member group North is there.
    expect(refusals(await scene.plan(['members']))).toEqual([
      'member-group North: deviceGroups unknown,deviceGroups unknown',
      'member-group South: deviceGroups unknown',
    ]);
  });

  it('adds no device beyond the license, and none whose terminal another one has', async () => {
    await scene.test.stores.settings.set('max_license', '1');
    expect(refusals(await scene.plan(['devices']))).toContain('device BUS2: licence-full');
    await scene.test.stores.settings.set('max_license', '0');
    await scene.apply(await scene.plan(['devices']));
    const bus = (await scene.test.stores.deviceRecords.find('BUS1')) ?? expect.fail('no device');
    const [one, other] = [
      { ...bus, terminal: '' },
      { ...bus, terminal: bus.terminal, name: 'Other' },
    ];
    await scene.test.stores.deviceRecords.change({ deviceId: 'BUS1', version: 1, fields: one }, undefined, FLEET_TIME);
    const second = (await scene.test.stores.deviceRecords.find('BUS2')) ?? expect.fail('no device');
    const taking = { deviceId: 'BUS2', version: second.version, fields: { ...second, terminal: other.terminal } };
    await scene.test.stores.deviceRecords.change(taking, undefined, FLEET_TIME);
    expect(refusals(await scene.plan(['devices']))).toContain('device BUS1: terminal taken');
  });
});
