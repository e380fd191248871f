import { describe, expect, it } from 'vitest';
import { FirmwareWorld } from '../../../support/firmware/firmwareWorld.ts';

const MINUTE_MS = 60_000;
const LOST = { ok: false, fault: 'disconnected', isPassing: true, detail: '' } as const;
const REFUSED = { ok: false, fault: 'refused', isPassing: false, detail: '1' } as const;

async function started(...given: ConstructorParameters<typeof FirmwareWorld>): Promise<FirmwareWorld> {
  const world = new FirmwareWorld(...given);
  await world.start();
  return world;
}

const sentTo = (world: FirmwareWorld) => world.open.map(({ terminal }) => terminal.incarnation);

describe('a firmware task', () => {
  it('sends to its canaries, then to the others, at most so many at a time, and is done (S-2.4.7)', async () => {
    const world = await started(5, { canaries: ['BUS3'], concurrency: 2 });
    expect(sentTo(world)).toEqual([3]);
    await world.update(3);
    await world.pass(5_000);
    expect(world.row(3)).toMatchObject({ state: 'done', versionBefore: 'V1.0', versionAfter: 'V2.0', attempts: 1 });
    expect(sentTo(world)).toEqual([1, 2]);
    for (const id of [1, 2, 4, 5]) {
      await world.update(id);
      await world.pass(5_000);
    }
    expect(world.states).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(world.task).toMatchObject({ state: 'done', stage: 1 });
    expect(world.most).toBe(2);
    expect(world.moved).toEqual([{ name: 'Spring', state: 'done', reason: '' }]);
    const states = world.steps.filter(({ device }) => device === 3).map(({ state }) => state);
    expect(states).toEqual(['sending', 'sent', 'rebooting', 'verifying', 'done']);
    expect(world.told).toBeGreaterThan(0);
    expect(world.faults).toEqual([]);
  });

  it('pauses when its canary fails, and goes on when somebody says so', async () => {
    const world = await started(4, { canaries: ['BUS1'] });
    await world.settle(1, REFUSED);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'refused', fault: 'refused' });
    expect(world.task).toMatchObject({ state: 'paused', reason: 'stage-failed', version: 4 });
    expect(world.failures).toEqual(['BUS1']);
    expect(sentTo(world)).toEqual([]);
    await world.change({ state: 'running', reason: '' }, true);
    expect(sentTo(world)).toEqual([2, 3, 4]);
  });

  it('stops at its threshold, at once and for all', async () => {
    const world = await started(6, { concurrency: 4 });
    await world.settle(1, REFUSED);
    await world.settle(2, REFUSED);
    await world.pass(5_000);
    expect(world.task).toMatchObject({ state: 'stopped', reason: 'too-many-failures' });
    expect(world.states).toEqual(['refused', 'refused', 'canceled', 'canceled', 'canceled', 'canceled']);
    expect(world.moved).toEqual([{ name: 'Spring', state: 'stopped', reason: 'too-many-failures' }]);
  });

  it('a stop ends what is sent, and follows what has arrived', async () => {
    const world = await started(3);
    await world.settle(1, { ok: true });
    await world.change({ state: 'stopped' });
    await world.pass(1_000);
    expect(world.states).toEqual(['sent', 'canceled', 'canceled']);
    await world.leave(1);
    await world.enter(1, 'V2.0');
    await world.pass(5_000);
    expect(world.states).toEqual(['done', 'canceled', 'canceled']);
  });

  it('a stop cancels a device that then turns out not to have begun', async () => {
    const world = new FirmwareWorld(1);
    let fail: (error: Error) => void = () => undefined;
    world.readImage = () => new Promise((_, reject) => (fail = reject));
    await world.start();
    await world.change({ state: 'stopped' });
    fail(new Error('EIO'));
    await world.pass(1_000);
    expect(world.states).toEqual(['canceled']);
  });

  it('a stop that the database fails after ends it as soon as it can be read', async () => {
    const world = await started(2, { concurrency: 1 });
    world.isDatabaseAway = true;
    await expect(world.change({ state: 'stopped' })).rejects.toThrow();
    await world.settle(1, REFUSED);
    await world.pass(1_000);
    world.isDatabaseAway = false;
    await world.pass(5_000);
    expect(world.states).toEqual(['refused', 'canceled']);
    expect(world.most).toBe(1);
  });

  it('that cannot be read is left alone, and begins to send to no more devices', async () => {
    const world = await started(2, { concurrency: 1 });
    world.isTaskUnreadable = true;
    await expect(world.change({ state: 'stopped' })).rejects.toThrow('firmware task 5 is still to be read');
    await world.settle(1, REFUSED);
    await world.pass(10_000);
    expect(world.states).toEqual(['refused', 'queued']);
    world.isTaskUnreadable = false;
    await world.pass(5_000);
    expect(world.states).toEqual(['refused', 'canceled']);
  });

  it('that the engine trips over keeps no other from its work', async () => {
    const world = new FirmwareWorld(2, { concurrency: 1 });
    world.hasBrokenTask = true;
    await world.start();
    await world.update(1);
    await world.pass(5_000);
    expect(world.states).toEqual(['done', 'sending']);
    expect(world.faults.map(({ message }) => message)).toContain('firmware task 4 could not be worked on');
  });

  it('remembers that somebody accepted its failures until it can be read', async () => {
    const world = await started(2, { canaries: ['BUS1'] });
    await world.settle(1, REFUSED);
    await world.pass(5_000);
    world.isTaskUnreadable = true;
    await expect(world.change({ state: 'running', reason: '' }, true)).rejects.toThrow();
    await expect(world.change({ state: 'paused' })).rejects.toThrow();
    world.isTaskUnreadable = false;
    await world.change({ state: 'running' });
    expect(sentTo(world)).toEqual([2]);
  });

  it('a pause ends what is sent without an attempt less', async () => {
    const world = await started(1);
    await world.change({ state: 'paused' });
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(sentTo(world)).toEqual([]);
    await world.change({ state: 'running' });
    expect(sentTo(world)).toEqual([1]);
  });

  it('what a member has done meanwhile counts more than what it does by itself', async () => {
    const world = await started(1);
    world.isDatabaseAway = true;
    await world.update(1);
    await world.pass(5_000);
    world.isDatabaseAway = false;
    await world.change({ state: 'stopped' });
    expect(world.task.state).toBe('stopped');
    expect(world.row(1).state).toBe('done');
  });

  it('does not touch a damaged image', async () => {
    const world = new FirmwareWorld(2);
    world.readImage = async () => undefined;
    await world.start();
    await world.pass(5_000);
    expect(world.task).toMatchObject({ state: 'stopped', reason: 'image-damaged' });
    expect(world.states).toEqual(['canceled', 'canceled']);
    expect(world.most).toBe(0);
  });

  it('stops when its dates are over', async () => {
    const world = new FirmwareWorld(1, { toDay: '1970-01-01' });
    world.terminal(1).isOnline = false;
    await world.start();
    expect(world.row(1)).toMatchObject({ state: 'waiting', wait: 'online' });
    await world.pass(24 * 60 * MINUTE_MS, 60 * MINUTE_MS);
    expect(world.task).toMatchObject({ state: 'stopped', reason: 'ended-dates' });
    expect(world.states).toEqual(['canceled']);
  });

  it('tries a model that nothing is known of on one device first', async () => {
    const world = new FirmwareWorld(3);
    world.model = undefined;
    await world.start();
    expect(sentTo(world)).toEqual([1]);
    expect(world.row(2)).toMatchObject({ state: 'waiting', wait: 'turn' });
    await world.update(1);
    await world.pass(5_000);
    expect(sentTo(world)).toEqual([2, 3]);
  });
});

