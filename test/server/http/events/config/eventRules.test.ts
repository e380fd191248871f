import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RuleGroups, RuleScopeQuery } from '../../../../../shared/protocol/api/eventConfig.ts';
import { BUILT_IN_CODES } from '../../../../../shared/protocol/events/builtInTypes.ts';
import type { EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import type { Refused } from '../eventDefineScene.ts';
import { createEventConfigScene, type EventConfigScene } from './eventConfigScene.ts';

const INSTALLATION: RuleScopeQuery = { scope: 'installation' };
const BUS: RuleScopeQuery = { scope: 'device', deviceid: 'BUS1' };
const SPEEDING = { type: 'speeding', version: 0 };

let scene: EventConfigScene;
beforeEach(async () => {
  scene = await createEventConfigScene();
});
afterEach(() => scene.test.close());

const group = (id: number): RuleScopeQuery => ({ scope: 'group', group: String(id) });
const fromDefault = { kind: 'default', name: '', group: 0 };

describe('rows', () => {
  it('hold every type by category, with the defaults where nothing is set', async () => {
    const { status, data } = await scene.rows(INSTALLATION);
    expect(status).toBe(200);
    expect(data.map(({ type }) => type)).toEqual(BUILT_IN_CODES);
    expect(data.find(({ type }) => type === 'speeding')).toMatchObject({
      category: 'safety',
      hasRule: true,
      isReported: true,
      version: 0,
      own: {},
      values: { enabled: true, severity: 'major', threshold: 100, schedule: [], mergeSeconds: 60 },
      inherited: { threshold: 100 },
      origins: { threshold: fromDefault, enabled: fromDefault },
    });
    expect(data.find(({ type }) => type === 'offline')).toMatchObject({ hasRule: true, isReported: false });
    expect(data.find(({ type }) => type === 'emergency')).toMatchObject({ hasRule: false, isReported: true });
  });

  it('of groups and devices leave out what the gateway has of itself', async () => {
    const { data } = await scene.rows(BUS);
    const left = BUILT_IN_CODES.filter((code) => !data.some(({ type }) => type === code));
    expect(left).toEqual([
      'gateway-started',
      'disk-full',
      'disk-missing',
      'disk-failing',
      'unknown-terminal',
      'sender-failing',
      'firmware-task-stopped',
      'license-expiring',
      'license-expired',
      'port-closed',
      'certificate-expiring',
      'server-disk-problem',
      'database-too-large',
      'processing-delayed',
      'server-overloaded',
      'backup-problem',
    ]);
  });

  it('say where each value comes from, down to the device', async () => {
    const { buses, nightBuses } = scene.groups;
    await scene.put({ ...SPEEDING, ...INSTALLATION, settings: { threshold: 90, clearThreshold: 80, popUp: true } });
    await scene.put({ ...SPEEDING, ...group(buses), settings: { threshold: 85, severity: 'minor' } });
    await scene.put({ ...SPEEDING, ...group(nightBuses), settings: { mergeSeconds: 0 } });
    await scene.put({ ...SPEEDING, ...BUS, settings: { threshold: 82 } });
    expect(await scene.rowOf('speeding', BUS)).toMatchObject({
      version: 1,
      own: { threshold: 82 },
      values: { threshold: 82, clearThreshold: 80, popUp: true, severity: 'minor', mergeSeconds: 0, eventsAnHour: 30 },
      inherited: { threshold: 85, severity: 'minor' },
      origins: {
        threshold: { kind: 'device', name: '', group: 0 },
        clearThreshold: { kind: 'installation', name: '', group: 0 },
        severity: { kind: 'group', name: 'Buses', group: buses },
        mergeSeconds: { kind: 'group', name: 'Night', group: nightBuses },
        eventsAnHour: fromDefault,
      },
    });
    const other = { scope: 'device', deviceid: 'LONE' } as const;
    expect(await scene.rowOf('speeding', other)).toMatchObject({ values: { threshold: 90, severity: 'major' } });
  });

  it('of a device whose upper group belongs to others follow it without naming it', async () => {
    const { buses, trucks } = scene.groups;
    const { stores } = scene.test;
    const { version } = (await stores.deviceTree.visible(undefined)).find(({ serialno }) => serialno === trucks) ?? {
      version: 1,
    };
    await stores.deviceTree.change({ serialno: trucks, version }, { name: 'Trucks', parent: buses, among: [] });
    await scene.put({ ...SPEEDING, ...group(buses), settings: { threshold: 110 } });
    const row = await scene.rowOf('speeding', { scope: 'device', deviceid: 'TRUCK1' }, 'south');
    expect(row.values.threshold).toBe(110);
    expect(row.origins.threshold).toEqual({ kind: 'group', name: '', group: 0 });
  });
});

describe('groups', () => {
  it('are those that the caller sees, beneath those that the caller sees', async () => {
    const { buses, nightBuses } = scene.groups;
    const north = await scene.ask<RuleGroups>('GET', '/api/eventconfig/groups');
    expect(north.data).toEqual([
      { id: buses, name: 'Buses', parent: null },
      { id: nightBuses, name: 'Night', parent: buses },
    ]);
    const south = await scene.ask<RuleGroups>('GET', '/api/eventconfig/groups', undefined, 'south');
    expect(south.data).toEqual([{ id: scene.groups.trucks, name: 'Trucks', parent: null }]);
  });
});

describe('a change', () => {
  it('is kept, told to the pages and to the events, and audited with its place', async () => {
    const settings = { threshold: 96, driverText: ' Slow down ', recordChannels: [2, 1] };
    const kept = { threshold: 96, driverText: 'Slow down', recordChannels: [1, 2] };
    const answer = await scene.put({ ...SPEEDING, ...group(scene.groups.nightBuses), settings });
    expect(answer).toMatchObject({ status: 200, data: { type: 'speeding', version: 1, own: kept } });
    expect(await scene.rowOf('speeding', group(scene.groups.nightBuses))).toEqual(answer.data);
    expect(scene.test.changed).toEqual(['eventrule']);
    const [entry] = await scene.test.stores.audit.list({ limit: 1 });
    expect(entry).toMatchObject({
      actor: 'north',
      action: 'eventrule.change',
      target: 'Speeding',
      detail: { group: 'Buses/Night' },
      after: kept,
    });
  });

  it('replaces what was set before; without settings all is inherited again', async () => {
    await scene.put({ ...SPEEDING, ...BUS, settings: { threshold: 97, popUp: true } });
    const second = await scene.put({ ...SPEEDING, ...BUS, version: 1, settings: { threshold: 96 } });
    expect(second.data).toMatchObject({ version: 2, own: { threshold: 96 }, values: { popUp: false } });
    const third = await scene.put({ ...SPEEDING, ...BUS, version: 2, settings: {} });
    expect(third.data).toMatchObject({ version: 0, own: {}, values: { threshold: 100 } });
    expect(await scene.test.stores.eventRules.all()).toEqual([]);
    const entries = await scene.test.stores.audit.list({ limit: 9 });
    expect(entries.filter(({ action }) => action === 'eventrule.change')).toMatchObject([
      { before: { threshold: 96 }, detail: { deviceid: 'BUS1' } },
      { before: { threshold: 97, popUp: true }, after: { threshold: 96 } },
      { after: { threshold: 97, popUp: true } },
    ]);
  });

  it('to a text to drivers takes the permission for texts; leaving it, and taking it away, takes none', async () => {
    const refusal = { status: 422, code: 'bad-fields', data: { fields: { driverText: 'not-allowed' } } };
    const asMute = (version: number, settings: EventRuleSettings, place: RuleScopeQuery = INSTALLATION) =>
      scene.put<unknown>({ ...SPEEDING, ...place, version, settings }, 'mute');
    expect(await asMute(0, { driverText: 'Stop' })).toMatchObject(refusal);
    await scene.put({ ...SPEEDING, ...INSTALLATION, settings: { driverText: 'Slow down' } });
    expect(await asMute(1, { driverText: 'Stop' })).toMatchObject(refusal);
    expect(await asMute(1, { driverText: ' Slow down ', popUp: true })).toMatchObject({ status: 200 });
    // It would be said at this device even when the installation says it no more.
    expect(await asMute(0, { driverText: 'Slow down' }, BUS)).toMatchObject(refusal);
    expect(await asMute(0, { driverText: '' }, BUS)).toMatchObject({ status: 200 });
    expect(await asMute(2, {})).toMatchObject({ status: 200 });
    expect((await scene.rowOf('speeding', INSTALLATION)).values.driverText).toBe('');
  });

  it('of what somebody else has changed is refused, with what it is now', async () => {
    await scene.put({ ...SPEEDING, ...BUS, settings: { threshold: 97 } });
    const late = await scene.put<Refused>({ ...SPEEDING, ...BUS, settings: { threshold: 98 } });
    expect(late).toMatchObject({
      status: 409,
      code: 'conflict',
      data: { current: { type: 'speeding', version: 1, own: { threshold: 97 } } },
    });
    expect(scene.test.changed).toHaveLength(1);
  });

  it.each([
    ['beyond its bounds', 'speeding', { threshold: 5_000 }, { threshold: 'out-of-range', clearThreshold: undefined }],
    ['above the inherited threshold', 'speeding', { clearThreshold: 101 }, { clearThreshold: 'out-of-range' }],
    ['of another rule', 'emergency', { threshold: 50 }, { threshold: 'not-allowed' }],
    ['without its hours', 'forbidden-hours', { popUp: true }, { schedule: 'required' }],
  ])('%s is refused field by field', async (_, type, settings, fields) => {
    const answer = await scene.put<Refused>({ ...INSTALLATION, type, version: 0, settings });
    expect(answer).toMatchObject({ status: 422, code: 'bad-fields' });
    expect(answer.data.fields).toEqual(JSON.parse(JSON.stringify(fields)));
    expect(await scene.test.stores.eventRules.all()).toEqual([]);
  });

  it.each<[string, RuleScopeQuery & { readonly type?: string }, number, string]>([
    ['a device of others', { scope: 'device', deviceid: 'TRUCK1' }, 404, 'no-such-device'],
    ['a device that is not there', { scope: 'device', deviceid: 'BUS9' }, 404, 'no-such-device'],
    ['no device', { scope: 'device' }, 422, 'bad-fields'],
    ['no group', { scope: 'group' }, 422, 'bad-fields'],
    ['what is no group', { scope: 'group', group: 'Buses' }, 404, 'no-such-devicegroup'],
    ['an unknown type', { scope: 'installation', type: 'speedy' }, 404, 'no-such-event-type'],
    ['the gateway at a device', { ...BUS, type: 'disk-full' }, 404, 'no-such-event-type'],
  ])('of %s is refused', async (_, place, status, code) => {
    const answer = await scene.put({ ...SPEEDING, settings: { popUp: true }, ...place });
    expect(answer).toMatchObject({ status, code });
  });

  it('of a group of others is refused, as is reading it', async () => {
    const foreign = group(scene.groups.trucks);
    const refusal = { status: 404, code: 'no-such-devicegroup' };
    expect(await scene.put({ ...SPEEDING, ...foreign, settings: { popUp: true } })).toMatchObject(refusal);
    expect(await scene.rows(foreign)).toMatchObject(refusal);
    expect((await scene.rows(foreign, 'south')).status).toBe(200);
  });

  it('is for those who may configure events', async () => {
    expect(await scene.put({ ...SPEEDING, ...BUS, settings: {} }, 'lister')).toMatchObject({ status: 403 });
    expect((await scene.rows(BUS, '')).status).toBe(401);
  });

  it('is refused beyond the limit of all', async () => {
    vi.spyOn(scene.test.stores.eventRules, 'put').mockResolvedValue({ ok: false, reason: 'too-many' });
    const answer = await scene.put({ ...SPEEDING, ...BUS, settings: { popUp: true } });
    expect(answer).toMatchObject({ status: 409, code: 'too-many-rules' });
  });
});
