// The engine over a real database, with devices that do what a test tells them and a clock that stands still.

import type { FetchedClip } from '../../../../server/events/evidence/clipHolds.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { SyncDirectory } from '../../../../server/sync/directory.ts';
import type { AttemptEnd } from '../../../../server/sync/engine/afterAttempt.ts';
import type { Attempt } from '../../../../server/sync/engine/attempts/attempt.ts';
import type { SyncEngineDeps } from '../../../../server/sync/engine/engineDeps.ts';
import { Methods } from '../../../../server/sync/engine/methods.ts';
import { SyncEngine } from '../../../../server/sync/engine/syncEngine.ts';
import type { DeviceFile } from '../../../../server/sync/plan/files.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { turnUntil } from '../../../support/waitFor.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

/** An attempt that lasts until the test ends it. */
export interface HeldAttempt {
  readonly attempt: Attempt;
  readonly method: 'ftp' | 'playback';
  readonly isSlow: boolean;
  end(how: AttemptEnd): void;
}

export type EngineScene = Awaited<ReturnType<typeof createEngineScene>>;

export async function createEngineScene(tellLimit: OnLimit = () => undefined) {
  const database = await openTestDatabase('sqlite');
  const stores = createStores(database.db);
  const group = await stores.deviceGroups.insert('North');
  const depot = await stores.memberGroups.insert({ name: 'Depot' });
  await stores.memberGroups.setDeviceGroups(depot, [group]);
  const timers = new ManualTimers();
  const state = {
    online: new Set<string>(),
    watched: new Set<string>(),
    mayTransfer: true,
    isDiskReady: true,
    here: new Map<number, readonly TimeRange[]>(),
    files: [] as DeviceFile[],
    /** Items of which something that came before the start is still to be read. */
    awaited: new Set<number>(),
    readLeftovers: async (): Promise<void> => undefined,
    /** Attempts take their time to end when the engine stops them: a test ends them. */
    endsLate: false,
    closeLeftovers: (): void => undefined,
    holdClip: async (clip: FetchedClip): Promise<void> => void eventsFetched.push(clip),
  };
  const attempts: HeldAttempt[] = [];
  const underWay = new Set<HeldAttempt>();
  const removedFiles: string[] = [];
  const leftoverReads: (number | 'all')[] = [];
  const eventsFetched: FetchedClip[] = [];
  const changedGroups: number[] = [];
  const faults: Error[] = [];
  const limits: string[] = [];
  const hold =
    (method: HeldAttempt['method']) =>
    (attempt: Attempt, isSlow = false) =>
      new Promise<AttemptEnd>((resolve) => {
        const held: HeldAttempt = {
          attempt,
          method,
          isSlow,
          end: (how) => {
            underWay.delete(held);
            resolve(how);
          },
        };
        attempt.signal.addEventListener('abort', () => {
          if (!state.endsLate) held.end({ kind: 'stopped' });
        });
        attempt.closing.addEventListener('abort', () => held.end({ kind: 'stopped' }));
        underWay.add(held);
        attempts.push(held);
      });
  const timing = {
    ...timers,
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: (error: Error) => void faults.push(error),
  };
  const directory = new SyncDirectory({ ...timing, sources: stores.syncSources, rules: stores.syncRules });
  const onLimit: OnLimit = (limit) => {
    limits.push(limit.name);
    tellLimit(limit);
  };
  const deps: SyncEngineDeps = {
    ...timing,
    items: stores.syncItems,
    directory,
    sources: { here: async () => state.here, files: async () => state.files },
    methods: new Methods({ now: timers.now, onLimit }),
    fetchByFtp: hold('ftp'),
    fetchByPlayback: hold('playback'),
    removeFile: async (name) => void removedFiles.push(name),
    leftovers: {
      readAll: () => {
        leftoverReads.push('all');
        return state.readLeftovers();
      },
      isAwaited: (id) => state.awaited.has(id),
      retry: async (id) => void leftoverReads.push(id),
      close: () => state.closeLeftovers(),
    },
    isOnline: ({ deviceId }) => state.online.has(deviceId),
    watchesCard: (deviceId) => state.watched.has(deviceId),
    planGate: { mayTransfer: () => (state.mayTransfer ? { ok: true } : { ok: false, reason: 'plan-no-transfers' }) },
    isDiskReady: () => state.isDiskReady,
    onChanged: (memberGroup) => void changedGroups.push(memberGroup),
    onEventFetched: (clip) => state.holdClip(clip),
    onLimit,
  };
  let engine = new SyncEngine(deps);
  const addDevice = async (deviceId: string, model = '', deviceGroup = group) => {
    const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn: 2, deviceGroup });
    if (model !== '')
      await database.db.updateTable('device').set({ model }).where('device_id', '=', deviceId).execute();
    await directory.reload();
    state.online.add(deviceId);
    return incarnation;
  };
  const add = async (incarnation: number, change: Parameters<typeof aSyncItem>[1] = {}) => {
    const [id = 0] = await stores.syncItems.add([aSyncItem(incarnation, { memberGroup: depot, ...change })], 0);
    engine.kick(incarnation);
    return id;
  };
  const addRule = async (change: Parameters<typeof aSyncRule>[0] = {}) => {
    const added = await stores.syncRules.insert(
      { memberGroup: depot },
      { content: aSyncRule(change), by: 'Ann', atMs: 0 },
    );
    if (!added.ok) throw new Error(added.reason);
    await directory.reload();
    return added.value;
  };
  const item = async (id: number) => {
    const found = await stores.syncItems.find(id);
    if (found === undefined) throw new Error('no such item');
    return found;
  };
  /** Lets rounds go by until the condition holds. */
  const until = (holds: () => boolean | Promise<boolean>, isBusy: () => boolean = () => false) =>
    turnUntil('the engine', async () => {
      if (await holds()) return true;
      if (!isBusy()) timers.advance(1_000);
      return false;
    });
  /** Whether the engine writes what it is about to do, or has done: time that went by meanwhile would count as the attempt's. */
  const isWriting = () => engine.runningCount > underWay.size;
  return {
    stores: stores as Stores,
    depot,
    group,
    timers,
    state,
    attempts,
    removedFiles,
    leftoverReads,
    eventsFetched,
    changedGroups,
    faults,
    limits,
    get engine() {
      return engine;
    },
    /** Restarts the engine as after a kill: what the one before was about to do stays undone. */
    restart: async () => {
      engine = new SyncEngine(deps);
      await engine.start();
    },
    directory,
    addDevice,
    add,
    addRule,
    item,
    until,
    untilState: (id: number, wanted: string) => until(async () => (await item(id)).state === wanted),
    untilWait: (id: number, wanted: string) => until(async () => (await item(id)).wait === wanted),
    /** Waits for the attempt with this number. */
    attempt: async (number: number): Promise<HeldAttempt> => {
      await until(() => attempts.length >= number, isWriting);
      const held = attempts[number - 1];
      if (held === undefined) throw new Error('no attempt');
      return held;
    },
    close: async () => {
      await engine.close();
      await directory.close();
      await database.close();
    },
  };
}