describe('a device of a task', () => {
  it('that reports success without the new version has failed after 15 minutes', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.enter(1);
    await world.report(1, 0);
    await world.pass(14 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1).state).toBe('verifying');
    await world.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'same-version', versionAfter: 'V1.0' });
    expect(world.failures).toEqual(['BUS1']);
    expect(world.steps.map(({ detail }) => detail)).toContain('0x0108 0');
  });

  it('that does not come back within an hour has failed', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.pass(59 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1).state).toBe('rebooting');
    await world.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'not-back' });
  });

  it.each([
    ['another model', { model: 'OTHER' }, 'model-mismatch'],
    ['an older version', { version: 'V0.9' }, 'older-version'],
  ])('that comes back with %s has failed', async (_what, change, fault) => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    Object.assign(world.terminal(1), change);
    await world.enter(1);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault });
  });

  it('whose connection breaks is tried three times', async () => {
    const world = await started(1);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(world.row(1)).toMatchObject({ state: 'sending', attempts: attempt });
      await world.settle(1, LOST);
      await world.pass(20 * MINUTE_MS, MINUTE_MS);
    }
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'disconnected', attempts: 3 });
  });

  it('that has the version when it is its turn again is done, and not sent to', async () => {
    const world = await started(1);
    await world.settle(1, LOST);
    await world.leave(1);
    await world.enter(1, 'V2.0');
    await world.pass(5 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'done', versionAfter: 'V2.0' });
    expect(world.most).toBe(1);
  });

  it('that has become another model meanwhile is skipped', async () => {
    const world = new FirmwareWorld(1);
    world.terminal(1).isOnline = false;
    await world.start();
    world.terminal(1).model = 'OTHER';
    await world.enter(1);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'skipped', fault: 'model-mismatch' });
  });

  it('that leaves the member group is skipped, even while it is sent to', async () => {
    const world = await started(2, { concurrency: 1 });
    world.terminal(1).isOwned = false;
    world.terminal(2).isOwned = false;
    world.recordsChanged();
    await world.pass(10_000);
    expect(world.row(1)).toMatchObject({ state: 'skipped', fault: 'removed' });
    expect(world.row(2)).toMatchObject({ state: 'skipped', fault: 'removed' });
    expect(sentTo(world)).toEqual([]);
  });

  it('is not sent to beyond its hours, and continues in the next ones', async () => {
    const days = [1, 2, 3, 4, 5, 6, 7];
    const world = await started(1, { window: [{ days, fromMinute: 0, toMinute: 30 }] });
    expect(sentTo(world)).toEqual([1]);
    await world.pass(31 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'waiting', wait: 'window', attempts: 0 });
    await world.pass(24 * 60 * MINUTE_MS - 30 * MINUTE_MS, 10 * MINUTE_MS);
    expect(sentTo(world)).toEqual([1]);
  });

  it('waits for its data plan', async () => {
    const world = new FirmwareWorld(1, { needsPlan: true });
    world.isPlanLeft = false;
    await world.start();
    expect(world.row(1)).toMatchObject({ state: 'waiting', wait: 'plan' });
    world.isPlanLeft = true;
    await world.pass(5_000);
    expect(sentTo(world)).toEqual([1]);
  });

  it('is not sent to before it is stored that it will be', async () => {
    const world = new FirmwareWorld(1);
    world.terminal(1).isOnline = false;
    await world.start();
    world.isDatabaseAway = true;
    await world.enter(1);
    await world.pass(30_000);
    expect(world.most).toBe(0);
    world.isDatabaseAway = false;
    await world.pass(10_000);
    expect(sentTo(world)).toEqual([1]);
    expect(world.row(1).attempts).toBe(1);
  });

  it('is not tried again and again while nothing can be written', async () => {
    const world = new FirmwareWorld(1);
    world.isDiskFull = true;
    await world.start();
    await world.pass(60_000, 250);
    expect(world.most).toBe(0);
    world.isDiskFull = false;
    await world.pass(10_000);
    expect(world.steps.map(({ state }) => state)).toEqual(['sending', 'queued', 'sending']);
    expect(world.row(1)).toMatchObject({ state: 'sending', attempts: 1 });
  });

  it('waits some minutes where the image can’t be read, which is no attempt', async () => {
    const world = new FirmwareWorld(2);
    const good = world.readImage;
    let reads = 0;
    world.readImage = () => {
      reads++;
      return Promise.reject(new Error('EIO'));
    };
    await world.start();
    await world.pass(60_000, 250);
    expect(reads).toBe(1);
    expect(world.row(1)).toMatchObject({ state: 'waiting', wait: 'retry', fault: 'internal', attempts: 0 });
    expect(world.faults).toHaveLength(2);
    world.readImage = good;
    await world.pass(2 * MINUTE_MS);
    expect(sentTo(world)).toEqual([1, 2]);
    expect(world.row(1)).toMatchObject({ state: 'sending', attempts: 1, fault: '' });
  });

  it('is told how far it is', async () => {
    const world = await started(1);
    world.open[0]?.onProgress(400);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'sending', sentBytes: 400 });
  });
});

