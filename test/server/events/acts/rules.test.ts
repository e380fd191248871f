import { describe, expect, it } from 'vitest';
import { createEventRuleActs } from '../../../../server/events/acts/rules.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { createActScene } from './actScene.ts';

const INSTALLATION = { kind: 'installation', group: undefined, deviceId: undefined } as const;
const IDLING = { target: INSTALLATION, type: 'idling' };

describe('acts on settings of events', () => {
  it('write a change and its entry in the audit log together, and tell of it then', async () => {
    const scene = await createActScene();
    const { stores, ann, told } = scene;
    const acts = createEventRuleActs({ stores, ...scene.deps });
    const put = await acts.put(ann, 0, { ...IDLING, settings: { driverText: ' Engine off ' } });
    expect(put).toMatchObject({
      ok: true,
      value: { type: { code: 'idling' }, at: { scope: { kind: 'installation' } } },
    });
    expect(told).toEqual([['eventrule', ann.memberGroup]]);
    expect(await scene.audit()).toEqual([['eventrule.change', 'Idling', 'ann', '10.0.0.7']]);
    scene.breakAudit();
    await expect(acts.put(ann, 1, { ...IDLING, settings: {} })).rejects.toThrow('no audit');
    const settings = { driverText: 'Engine off' };
    expect(await stores.eventRules.all()).toMatchObject([{ type: 'idling', settings, version: 1 }]);
    expect(told).toHaveLength(1);
  });

  it('refuse texts to drivers of a member who may send none, and what the member does not reach', async () => {
    const { stores, ann, told, deps } = await createActScene();
    const acts = createEventRuleActs({ stores, ...deps });
    const mute = { ...ann, permissions: ALL_PERMISSIONS.filter((each) => each !== Permission.DeviceText) };
    const refused = await acts.put(mute, 0, { ...IDLING, settings: { driverText: 'Engine off' } });
    expect(refused).toEqual({ ok: false, reason: { kind: 'fields', fields: { driverText: 'not-allowed' } } });
    const south = await stores.memberGroups.insert({ name: 'South' });
    const trucks = await stores.deviceGroups.insert('Trucks');
    await stores.memberGroups.setDeviceGroups(south, [trucks]);
    await stores.devices.insert({ deviceId: 'TRUCK1', name: 'TRUCK1', chn: 4, deviceGroup: trucks });
    const content = { type: 'idling', settings: { popUp: true } };
    const group = { kind: 'group', group: trucks, deviceId: undefined } as const;
    expect(await acts.put(ann, 0, { ...content, target: group })).toMatchObject({ reason: { kind: 'no-group' } });
    const device = { kind: 'device', group: undefined, deviceId: 'TRUCK1' } as const;
    expect(await acts.put(ann, 0, { ...content, target: device })).toMatchObject({ reason: { kind: 'no-device' } });
    const conflict = await acts.put(ann, 4, { ...content, target: INSTALLATION });
    expect(conflict).toMatchObject({ ok: false, reason: { kind: 'conflict', current: { type: { code: 'idling' } } } });
    expect(told).toEqual([]);
  });
});
