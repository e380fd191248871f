import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createEngineScene, type EngineScene } from './engineScene.ts';

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

describe('what the engine of data sync fetches', () => {
  it('is one item of a device at a time, in their order', async () => {
    const [second, first] = [await scene.add(bus, { position: 2 }), await scene.add(bus, { position: 1, fromMs: 5 })];
    const one = await scene.attempt(1);
    expect(one).toMatchObject({ method: 'ftp', attempt: { item: { id: first } } });
    one.attempt.onState('running');
    one.attempt.onBytes(500);
    await scene.untilState(first, 'running');
    await scene.until(async () => (await scene.item(first)).receivedBytes === 500);
    expect((await scene.item(second)).state).toBe('planned');
    one.end({ kind: 'stored' });
    await scene.untilState(first, 'done');
    expect((await scene.attempt(2)).attempt.item.id).toBe(second);
    expect(scene.changedGroups).toContain(scene.depot);
  });

  it('notes how long all of its attempts took, without the waits between them', async () => {
    const id = await scene.add(bus);
    let tookMs = 0;
    for (const [at, ms] of [7_000, 5_000].entries()) {
      const one = await scene.attempt(at + 1);
      scene.timers.advance(ms);
      one.end({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
      await waitFor('the end of the attempt', async () => (await scene.item(id)).transferMs !== tookMs);
      tookMs += ms;
      expect((await scene.item(id)).transferMs).toBe(tookMs);
    }
  });

  it('is played where an upload is refused, and from then on by the whole model', async () => {
    const [tram, other] = [await scene.addDevice('TRAM1', 'M-8'), await scene.addDevice('TRAM2', 'M-8')];
    const id = await scene.add(tram);
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'refused' });
    const second = await scene.attempt(2);
    expect(second.method).toBe('playback');
    second.end({ kind: 'stored' });
    await scene.untilState(id, 'done');
    expect((await scene.item(id)).method).toBe('playback');
    await scene.add(other);
    expect((await scene.attempt(3)).method).toBe('playback');
  });

  it('is uploaded by the rest of the model where what was refused can’t be played either', async () => {
    const [tram, other] = [await scene.addDevice('TRAM1', 'M-8'), await scene.addDevice('TRAM2', 'M-8')];
    const id = await scene.add(tram);
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'refused' });
    (await scene.attempt(2)).end({ kind: 'nothing-there' });
    await scene.untilState(id, 'lost');
    await scene.add(other);
    expect((await scene.attempt(3)).method).toBe('ftp');
  });

  it('is played at normal speed where pictures are missing at a higher one', async () => {
    const id = await scene.add(bus);
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'nothing-sent' });
    const fast = await scene.attempt(2);
    expect(fast.isSlow).toBe(false);
    fast.end({ kind: 'too-fast' });
    const slow = await scene.attempt(3);
    expect(slow.isSlow).toBe(true);
    slow.end({ kind: 'stored' });
    await scene.untilState(id, 'done');
  });

  it('keeps a file that is no video until the video has come', async () => {
    const id = await scene.add(bus);
    const uploaded = await scene.attempt(1);
    await scene.stores.syncItems.change(id, { file: 'a'.repeat(32) }, wallMs(1));
    uploaded.end({ kind: 'unusable', fault: 'unreadable' });
    const played = await scene.attempt(2);
    expect((await scene.item(id)).file).toBe('a'.repeat(32));
    played.end({ kind: 'stored' });
    await scene.untilState(id, 'done');
    await scene.until(() => scene.removedFiles.length === 1);
    expect((await scene.item(id)).file).toBe('');
  });

  it('is not played to a rule that allows no mobile network: playback asks for none', async () => {
    const rule = await scene.addRule({ mobile: false });
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    const one = await scene.attempt(1);
    expect(one.attempt.networks).toBe(3);
    one.end({ kind: 'unusable', fault: 'refused' });
    await scene.untilState(id, 'failed');
    expect(scene.attempts).toHaveLength(1);
  });

  it('is not played to such a rule where the model, or the item before its rule was changed, was played', async () => {
    const [tram, other] = [await scene.addDevice('TRAM1', 'M-8'), await scene.addDevice('TRAM2', 'M-8')];
    await scene.add(tram);
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'refused' });
    (await scene.attempt(2)).end({ kind: 'stored' });
    const rule = await scene.addRule({ mobile: false });
    const of = { rule: rule.id, requestedBy: '' };
    await scene.add(other, of);
    expect((await scene.attempt(3)).method).toBe('ftp');
    scene.state.online.delete('BUS1');
    const begun = await scene.add(bus, of);
    await scene.stores.syncItems.change(begun, { method: 'playback' }, wallMs(1));
    scene.state.online.add('BUS1');
    expect(await scene.attempt(4)).toMatchObject({ method: 'ftp', attempt: { item: { id: begun }, networks: 3 } });
  });

  it('is tried three times with growing waits for causes that can pass', async () => {
    const id = await scene.add(bus);
    const times: number[] = [];
    for (let number = 1; number <= 3; number++) {
      const one = await scene.attempt(number);
      times.push(scene.timers.now());
      one.end({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
      if (number === 3) break;
      await scene.untilWait(id, 'retry');
      const { nextAtMs } = await scene.item(id);
      scene.timers.advance(nextAtMs - scene.timers.now() - 1);
    }
    await scene.untilState(id, 'failed');
    expect(await scene.item(id)).toMatchObject({ fault: 'incomplete', attempts: 3 });
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(60_000);
    expect(third - second).toBeGreaterThanOrEqual(600_000);
  });

  it('is skipped when all of it is here, and lost when the device has it no more', async () => {
    scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 2_000_000 }]]]);
    const file = {
      channel: 2,
      stream: 'main',
      fromMs: 0,
      toMs: 2_000_000,
      offsetMs: 0,
      hasAlarm: false,
      bytes: 0,
    } as const;
    scene.state.files = [{ ...file, isGone: true }];
    const [here, gone] = [await scene.add(bus, { channel: 1 }), await scene.add(bus, { channel: 2 })];
    await scene.untilState(here, 'skipped');
    await scene.untilState(gone, 'lost');
    expect(scene.attempts).toEqual([]);
  });

  it('is asked for without what is here already', async () => {
    scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 1_200_000 }]]]);
    await scene.add(bus, { deviceFromMs: 900_000, deviceToMs: 1_500_000 });
    const { attempt } = await scene.attempt(1);
    expect([attempt.deviceFromMs, attempt.deviceToMs]).toEqual([1_100_000, 1_500_000]);
  });

  it('tells of an event whose recording is here', async () => {
    await scene.add(bus, { eventId: 12, requestedBy: '', memberGroup: 0 });
    (await scene.attempt(1)).end({ kind: 'stored' });
    await scene.until(() => scene.eventsFetched.length > 0);
    expect(scene.eventsFetched).toEqual([{ eventId: 12, offsetMs: 0 }]);
  });

  it.each(['fetched', 'here'])('has ended only when the clip of its event is held: what was %s', async (how) => {
    const { holdClip } = scene.state;
    let asked = 0;
    // The gateway is killed while the hold is stored.
    scene.state.holdClip = () => {
      asked++;
      return new Promise(() => undefined);
    };
    if (how === 'here') scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 1e15 }]]]);
    const id = await scene.add(bus, { eventId: 12, requestedBy: '', memberGroup: 0 });
    if (how === 'fetched') (await scene.attempt(1)).end({ kind: 'stored' });
    await scene.until(() => asked === 1);
    expect(['done', 'skipped']).not.toContain((await scene.item(id)).state);
    scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 1e15 }]]]);
    scene.state.holdClip = holdClip;
    await scene.restart();
    await scene.untilState(id, 'skipped');
    expect(scene.eventsFetched).toEqual([{ eventId: 12, offsetMs: 0 }]);
  });

  it('is done, and not skipped, where the gateway was killed between its storing and its end', async () => {
    const id = await scene.add(bus);
    const { attempt } = await scene.attempt(1);
    attempt.onBytes(500);
    // No round of the engine goes by meanwhile.
    await waitFor('the first bytes are noted', async () => (await scene.item(id)).receivedBytes === 500);
    scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 1e15 }]]]);
    await scene.restart();
    await scene.untilState(id, 'done');
  });

  it('is not asked for before what had come of it when the gateway was killed is read, which keeps no other item back', async () => {
    const id = await scene.add(bus, { fromMs: 1_000_000, toMs: 1_600_000 });
    scene.state.awaited.add(id);
    const other = await scene.add(bus, { fromMs: 2_000_000, toMs: 2_600_000 });
    const fetched = await scene.attempt(1);
    expect(fetched.attempt.item.id).toBe(other);
    expect(scene.leftoverReads).toEqual(['all', other]);
    fetched.end({ kind: 'stored' });
    await scene.untilState(other, 'done');
    expect(scene.attempts).toHaveLength(1);
    scene.state.awaited.clear();
    expect((await scene.attempt(2)).attempt.item.id).toBe(id);
    expect(scene.leftoverReads).toEqual(['all', other, id]);
  });

  it('begins soon after what had come of it is read, where something of it is missing still', async () => {
    let finish: () => void = () => undefined;
    scene.state.readLeftovers = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const id = await scene.add(bus);
    scene.state.awaited.add(id);
    await scene.until(() => scene.leftoverReads.length === 1);
    await scene.until(() => scene.timers.now() > 20_000);
    expect([scene.attempts.length, (await scene.item(id)).state]).toEqual([0, 'planned']);
    scene.state.awaited.clear();
    finish();
    expect((await scene.attempt(1)).attempt.item.id).toBe(id);
    expect(scene.leftoverReads).toEqual(['all', id]);
  });

  it('goes on where what had come before the start could not be read, which is reported', async () => {
    scene.state.readLeftovers = async () => {
      throw new Error('the folder is away');
    };
    await scene.add(bus);
    await scene.attempt(1);
    expect(scene.faults.splice(0)).toMatchObject([{ message: expect.stringContaining('could not be read') }]);
  });

  it('ends only when what had come before the start is no longer being read', async () => {
    const steps: string[] = [];
    let giveUp: () => void = () => undefined;
    scene.state.readLeftovers = () =>
      new Promise((resolve) => {
        giveUp = resolve;
      });
    scene.state.closeLeftovers = () => void steps.push('told');
    await scene.until(() => scene.leftoverReads.length === 1);
    const closing = scene.engine.close().then(() => steps.push('closed'));
    await nextTurn();
    steps.push('given up');
    giveUp();
    await closing;
    expect(steps).toEqual(['told', 'given up', 'closed']);
  });

  it('is held at a later attempt where the clip of its event could not be', async () => {
    const { holdClip } = scene.state;
    scene.state.holdClip = async () => {
      scene.state.holdClip = holdClip;
      throw new Error('the database is away');
    };
    const id = await scene.add(bus, { eventId: 12, requestedBy: '', memberGroup: 0 });
    (await scene.attempt(1)).end({ kind: 'stored' });
    await scene.untilWait(id, 'retry');
    expect(scene.faults.splice(0)).toMatchObject([{ message: expect.stringContaining('could not be held') }]);
    scene.state.here = new Map([[1, [{ fromMs: 0, toMs: 1e15 }]]]);
    await scene.untilState(id, 'skipped');
    expect(scene.eventsFetched).toEqual([{ eventId: 12, offsetMs: 0 }]);
  });
});