describe('a device that may have all of the image, unheard', () => {
  const ENDS: readonly (readonly [string, (world: FirmwareWorld) => Promise<void>])[] = [
    ['its connection broke', (world) => world.settle(1, LOST)],
    ['the gateway was killed', (world) => world.restart()],
    ['the gateway was stopped', (world) => world.close().then(() => world.restart())],
    ['the task was paused', (world) => world.change({ state: 'paused' })],
    ['the task was stopped', (world) => world.change({ state: 'stopped' })],
  ];

  it.each(ENDS)('is not sent to again while it may be installing: %s', async (_why, end) => {
    const world = await started(1);
    await world.arriveUnheard(1);
    // It asks for some packages once more.
    world.open[0]?.onProgress(400);
    await world.pass(5_000);
    await end(world);
    await world.leave(1);
    // It signs in with its old version before it installs, and again afterwards.
    await world.enter(1);
    await world.pass(10 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'verifying', fault: 'disconnected', attempts: 1 });
    await world.leave(1);
    await world.enter(1, 'V2.0');
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'done', fault: '', versionAfter: 'V2.0' });
    expect(world.terminal(1).flashes).toBe(1);
  });

  it('is sent to again once it is clear that it has not', async () => {
    const world = await started(1);
    const [delivery] = world.open;
    await Promise.all([delivery?.beforeEnd(), world.pass(0)]);
    await world.settle(1, LOST);
    await world.leave(1);
    await world.enter(1);
    await world.pass(14 * MINUTE_MS, MINUTE_MS);
    expect(sentTo(world)).toEqual([]);
    await world.pass(5 * MINUTE_MS, MINUTE_MS);
    expect(sentTo(world)).toEqual([1]);
    await world.update(1);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'done', attempts: 2 });
    expect(world.failures).toEqual([]);
  });

  it('fails like every other once the terminal itself says that it has all', async () => {
    const world = await started(1);
    await world.arriveUnheard(1);
    await world.settle(1, LOST);
    await world.leave(1);
    await world.enter(1);
    await world.report(1, 0);
    await world.pass(16 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'same-version' });
  });

  it('is not sent the end before that is stored', async () => {
    const world = await started(1);
    world.isDatabaseAway = true;
    await world.arriveUnheard(1);
    expect(world.terminal(1).flashes).toBe(0);
    world.isDatabaseAway = false;
    world.open[0]?.onProgress(400);
    await world.pass(5_000);
    expect(world.row(1)).toMatchObject({ state: 'sending', sentBytes: 400 });
  });
});

