import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atMinute, createPlanningScene, type PlanningScene } from './planningScene.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 86_400_000;
/** Bits of the status word: the ignition is on, and the position is known. */
const [OFF, ON] = [0b10, 0b11];

let scene: PlanningScene;
beforeEach(async () => {
  scene = await createPlanningScene();
});
afterEach(() => scene.close());

describe('rules plan what a device has listed (S-2.4.8)', () => {
  it('all of it, except what is on the server', async () => {
    const { archiveId } = (await scene.stores.devices.findByDeviceId('BUS1')) ?? { archiveId: '' };
    await scene.record(archiveId, 65, 70);
    await scene.list([
      [60, 70],
      [80, 90],
    ]);
    await scene.addRule({ choice: 'all' });
    expect(await scene.plan()).toBe(2);
    expect(await scene.planned()).toEqual([
      [1, 60, 65],
      [1, 80, 90],
    ]);
  });

  it('what the device marks with alarms', async () => {
    await scene.list([[60, 70]]);
    await scene.list([[60, 70]], { channel: 2, alarms: '0000000000000001' });
    await scene.addRule({ choice: 'alarms' });
    await scene.plan();
    expect(await scene.planned()).toEqual([[2, 60, 70]]);
  });

  it('around events, of their channel where they have one', async () => {
    await scene.list([[0, 60]]);
    await scene.list([[0, 60]], { channel: 2 });
    await scene.happen([
      { type: 'sos', beginAtMs: atMinute(10) },
      { type: 'video-loss', unit: 2, beginAtMs: atMinute(30) },
      { type: 'speeding', beginAtMs: atMinute(50) },
    ]);
    await scene.addRule({ choice: 'events', eventTypes: ['sos', 'video-loss'] });
    await scene.plan();
    expect(await scene.planned()).toEqual([
      [1, 9, 12],
      [2, 9, 12],
      [2, 29, 32],
    ]);
  });

  it("around late events, by the gateway's clock", async () => {
    await scene.setClock([{ deviceFromMs: 0, offsetMs: HOUR_MS }]);
    await scene.list([[0, 60]]);
    await scene.happen([{ type: 'sos', beginAtMs: atMinute(10), isLate: true }]);
    await scene.addRule({ choice: 'events' });
    await scene.plan();
    expect(await scene.planned()).toEqual([[1, 69, 72]]);
  });

  it('while the ignition was on', async () => {
    await scene.list([[0, 60]]);
    await scene.report([
      [5, OFF],
      [10, ON],
      [14, ON],
      [18, OFF],
      // Nobody knows what was in between.
      [30, ON],
      [40, ON],
      [44, OFF],
    ]);
    await scene.addRule({ choice: 'ignition' });
    await scene.plan();
    expect(await scene.planned()).toEqual([
      [1, 10, 18],
      [1, 40, 44],
    ]);
  });

  it('in the gaps of what the server should have recorded, by day, hour and ignition', async () => {
    const files = [[0, 120]] as const;
    await scene.list(files);
    await scene.list(files, { channel: 2 });
    await scene.report([
      [30, ON],
      [34, ON],
      [38, OFF],
      [62, ON],
      [66, OFF],
    ]);
    // A Wednesday, from one to two in the device's time zone.
    const schedule = [{ days: [3], fromMinute: 60, toMinute: 120 }];
    const policy = { quality: 'main', retentionDays: 0, schedule } as const;
    await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 1 }, { ...policy, mode: 'ignition' });
    await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 2 }, { ...policy, mode: 'always' });
    await scene.addRule({ choice: 'gaps' });
    await scene.plan();
    const minutes = (await scene.planned()).map(([channel, from, to]) => ({ channel, from, to }));
    expect(minutes.filter(({ channel }) => channel === 1)).toEqual([{ channel: 1, from: 62, to: 66 }]);
    const second = minutes.filter(({ channel }) => channel === 2);
    expect([second[0]?.from, second.at(-1)?.to]).toEqual([60, 120]);
  });

  it('nothing of gaps where the server should record nothing', async () => {
    await scene.list([[0, 60]]);
    await scene.addRule({ choice: 'gaps' });
    expect(await scene.plan()).toBe(0);
  });
});

describe('a clock that is off by years (S-2.4.8)', () => {
  it("has its recordings and its ignition at the gateway's time, and is asked by its own", async () => {
    await scene.setClock([{ deviceFromMs: atMinute(0) - YEAR_MS, offsetMs: YEAR_MS }]);
    await scene.list([[0, 60]], {}, -YEAR_MS);
    await scene.report(
      [
        [10, ON],
        [14, OFF],
      ],
      -YEAR_MS,
    );
    await scene.addRule({ choice: 'ignition' });
    await scene.plan();
    expect(await scene.planned()).toEqual([[1, 10, 14]]);
    const [item] = await scene.stores.syncItems.next(scene.incarnation, 1);
    expect([item?.deviceFromMs, item?.deviceToMs]).toEqual([atMinute(10) - YEAR_MS, atMinute(14) - YEAR_MS]);
  });

  it('that was set right meanwhile has the recordings of before and after where they belong', async () => {
    const steps = [
      { deviceFromMs: atMinute(0) + YEAR_MS, offsetMs: -YEAR_MS },
      { deviceFromMs: atMinute(30), offsetMs: 0 },
    ];
    await scene.setClock(steps);
    await scene.list([[0, 10]], {}, YEAR_MS);
    await scene.list([[40, 50]], { channel: 2 });
    await scene.addRule();
    await scene.plan();
    expect(await scene.planned()).toEqual([
      [1, 0, 10],
      [2, 40, 50],
    ]);
  });
});
