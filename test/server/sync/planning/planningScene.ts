// Planning over a real database: what a device has listed, reported and recorded becomes items of rules.
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import type { Position } from '../../../../server/store/fleet/position.ts';
import type { RecordingPolicy } from '../../../../server/store/recordings/recordingPolicies.ts';
import { createStores } from '../../../../server/store/stores.ts';
import type { ListedRecording } from '../../../../server/store/sync/deviceRecordings.ts';
import { SyncDirectory } from '../../../../server/sync/directory.ts';
import { DevicePlanning } from '../../../../server/sync/planning/devicePlanning.ts';
import { createDeviceSources } from '../../../../server/sync/sources/deviceSources.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { ClockStep } from '../../../../shared/protocol/tracks/deviceClock.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { aPosition } from '../../fleet/positions/aPosition.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A Wednesday; minutes of tests are counted from the midnight before it. */
export const PLANNED_AT_MS = Date.UTC(2026, 6, 15, 20);
const MIDNIGHT_MS = Date.UTC(2026, 6, 15);

/** The time this many minutes after the midnight. */
export const atMinute = (minute: number): number => MIDNIGHT_MS + minute * MINUTE_MS;

type Minutes = readonly [from: number, to: number];

export type PlanningScene = Awaited<ReturnType<typeof createPlanningScene>>;

export async function createPlanningScene() {
  const database = await openTestDatabase('sqlite');
  const stores = createStores(database.db);
  const group = await stores.deviceGroups.insert('North');
  const depot = await stores.memberGroups.insert({ name: 'Depot' });
  await stores.memberGroups.setDeviceGroups(depot, [group]);
  const { incarnation, archiveNumber } = await stores.devices.insert({
    deviceId: 'BUS1',
    name: 'BUS1',
    chn: 2,
    deviceGroup: group,
    timeZone: 'UTC',
  });
  const timers = new ManualTimers();
  const preset: RecordingPolicy = { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 };
  const sources = createDeviceSources({
    recordings: stores.listedRecordings,
    tracks: stores.trackSummary,
    positions: stores.positions,
    policies: stores.recordingPolicies,
    preset,
    recorded: stores.segments,
  });
  const directory = new SyncDirectory({
    sources: stores.syncSources,
    rules: stores.syncRules,
    runAfter: timers.runAfter,
    onFault: noFaults,
  });
  const planning = new DevicePlanning({
    directory,
    items: stores.syncItems,
    events: stores.syncSources,
    sources,
    channelsOf: () => [1, 2],
    clipOf: () => ({ beforeS: 60, afterS: 120 }),
    isOfChannel: (type) => type === 'video-loss',
    onPlanned: () => undefined,
    now: () => PLANNED_AT_MS + timers.now(),
    runAfter: timers.runAfter,
    onFault: noFaults,
    onLimit: () => undefined,
  });
  const deviceOf = async () => {
    await directory.reload();
    const device = directory.device(incarnation);
    if (device === undefined) throw new Error('no device');
    return device;
  };
  return {
    stores,
    database,
    depot,
    group,
    incarnation,
    sources,
    directory,
    addRule: async (change: Parameters<typeof aSyncRule>[0] = {}) => {
      const added = await stores.syncRules.insert(
        { memberGroup: depot },
        { content: aSyncRule(change), by: 'Ann', atMs: 0 },
      );
      if (!added.ok) throw new Error(added.reason);
      return added.value.id;
    },
    /** Lists files whose times are in minutes; `clockMs`: how far the device's clock is ahead. */
    list: async (files: readonly Minutes[], change: Partial<ListedRecording> = {}, clockMs = 0) => {
      const recordings = files.map(([from, to]): ListedRecording => {
        const times = { fromMs: atMinute(from) + clockMs, toMs: atMinute(to) + clockMs };
        return { channel: 1, ...times, stream: 'main', alarms: '0'.repeat(16), bytes: 1_000, ...change };
      });
      const { channel = 1 } = change;
      const midnightMs = MIDNIGHT_MS + clockMs;
      const window = { incarnation, channel, fromMs: midnightMs - 90 * DAY_MS, toMs: midnightMs + DAY_MS };
      await stores.listedRecordings.replace(window, recordings);
    },
    /** Reports positions by the device's clock. */
    report: async (positions: readonly (readonly [minute: number, statusBits: number])[], clockMs = 0) => {
      const reported = positions.map(([minute, statusBits]): Position => {
        const times = { deviceTimeMs: wallMs(atMinute(minute) + clockMs), receivedAtMs: wallMs(atMinute(minute)) };
        return { ...aPosition(incarnation, minute), deviceId: 'BUS1', ...times, statusBits };
      });
      await stores.positions.append(reported);
    },
    /** Adds a recording of the server, of channel 1. */
    record: async (archiveId: string, from: number, to: number) => {
      const times = { startMs: wallMs(atMinute(from)), endMs: wallMs(atMinute(to)) };
      const device = { deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
      const segment = { archiveId, channel: 1, quality: 'main', bytes: 1, groupCount: 1, ...times, ...device } as const;
      await stores.segments.add([segment]);
    },
    setClock: async (steps: readonly ClockStep[]) => {
      const rows = steps.map(({ deviceFromMs, offsetMs }) => {
        return { incarnation, device_from_ms: deviceFromMs, offset_ms: offsetMs };
      });
      await database.db.insertInto('device_clock').values(rows).execute();
    },
    happen: async (events: readonly Partial<NewEvent>[]) => {
      const added = events.map((event) => anEvent({ archiveNumber, isLate: false, ...event }));
      return await stores.eventLog.write({ added, changed: [], days: [] });
    },
    addItem: async (change: Parameters<typeof aSyncItem>[1] = {}) =>
      (await stores.syncItems.add([aSyncItem(incarnation, change)], 10))[0] ?? 0,
    pass: (ms: number) => timers.advance(ms),
    passedMs: timers.now,
    plan: async () => planning.plan(await deviceOf()),
    /** Minutes of the items that have not ended, by channel and begin. */
    planned: async () => {
      const taken = await stores.syncItems.taken(incarnation, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
      const minutes = (ms: number): number => (ms - MIDNIGHT_MS) / MINUTE_MS;
      return taken
        .filter(({ state }) => state === 'planned')
        .map(({ channel, fromMs, toMs }) => [channel, minutes(fromMs), minutes(toMs)]);
    },
    close: async () => {
      await planning.close();
      await directory.close();
      await database.close();
    },
  };
}
