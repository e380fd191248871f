import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SyncRetention } from '../../../server/sync/retention.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { waitFor } from '../../support/waitFor.ts';
import { createPlanningScene, type PlanningScene } from './planning/planningScene.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 6, 15);

let scene: PlanningScene;
let timers: ManualTimers;
let retention: SyncRetention;
let sweeps: number;
beforeEach(async () => {
  scene = await createPlanningScene();
  timers = new ManualTimers();
  sweeps = 0;
  retention = new SyncRetention({
    items: scene.stores.syncItems,
    rules: scene.stores.syncRules,
    recordings: scene.stores.listedRecordings,
    files: { removeOld: async () => void sweeps++ },
    now: () => NOW_MS,
    runAfter: timers.runAfter,
    onFault: noFaults,
  });
});
afterEach(async () => {
  await retention.close();
  await scene.close();
});

/** One round, which begins ten minutes after the start. */
async function sweep(): Promise<void> {
  timers.advance(10 * 60_000);
  await waitFor('the round is over, and the next one planned', () => timers.pending > 0);
  expect(sweeps).toBe(1);
}

async function endedAgo(days: number, rule?: number): Promise<number> {
  const id = await scene.addItem({ rule, memberGroup: scene.depot });
  await scene.stores.syncItems.change(id, { state: 'done' }, NOW_MS - days * DAY_MS);
  return id;
}

const isKept = async (id: number): Promise<boolean> => (await scene.stores.syncItems.find(id)) !== undefined;

describe('what data sync forgets (S-2.4.8)', () => {
  it('items that ended 91 days ago, and none that is open', async () => {
    const [old, fresh, open] = [await endedAgo(92), await endedAgo(90), await scene.addItem()];
    await sweep();
    expect([await isKept(old), await isKept(fresh), await isKept(open)]).toEqual([false, true, true]);
  });

  it('items of a rule that keeps recordings for longer a day after them, and those of others in their time', async () => {
    const long = await scene.addRule({ name: 'long', keptDays: 120 });
    const short = await scene.addRule({ name: 'short', keptDays: 30 });
    const gone = [await endedAgo(122, long), await endedAgo(92, short), await endedAgo(92)];
    const kept = [await endedAgo(120, long), await endedAgo(90, short), await endedAgo(90)];
    await sweep();
    expect(await Promise.all(gone.map(isKept))).toEqual([false, false, false]);
    expect(await Promise.all(kept.map(isKept))).toEqual([true, true, true]);
  });

  const listedAt = async (starts: readonly number[]): Promise<number[]> => {
    const same = { channel: 1, stream: 'main', alarms: '0'.repeat(16), bytes: 1 } as const;
    const recordings = starts.map((fromMs) => ({ ...same, fromMs, toMs: fromMs + 60_000 }));
    const window = { incarnation: scene.incarnation, channel: 1, fromMs: 0, toMs: 2 * NOW_MS };
    await scene.stores.listedRecordings.replace(window, recordings);
    await sweep();
    const left = await scene.stores.listedRecordings.within(scene.incarnation, { fromMs: 0, toMs: 2 * NOW_MS });
    return left.map(({ fromMs }) => fromMs);
  };

  it('what a device listed, 100 days after it was recorded', async () => {
    const [old, fresh] = [NOW_MS - 101 * DAY_MS, NOW_MS - 99 * DAY_MS];
    expect(await listedAt([old, fresh])).toEqual([fresh]);
  });

  it("what it listed by a clock that was never set, by the gateway's", async () => {
    const offsetMs = NOW_MS - 200 * DAY_MS;
    await scene.setClock([
      { deviceFromMs: 50 * DAY_MS, offsetMs },
      { deviceFromMs: NOW_MS - 5 * DAY_MS, offsetMs: 0 },
    ]);
    const [old, early, late] = [99 * DAY_MS, 101 * DAY_MS, NOW_MS - DAY_MS];
    expect(await listedAt([20 * DAY_MS, old, early, late])).toEqual([early, late]);
  });
});