describe('what comes before data sync', () => {
  it('a viewer of the card ends a playback, which goes on later and counts as no attempt', async () => {
    const id = await scene.add(bus);
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'refused' });
    await scene.attempt(2);
    scene.state.watched.add('BUS1');
    scene.engine.cardWatched('BUS1', true);
    await scene.untilWait(id, 'viewers');
    expect(await scene.item(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    scene.state.watched.delete('BUS1');
    scene.engine.cardWatched('BUS1', false);
    expect((await scene.attempt(3)).method).toBe('playback');
  });

  it('a viewer of the card pauses an upload', async () => {
    const id = await scene.add(bus);
    const { attempt } = await scene.attempt(1);
    scene.engine.cardWatched('BUS1', true);
    expect(attempt.hold.isHeld).toBe(true);
    await scene.untilWait(id, 'viewers');
    scene.engine.cardWatched('BUS1', false);
    expect(attempt.hold.isHeld).toBe(false);
    await scene.untilWait(id, '');
    expect(scene.attempts).toHaveLength(1);
  });

  it('a data plan that is used up ends what is under way', async () => {
    const id = await scene.add(bus);
    await scene.attempt(1);
    scene.state.mayTransfer = false;
    scene.engine.planChanged('BUS1');
    await scene.untilWait(id, 'plan');
  });

  it('a data plan that the last bytes have used up takes nothing from what came whole', async () => {
    scene.state.endsLate = true;
    const id = await scene.add(bus);
    const { attempt, end } = await scene.attempt(1);
    attempt.onState('checking');
    scene.state.mayTransfer = false;
    scene.engine.planChanged('BUS1');
    expect([attempt.signal.aborted, attempt.closing.aborted]).toEqual([true, false]);
    end({ kind: 'stored' });
    await scene.untilState(id, 'done');
  });

  it('a member pauses or cancels what is under way', async () => {
    const id = await scene.add(bus);
    const { attempt } = await scene.attempt(1);
    expect(await scene.engine.stopItem({ id, incarnation: bus }, { state: 'canceled', wait: '' })).toBe(true);
    expect(attempt.signal.aborted).toBe(true);
    await scene.until(() => scene.engine.runningCount === 0);
    expect((await scene.item(id)).state).toBe('canceled');
  });

  it('a rule is slowed down to its bandwidth', async () => {
    const rule = await scene.addRule({ kilobitsPerSecond: 8 });
    await scene.add(bus, { rule: rule.id, requestedBy: '' });
    const { attempt } = await scene.attempt(1);
    attempt.onBytes(12_000);
    expect(attempt.hold.isHeld).toBe(true);
    await scene.until(() => !attempt.hold.isHeld);
  });
});

