import { describe, expect, it } from 'vitest';
import { UNKNOWN_MODEL } from '../../../../../server/firmware/tasks/taskImage.ts';
import { FirmwareWorld } from '../../../../support/firmware/firmwareWorld.ts';

const MINUTE_MS = 60_000;
const LOST = { ok: false, fault: 'disconnected', isPassing: true, detail: '' } as const;
const REFUSED = { ok: false, fault: 'refused', isPassing: false, detail: '1' } as const;

async function started(count: number): Promise<FirmwareWorld> {
  const world = new FirmwareWorld(count);
  await world.start();
  return world;
}

const sentTo = (world: FirmwareWorld) => world.open.map(({ terminal }) => terminal.incarnation);

describe('a model that nothing is known of', () => {
  it('is tried on the first device alone until that is done, also between its attempts', async () => {
    const world = new FirmwareWorld(3);
    world.model = undefined;
    await world.start();
    await world.settle(1, LOST);
    await world.pass(MINUTE_MS);
    expect(sentTo(world)).toEqual([]);
    await world.pass(5 * MINUTE_MS, MINUTE_MS);
    expect(sentTo(world)).toEqual([1]);
    await world.update(1);
    await world.pass(5_000);
    expect(sentTo(world)).toEqual([2, 3]);
  });

  it('that fails is tried on no other device before there is a record of it', async () => {
    const world = new FirmwareWorld(3);
    world.model = undefined;
    await world.start();
    await world.settle(1, REFUSED);
    await world.pass(60 * MINUTE_MS, MINUTE_MS);
    expect(world.states).toEqual(['refused', 'waiting', 'waiting']);
    expect(world.row(2).wait).toBe('turn');
    world.model = UNKNOWN_MODEL;
    world.recordsChanged();
    await world.pass(5_000);
    expect(sentTo(world)).toEqual([2, 3]);
  });
});

describe('a device of a running task', () => {
  it('that did not say its version after its sign-in is asked each minute, and done once it does', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.enterSilently(1, 'V2.0');
    await world.pass(50_000);
    expect(world.asked).toEqual([]);
    await world.pass(2 * MINUTE_MS);
    expect(world.asked).toEqual([1, 1]);
    await world.sayVersion(1);
    await world.pass(2 * MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'done', versionAfter: 'V2.0' });
    expect(world.asked).toEqual([1, 1]);
  });

  it('that says another version than both has failed with that one, each said version in its log once', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.enter(1, 'V1.5');
    await world.sayVersion(1);
    await world.pass(16 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'same-version', versionAfter: 'V1.5' });
    expect(world.steps.filter(({ detail }) => detail === 'V1.5')).toHaveLength(1);
  });

  it('that says no version has failed without one', async () => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    await world.leave(1);
    await world.enterSilently(1, 'V2.0');
    await world.pass(16 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'failed', fault: 'same-version', versionAfter: '' });
  });

  it.each([
    ['brings the version', 'V2.0', { state: 'done', versionAfter: 'V2.0' }],
    ['does not', 'V1.0', { state: 'failed', fault: 'same-version' }],
  ])('that leaves the member group with the image is followed to its end: it %s', async (_what, version, end) => {
    const world = await started(1);
    await world.settle(1, { ok: true });
    world.terminal(1).isOwned = false;
    world.recordsChanged();
    await world.pass(5_000);
    expect(world.row(1).state).toBe('sent');
    await world.leave(1);
    await world.pass(5_000);
    expect(world.row(1).state).toBe('rebooting');
    await world.enter(1, version);
    await world.pass(16 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject(end);
  });

  it('that has left the member group is not sent to again', async () => {
    const world = await started(1);
    await world.arriveUnheard(1);
    await world.settle(1, LOST);
    world.terminal(1).isOwned = false;
    world.recordsChanged();
    await world.pass(30 * MINUTE_MS, MINUTE_MS);
    expect(world.row(1)).toMatchObject({ state: 'skipped', fault: 'removed' });
    expect(world.most).toBe(1);
  });

  it('is not sent to beyond its data plan, and continues once that lets files pass again', async () => {
    const world = await started(2);
    await world.settle(2, { ok: true });
    world.mayTransfer = false;
    await world.pass(10_000);
    expect(world.row(1)).toMatchObject({ state: 'waiting', wait: 'plan', attempts: 0 });
    expect(world.row(2).state).toBe('sent');
    world.mayTransfer = true;
    await world.pass(5_000);
    expect(sentTo(world)).toEqual([1]);
  });
});
