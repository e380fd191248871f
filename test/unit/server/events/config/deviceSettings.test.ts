import { beforeEach, describe, expect, it } from 'vitest';
import type { PreparedRule } from '../../../../../server/events/rules/rule.ts';
import type { StoredEventRule } from '../../../../../server/store/events/rules/eventRules.ts';
import { RULE_CODES } from '../../../../../shared/protocol/events/ruleSettings.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';
import { INSTALLATION, inGroup, ofDevice, ruledDevice, SettingsScene } from './settingsScene.ts';

const BUS = { deviceId: 'BUS1' };
const NIGHT = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_320, toMinute: 300 }];

let scene: SettingsScene;

beforeEach(() => {
  scene = new SettingsScene();
  scene.devices = [ruledDevice('BUS1', { deviceGroup: 3 })];
  scene.parents = new Map([
    [1, undefined],
    [2, 1],
    [3, 2],
  ]);
});

const codesOf = (rules: readonly PreparedRule[]): string[] => rules.map(({ code }) => code);
const speedingOf = (deviceId: string): PreparedRule | undefined =>
  scene.settings.rulesOf({ deviceId }).find(({ code }) => code === 'speeding');

describe('settings of a device', () => {
  it('are those of its types where nothing is configured', async () => {
    await scene.settings.reload();
    expect(scene.settings.settingsOf(BUS, 'emergency')).toEqual({
      severity: 'critical',
      mergeMs: 60_000,
      eventsAnHour: 30,
      rule: 0,
    });
    expect(scene.settings.settingsOf(undefined, 'disk-full')).toMatchObject({ severity: 'critical' });
    expect(scene.settings.settingsOf(BUS, 'no-such-type')).toBeUndefined();
  });

  it.each([
    ['the installation', INSTALLATION],
    ['a group far above', inGroup(1)],
    ['its own group', inGroup(3)],
    ['the device', ofDevice('BUS1')],
  ])('are inherited from %s', async (_, scope) => {
    const rule = scene.set(scope, 'speeding', { threshold: 70, severity: 'critical', mergeSeconds: 5 });
    await scene.settings.reload();
    expect(scene.settings.settingsOf(BUS, 'speeding')).toMatchObject({ severity: 'critical', mergeMs: 5_000, rule });
    expect(speedingOf('BUS1')?.threshold).toBe(70);
  });

  it('are those of the nearest place, field by field, whatever the order of the rules is', async () => {
    scene.set(ofDevice('BUS1'), 'speeding', { threshold: 50 });
    scene.set(inGroup(3), 'speeding', { threshold: 60, durationSeconds: 3, driverText: 'Slow down' });
    scene.set(inGroup(1), 'speeding', { durationSeconds: 4, severity: 'info', clearThreshold: 40 });
    scene.set(INSTALLATION, 'speeding', { severity: 'minor', eventsAnHour: 7 });
    await scene.settings.reload();
    expect(speedingOf('BUS1')).toMatchObject({ threshold: 50, clearThreshold: 40, durationMs: 3_000 });
    expect(scene.settings.settingsOf(BUS, 'speeding')).toMatchObject({ severity: 'info', eventsAnHour: 7, rule: 1 });
    expect(scene.settings.actionsOf(BUS, 'speeding')?.driverText).toBe('Slow down');
  });

  it('are not those of another device, or of a group beside it', async () => {
    scene.parents.set(4, 1);
    scene.set(inGroup(4), 'speeding', { threshold: 60 });
    scene.set(ofDevice('BUS2'), 'speeding', { threshold: 50 });
    await scene.settings.reload();
    expect(speedingOf('BUS1')?.threshold).toBe(100);
  });

  it('of one that is not known yet are those of the installation', async () => {
    scene.set(INSTALLATION, 'speeding', { threshold: 80 });
    await scene.settings.reload();
    expect(scene.settings.knows('BUS9')).toBe(false);
    expect(speedingOf('BUS9')?.threshold).toBe(80);
  });

  it('turn a type off: nothing is raised, and nothing is done', async () => {
    scene.set(inGroup(2), 'speeding', { enabled: false });
    await scene.settings.reload();
    expect(scene.settings.settingsOf(BUS, 'speeding')).toBeUndefined();
    expect(scene.settings.actionsOf(BUS, 'speeding')).toBeUndefined();
    expect(speedingOf('BUS1')).toBeUndefined();
    expect(scene.settings.settingsOf(undefined, 'speeding')).toBeDefined();
  });

  it('follow a device into another group', async () => {
    scene.set(inGroup(1), 'speeding', { threshold: 60 });
    await scene.settings.reload();
    scene.devices = [ruledDevice('BUS1')];
    await scene.settings.reload();
    expect(speedingOf('BUS1')?.threshold).toBe(100);
  });
});

