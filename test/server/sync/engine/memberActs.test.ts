// What members say of items while the engine is at them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PAUSED_OF_DEVICE } from '../../../../server/sync/engine/pausedRuns.ts';
import type { SyncItemAct } from '../../../../shared/protocol/sync/syncWords.ts';
import { createEngineScene, type EngineScene } from './engineScene.ts';

const PAUSED = { state: 'paused', wait: '' } as const;
const CANCELED = { state: 'canceled', wait: '' } as const;

let scene: EngineScene;
let bus = 0;
let id = 0;
beforeEach(async () => {
  scene = await createEngineScene();
  scene.state.endsLate = true;
  bus = await scene.addDevice('BUS1');
});
afterEach(async () => {
  const { faults } = scene;
  await scene.close();
  expect(faults).toEqual([]);
});

async function begun() {
  id = await scene.add(bus);
  return scene.attempt(1);
}

const stop = (as: typeof PAUSED | typeof CANCELED) => scene.engine.stopItem({ id, incarnation: bus }, as);
const act = (how: Extract<SyncItemAct, 'resume' | 'retry'>) =>
  scene.stores.syncItemPages.act([id], how, { atMs: 1, position: 0 });
const ended = () => scene.until(() => scene.engine.runningCount === 0);

describe('an upload that a member pauses', () => {
  it('waits at its terminal while others have their turn, and goes on as the same upload', async () => {
    const { attempt } = await begun();
    attempt.onState('running');
    attempt.onBytes(500);
    await scene.untilState(id, 'running');
    expect(await stop(PAUSED)).toBe(true);
    expect(await stop(PAUSED)).toBe(true);
    expect([attempt.hold.has('member'), attempt.signal.aborted]).toEqual([true, false]);
    const other = await scene.add(bus);
    const second = await scene.attempt(2);
    expect(second.attempt.item.id).toBe(other);
    await act('resume');
    scene.engine.kick(bus);
    expect(attempt.hold.has('member')).toBe(true);
    second.end({ kind: 'stored' });
    await scene.untilState(id, 'running');
    expect([attempt.hold.isHeld, scene.attempts.length]).toEqual([false, 2]);
    scene.attempts[0]?.end({ kind: 'stored' });
    await scene.untilState(id, 'done');
  });

  it('is canceled at its terminal where the member cancels it, or nobody may have it any more', async () => {
    const { attempt, end } = await begun();
    await stop(PAUSED);
    await stop(CANCELED);
    expect(attempt.signal.aborted).toBe(true);
    end({ kind: 'stopped' });
    expect((await scene.item(id)).state).toBe('canceled');
    id = await scene.add(bus);
    const second = await scene.attempt(2);
    await stop(PAUSED);
    await scene.stores.memberGroups.setDeviceGroups(scene.depot, []);
    await scene.directory.reload();
    scene.engine.reviewRuns();
    expect(second.attempt.signal.aborted).toBe(true);
    second.end({ kind: 'stopped' });
  });

  it('stays paused over a restart of the gateway, and is asked for anew when it is resumed', async () => {
    await begun();
    await stop(PAUSED);
    await scene.engine.close();
    expect((await scene.item(id)).state).toBe('paused');
    await scene.restart();
    await act('resume');
    scene.engine.kick(bus);
    expect((await scene.attempt(2)).attempt.item.id).toBe(id);
  });

  it('waits for its terminal to be back when it is resumed', async () => {
    const { attempt } = await begun();
    await stop(PAUSED);
    scene.state.online.delete('BUS1');
    await act('resume');
    scene.engine.kick(bus);
    await scene.untilWait(id, 'online');
    expect(attempt.hold.has('member')).toBe(true);
    scene.state.online.add('BUS1');
    scene.engine.kick(bus);
    await scene.until(() => !attempt.hold.isHeld);
    expect(scene.attempts).toHaveLength(1);
  });

  it('ends where as many of its device wait as may', async () => {
    for (let at = 0; at <= MAX_PAUSED_OF_DEVICE; at++) {
      id = await scene.add(bus);
      await scene.attempt(at + 1);
      await stop(PAUSED);
    }
    const ended = scene.attempts.map(({ attempt }) => attempt.signal.aborted);
    expect(ended).toEqual([...Array.from({ length: MAX_PAUSED_OF_DEVICE }, () => false), true]);
  });

  it('ends where its recording is played, which has no such pause', async () => {
    const uploaded = await begun();
    uploaded.end({ kind: 'unusable', fault: 'refused' });
    const played = await scene.attempt(2);
    await stop(PAUSED);
    expect(played.attempt.signal.aborted).toBe(true);
    played.end({ kind: 'stopped' });
  });
});

describe('items that members pause, resume, cancel and retry', () => {
  it('stay paused where the attempt fails meanwhile, and count none', async () => {
    const { end } = await begun();
    expect(await stop(PAUSED)).toBe(true);
    end({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
    expect(await scene.item(id)).toMatchObject({ state: 'paused', wait: '', attempts: 0, fault: '' });
    await act('resume');
    scene.engine.kick(bus);
    expect((await scene.attempt(2)).attempt.item).toMatchObject({ id, attempts: 0, fault: '' });
  });

  it('are done where all of it had come', async () => {
    const { end } = await begun();
    await stop(PAUSED);
    end({ kind: 'stored' });
    await scene.untilState(id, 'done');
  });

  it('stay paused where a viewer had stopped them before', async () => {
    const uploaded = await begun();
    uploaded.end({ kind: 'unusable', fault: 'refused' });
    const { end } = await scene.attempt(2);
    scene.state.watched.add('BUS1');
    scene.engine.cardWatched('BUS1', true);
    await stop(PAUSED);
    end({ kind: 'stopped' });
    await ended();
    expect(await scene.item(id)).toMatchObject({ state: 'paused', wait: '' });
  });

  it('go on where they were paused and resumed before the attempt had ended, with what it had received', async () => {
    const { attempt, end } = await begun();
    attempt.onBytes(500);
    await stop(PAUSED);
    expect(await act('resume')).toBe(1);
    end({ kind: 'stopped' });
    const second = await scene.attempt(2);
    expect(second.attempt.item).toMatchObject({ id, receivedBytes: 500 });
  });

  it('go on where they were canceled and retried before the attempt had ended', async () => {
    const { end } = await begun();
    await stop(CANCELED);
    expect(await act('retry')).toBe(1);
    end({ kind: 'stopped' });
    expect((await scene.attempt(2)).attempt.item.id).toBe(id);
  });

  it('are not begun, and not made to wait, where they are paused after the engine has looked at them', async () => {
    const items = scene.stores.syncItems;
    const next = items.next.bind(items);
    let looks = 0;
    items.next = async (...query) => {
      const found = await next(...query);
      looks++;
      if (looks <= 2) for (const item of found) await items.change(item.id, PAUSED, 1);
      return found;
    };
    for (const isOnline of [true, false]) {
      if (!isOnline) scene.state.online.delete('BUS1');
      id = await scene.add(bus);
      await scene.until(() => looks >= (isOnline ? 1 : 2) && scene.engine.runningCount === 0);
      await scene.engine.close();
      expect([(await scene.item(id)).state, scene.attempts.length]).toEqual(['paused', 0]);
      await scene.restart();
    }
  });
});