describe('devices and rules that change meanwhile', () => {
  it('what nobody may have any more is stopped and canceled', async () => {
    const rule = await scene.addRule();
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    await scene.attempt(1);
    await scene.stores.memberGroups.setDeviceGroups(scene.depot, []);
    await scene.directory.reload();
    scene.engine.reviewRuns();
    await scene.untilState(id, 'canceled');
    expect((await scene.item(id)).fault).toBe('not-allowed');
  });

  it('what a rule fetched is stopped and canceled where it is switched off', async () => {
    const rule = await scene.addRule();
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    const { attempt } = await scene.attempt(1);
    const named = { id: rule.id, memberGroup: scene.depot, version: 1 };
    await scene.stores.syncRules.update(named, { content: aSyncRule({ enabled: false }), by: 'Ann', atMs: 1 });
    await scene.directory.reload();
    await scene.untilState(id, 'canceled');
    expect(attempt.signal.aborted).toBe(true);
  });

  it('what is played is stopped where its rule allows the mobile network no longer, and is uploaded', async () => {
    const rule = await scene.addRule();
    const id = await scene.add(bus, { rule: rule.id, requestedBy: '' });
    (await scene.attempt(1)).end({ kind: 'unusable', fault: 'refused' });
    const played = await scene.attempt(2);
    const named = { id: rule.id, memberGroup: scene.depot, version: 1 };
    await scene.stores.syncRules.update(named, { content: aSyncRule({ mobile: false }), by: 'Ann', atMs: 1 });
    await scene.directory.reload();
    expect(await scene.attempt(3)).toMatchObject({ method: 'ftp', attempt: { item: { id } } });
    expect(played.attempt.signal.aborted).toBe(true);
  });

  it('items of a device that is gone fail', async () => {
    scene.state.online.delete('BUS1');
    const id = await scene.add(bus);
    await scene.untilWait(id, 'online');
    await scene.stores.devices.remove('BUS1');
    await scene.directory.reload();
    scene.engine.kick(bus);
    await scene.untilState(id, 'failed');
    expect((await scene.item(id)).fault).toBe('device-removed');
  });

  it('a stop of the gateway plans again what is under way, and a start goes on with it', async () => {
    const id = await scene.add(bus);
    const { attempt } = await scene.attempt(1);
    await scene.engine.close();
    expect(attempt.closing.aborted).toBe(true);
    expect(await scene.item(id)).toMatchObject({ state: 'planned', attempts: 0 });
    await scene.stores.syncItems.change(id, { state: 'checking' }, 1);
    await scene.stores.syncItems.restart(2);
    expect((await scene.item(id)).state).toBe('planned');
  });
});