describe('rules of a device', () => {
  it('are on at first where every fleet has a use for them, and where they have what they need', async () => {
    await scene.settings.reload();
    const off = ['no-driver-card', 'offline', 'ignition-on', 'ignition-off', 'forbidden-hours', 'cabin-temperature'];
    const codes = codesOf(scene.settings.rulesOf(BUS));
    expect([...codes].sort()).toEqual(RULE_CODES.filter((code) => !off.includes(code)).sort());
  });

  it('need hours, where hours are what they are about', async () => {
    scene.set(INSTALLATION, 'forbidden-hours', { schedule: NIGHT });
    scene.set(INSTALLATION, 'cabin-temperature', { enabled: true, threshold: 30 });
    await scene.settings.reload();
    expect(codesOf(scene.settings.rulesOf(BUS))).toEqual(
      expect.arrayContaining(['forbidden-hours', 'cabin-temperature']),
    );
  });

  it('are one list for all devices with the same settings and time zone', async () => {
    scene.devices = [
      ruledDevice('BUS1', { deviceGroup: 3 }),
      ruledDevice('BUS2', { deviceGroup: 1 }),
      ruledDevice('BUS3'),
      ruledDevice('BUS4', { timeZone: 'Asia/Taipei' }),
      ruledDevice('BUS5'),
    ];
    scene.set(ofDevice('BUS5'), 'speeding', { threshold: 50 });
    await scene.settings.reload();
    const of = (deviceId: string) => scene.settings.rulesOf({ deviceId });
    expect(of('BUS2')).toBe(of('BUS1'));
    expect(of('BUS3')).toBe(of('BUS1'));
    expect(of('BUS4')).not.toBe(of('BUS1'));
    expect(of('BUS5')).not.toBe(of('BUS1'));
    // Three, and that of devices that are not known.
    expect(scene.settings.sharedCount).toBe(4);
  });

  it('are the same list after a reload that changes none of them, and another one after one that does', async () => {
    await scene.settings.reload();
    const before = scene.settings.rulesOf(BUS);
    scene.set(INSTALLATION, 'speeding', { driverText: 'Slow down', severity: 'critical' });
    await scene.settings.reload();
    expect(scene.settings.rulesOf(BUS)).toBe(before);
    scene.set(INSTALLATION, 'idling', { durationSeconds: 900 });
    await scene.settings.reload();
    const after = scene.settings.rulesOf(BUS);
    expect(after).not.toBe(before);
    expect(after.filter((rule) => !before.includes(rule)).map(({ code }) => code)).toEqual(['idling']);
  });
});

describe('reloading', () => {
  it('ends with what was read last, also where an earlier answer comes later', async () => {
    const answers: ((rules: StoredEventRule[]) => void)[] = [];
    scene.read = () => new Promise((resolve) => answers.push(resolve));
    const first = scene.settings.reload();
    const old = [...scene.rules];
    scene.set(INSTALLATION, 'speeding', { threshold: 60 });
    const second = scene.settings.reload();
    answers[1]?.(scene.rules);
    await second;
    answers[0]?.(old);
    await first;
    expect(speedingOf('BUS1')?.threshold).toBe(60);
    expect(scene.reloads).toBe(1);
  });

  it('is done once for many edits in a row, and every minute for those of another program', async () => {
    await scene.settings.start();
    for (let edit = 0; edit < 10; edit++) scene.settings.reloadSoon();
    scene.timers.advance(1_000);
    await settled();
    expect(scene.reloads).toBe(2);
    scene.timers.advance(60_000);
    await settled();
    expect(scene.reloads).toBe(3);
    await scene.settings.close();
  });
});
