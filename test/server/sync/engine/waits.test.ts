import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_RUNS } from '../../../../server/sync/engine/mayStart.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createEngineScene, type EngineScene } from './engineScene.ts';

/** The clock of these tests begins on a Thursday. */
const MONDAY: WeekSchedule = [{ days: [1], fromMinute: 0, toMinute: 60 }];
/** From its second hour on. */
const THURSDAY: WeekSchedule = [{ days: [4], fromMinute: 60, toMinute: 120 }];
const LATER = { state: 'waiting', wait: 'retry', nextAtMs: 86_400_000 } as const;

let scene: EngineScene;
let bus = 0;
beforeEach(async () => {
  scene = await createEngineScene();
  bus = await scene.addDevice('BUS1');
});
afterEach(async () => {
  const { faults } = scene;
  await scene.close();
  expect(faults).toEqual([]);
});

describe('what items of data sync wait for', () => {
  it('is their device, the disk, the data plan and a viewer of the card', async () => {
    scene.state.online.delete('BUS1');
    const id = await scene.add(bus);
    await scene.untilWait(id, 'online');
    scene.state.online.add('BUS1');
    scene.state.mayTransfer = false;
    await scene.untilWait(id, 'plan');
    scene.state.mayTransfer = true;
    scene.state.isDiskReady = false;
    await scene.untilWait(id, 'disk');
    scene.state.isDiskReady = true;
    scene.state.watched.add('BUS1');
    await scene.untilWait(id, 'viewers');
    scene.state.watched.delete('BUS1');
    await scene.attempt(1);
  });

  it('is a turn of their rule', async () => {
    const rule = await scene.addRule({ concurrency: 1 });
    const of = { rule: rule.id, requestedBy: '' };
    const tram = await scene.addDevice('TRAM1');
    await scene.add(bus, of);
    const one = await scene.attempt(1);
    const second = await scene.add(tram, of);
    await scene.untilWait(second, 'turn');
    one.end({ kind: 'stored' });
    expect((await scene.attempt(2)).attempt.item.id).toBe(second);
  });

  it('is no turn of another member group, however many items that one has', async () => {
    const south = await scene.stores.deviceGroups.insert('South');
    const others = await scene.stores.memberGroups.insert({ name: 'Others' });
    await scene.stores.memberGroups.setDeviceGroups(others, [south]);
    const tram = await scene.addDevice('TRAM1', '', south);
    const waiting = [];
    for (let number = 2; number <= MAX_RUNS; number++)
      waiting.push(await scene.add(await scene.addDevice(`BUS${number}`)));
    const share = (MAX_RUNS * 3) / 4;
    await scene.attempt(share);
    await scene.untilWait(waiting.at(-1) ?? 0, 'turn');
    expect(scene.attempts).toHaveLength(share);
    const item = await scene.add(tram, { memberGroup: others });
    expect((await scene.attempt(share + 1)).attempt.item.id).toBe(item);
  });

  it('is what keeps back their rule alone, however many there are of it', async () => {
    const [closed, empty, open] = [
      await scene.addRule({ name: 'night', hours: MONDAY }),
      await scene.addRule({ name: 'small', megabytesADay: 1 }),
      await scene.addRule({ name: 'all day' }),
    ];
    const addOf = (rule: number, position: number) => scene.add(bus, { rule, requestedBy: '', position });
    await addOf(empty.id, 0);
    const one = await scene.attempt(1);
    one.attempt.onBytes(1_000_000);
    for (let at = 0; at < 50; at++) await addOf((at < 25 ? closed : empty).id, at + 1);
    const later = await addOf(open.id, 100);
    one.end({ kind: 'stored' });
    expect((await scene.attempt(2)).attempt.item.id).toBe(later);
  });

  it('is a network that the device is not on, which keeps nothing back of other rules', async () => {
    const [wifi, any] = [await scene.addRule({ mobile: false }), await scene.addRule({ name: 'any network' })];
    const addOf = (rule: number, position: number) => scene.add(bus, { rule, requestedBy: '', position });
    const held = [];
    for (let position = 0; position < 3; position++) held.push(await addOf(wifi.id, position));
    const behind = await addOf(any.id, 10);
    (await scene.attempt(1)).end({ kind: 'no-network' });
    const second = await scene.attempt(2);
    expect(second.attempt.item.id).toBe(behind);
    for (const id of held) expect(await scene.item(id)).toMatchObject({ state: 'waiting', wait: 'network' });
    second.end({ kind: 'stored' });
    await scene.untilState(behind, 'done');
    scene.timers.advance(14 * 60_000);
    await scene.until(() => scene.timers.now() > 14 * 60_000 + 10_000);
    expect(scene.attempts).toHaveLength(2);
    for (const id of held) expect((await scene.item(id)).wait).toBe('network');
    expect((await scene.attempt(3)).attempt.item.id).toBe(held[0]);
  });

  it('is a place among the uploads, and is called so until the next attempt', async () => {
    const id = await scene.add(bus);
    (await scene.attempt(1)).end({ kind: 'busy' });
    await scene.untilWait(id, 'turn');
    await scene.until(() => scene.timers.now() > 20_000);
    expect((await scene.item(id)).wait).toBe('turn');
    await scene.attempt(2);
  });

  it('are the hours of their rule, which end what is under way', async () => {
    const rule = await scene.addRule({ hours: THURSDAY });
    await scene.stores.devices.update('BUS1', { timeZone: 'UTC' });
    await scene.directory.reload();
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    await scene.untilWait(id, 'window');
    expect(scene.attempts).toEqual([]);
    scene.timers.advance(3_600_000);
    const { attempt } = await scene.attempt(1);
    scene.timers.advance(3_500_000);
    await scene.until(async () => (await scene.item(id)).state === 'requested');
    expect(attempt.signal.aborted).toBe(false);
    scene.timers.advance(100_000);
    await scene.untilWait(id, 'window');
    expect([attempt.signal.aborted, await scene.item(id)]).toMatchObject([true, { state: 'waiting', attempts: 0 }]);
  });

  it('is another attempt, which keeps nothing back behind it', async () => {
    const tried = await Promise.all(Array.from({ length: 21 }, (_, position) => scene.add(bus, { position })));
    for (const id of tried) await scene.stores.syncItems.change(id, LATER, wallMs(0));
    const later = await scene.add(bus, { position: 100 });
    expect((await scene.attempt(1)).attempt.item.id).toBe(later);
  });

  it('is tomorrow, when the megabytes of the day are used up', async () => {
    const rule = await scene.addRule({ megabytesADay: 1 });
    const of = { rule: rule.id, requestedBy: '' };
    await scene.add(bus, of);
    const one = await scene.attempt(1);
    one.attempt.onBytes(1_000_000);
    one.end({ kind: 'stored' });
    const second = await scene.add(bus, of);
    await scene.untilWait(second, 'allowance');
    scene.timers.advance(86_400_000);
    await scene.attempt(2);
  });

  it('is not tomorrow where the day before had brought most of it', async () => {
    const rule = await scene.addRule({ megabytesADay: 1 });
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    for (const [at, bytes] of [950_000, 60_000].entries()) {
      const { attempt, end } = await scene.attempt(at + 1);
      attempt.onBytes(bytes);
      end({ kind: 'failed', fault: 'disconnected', addedMs: 1 });
      await scene.untilWait(id, 'retry');
      if (at === 0) scene.timers.advance(86_400_000);
    }
    expect((await scene.attempt(3)).attempt.item.receivedBytes).toBe(1_010_000);
  });
});