describe('after a restart of the gateway', () => {
  it('what was sent is sent anew, and what restarts is still expected', async () => {
    const world = await started(3);
    await world.settle(2, { ok: true });
    await world.leave(2);
    await world.pass(5_000);
    await world.restart();
    expect(sentTo(world)).toEqual([1, 3]);
    expect(world.row(1)).toMatchObject({ state: 'sending', attempts: 1 });
    await world.enter(2, 'V2.0');
    await world.pass(5_000);
    expect(world.row(2)).toMatchObject({ state: 'done', versionAfter: 'V2.0' });
  });

  it('a device whose image arrived unheard is done, and not sent to again', async () => {
    const world = await started(1);
    world.terminal(1).version = 'V2.0';
    await world.restart();
    expect(world.row(1)).toMatchObject({ state: 'done', versionAfter: 'V2.0' });
    expect(world.most).toBe(1);
  });

  it('terminals have some minutes to sign in again, however long it was away', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.pass(5_000);
    await world.restart(300 * MINUTE_MS);
    expect(world.row(1).state).toBe('rebooting');
    await world.enter(1, 'V2.0');
    await world.pass(5_000);
    expect(world.row(1).state).toBe('done');
  });

  it('a terminal that is back before the tasks are is done', async () => {
    const world = await started(2);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.settle(2, { ok: true });
    await world.pass(5_000);
    await world.restart(0, async () => {
      await world.enter(1, 'V2.0');
      await world.enter(2, 'V2.0');
    });
    await world.pass(5_000);
    expect(world.states).toEqual(['done', 'done']);
  });

  it('a stop that the last run had no time for is finished', async () => {
    const world = new FirmwareWorld(2, { concurrency: 1 });
    await world.start();
    world.task = { ...world.task, state: 'stopped', version: world.task.version + 1 };
    await world.restart();
    await world.pass(1_000);
    expect(world.states).toEqual(['canceled', 'canceled']);
  });

  it('a task that cannot be loaded is reported, and keeps the gateway from nothing', async () => {
    const world = new FirmwareWorld(1);
    world.hasImage = false;
    await world.start();
    expect(world.faults.map(({ message }) => message)).toContain('firmware task 5 could not be read');
    expect(sentTo(world)).toEqual([]);
  });

  it('an orderly stop leaves devices as they can go on', async () => {
    const world = await started(1);
    await world.close();
    expect(world.row(1)).toMatchObject({ state: 'queued', attempts: 0 });
  });
});
