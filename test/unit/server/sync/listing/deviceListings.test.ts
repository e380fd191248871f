import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredRecording } from '../../../../../server/store/sync/deviceRecordings.ts';
import type { SyncDevice } from '../../../../../server/store/sync/syncSources.ts';
import {
  type AskedRecordings,
  DeviceListings,
  LISTINGS_LIMIT,
} from '../../../../../server/sync/listing/deviceListings.ts';
import type { RecordingOnDevice } from '../../../../../shared/protocol/api/recordings.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const START_MS = 100 * DAY_MS;

const deviceOf = (incarnation: number, disabled = false) =>
  ({ deviceId: `BUS${incarnation}`, incarnation, disabled }) as SyncDevice;

function recordingAt(startMs: number): RecordingOnDevice {
  return {
    startMs: wallMs(startMs),
    endMs: wallMs(startMs + 1_000),
    stream: 'main',
    alarms: 1,
    videoAlarms: 2,
    bytes: 9,
  } as RecordingOnDevice;
}

describe('listings of what devices have recorded (S-2.4.8)', () => {
  let timers: ManualTimers;
  let listings: DeviceListings;
  let devices: SyncDevice[];
  let online: Map<number, number>;
  let asked: { device: string; channel: number; fromMs: number }[];
  let answer: (device: SyncDevice, fromMs: number) => AskedRecordings | Promise<AskedRecordings>;
  let stored: { channel: number; fromMs: number; alarms: readonly string[] }[];
  let listed: number[];
  /** Days before the week, by their number, that it listed when they were newer. */
  let oldDays: number[];
  /** Days of which the device has lost something. */
  let lostDays: Set<number>;
  let clock: DeviceClock;
  beforeEach(() => {
    timers = new ManualTimers();
    devices = [deviceOf(1)];
    online = new Map([[1, START_MS]]);
    asked = [];
    stored = [];
    listed = [];
    oldDays = [];
    lostDays = new Set();
    clock = new DeviceClock([]);
    answer = (_device, fromMs) => ({ ok: true, recordings: [recordingAt(fromMs)] });
    listings = new DeviceListings({
      store: {
        listings: async () => new Map(),
        setListed: async () => undefined,
        replace: async ({ channel, fromMs }, found) =>
          void stored.push({ channel, fromMs, alarms: found.map(({ alarms }) => alarms) }),
        daysBefore: async (_incarnation, beforeMs) =>
          oldDays.map((day) => START_MS + day * DAY_MS).filter((ms) => ms < beforeMs),
        within: async (_incarnation, { fromMs, toMs }) =>
          [...lostDays, ...oldDays]
            .map((day) => ({ day, ms: START_MS + day * DAY_MS }))
            .filter(({ ms }) => ms >= fromMs && ms < toMs)
            .map(({ day }) => ({ isGone: lostDays.has(day) }) as StoredRecording),
      },
      directory: {
        get devices() {
          return devices;
        },
        ownerOf: ({ incarnation }) => Math.floor(incarnation / 100),
        get ownerCount() {
          return new Set(devices.map(({ incarnation }) => Math.floor(incarnation / 100))).size;
        },
      },
      onlineSinceMs: ({ incarnation }) => online.get(incarnation),
      channelsOf: () => [1, 2],
      daysBackOfRules: () => [],
      clockOf: async () => clock,
      ask: async (device, channel, { fromMs }) => {
        asked.push({ device: device.deviceId, channel, fromMs });
        return answer(device, fromMs);
      },
      onListed: ({ incarnation }) => void listed.push(incarnation),
      now: () => START_MS + timers.now(),
      random: () => 0,
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
    });
  });
  afterEach(() => listings.close());

  const until = (holds: () => boolean, stepMs = 15_000) =>
    waitFor('the listings', () => {
      if (holds()) return true;
      timers.advance(stepMs);
      return false;
    });

  it('are of a week and of each camera for a device that no rule is for, the newest day first', async () => {
    await until(() => listed.length === 1);
    expect(new Set(asked.map(({ channel }) => channel))).toEqual(new Set([1, 2]));
    const days = [...new Set(asked.map(({ fromMs }) => (fromMs - START_MS) / DAY_MS))];
    expect(days).toEqual([1, 0, -1, -2, -3, -4, -5, -6, -7]);
    expect(stored).toHaveLength(18);
    expect(stored[0]?.alarms).toEqual(['0000000200000001']);
    expect(listings.listedAtMs(1)).toBeGreaterThan(START_MS);
  });

  describe('of days before the week', () => {
    const askedOld = (): number[] => {
      const days = asked.map(({ fromMs }) => (fromMs - START_MS) / DAY_MS).filter((day) => day < -7);
      return [...new Set(days)];
    };
    beforeEach(() => {
      oldDays = [-40, -30, -20, -10];
    });

    it('are those that it listed, from the oldest to the first that it has all of', async () => {
      lostDays = new Set([-40, -30]);
      await until(() => listed.length === 1);
      await until(() => listings.askingCount === 0, 0);
      expect(askedOld()).toEqual([-40, -30, -20]);
      expect(stored.filter(({ fromMs }) => fromMs === START_MS - 20 * DAY_MS)).toHaveLength(2);
    });

    it('go on behind a day that it refuses', async () => {
      answer = (_device, fromMs) =>
        fromMs === START_MS - 40 * DAY_MS ? { ok: false, reason: 'refused' } : { ok: true, recordings: [] };
      await until(() => listed.length === 1);
      await until(() => listings.askingCount === 0, 0);
      expect(askedOld()).toEqual([-40, -30]);
    });

    it('are left until the next day after an absence', async () => {
      await until(() => listed.length === 1);
      await until(() => listings.askingCount === 0, 0);
      asked = [];
      timers.advance(HOUR_MS);
      online.set(1, START_MS + timers.now());
      await until(() => listed.length === 2);
      await until(() => listings.askingCount === 0, 0);
      expect(askedOld()).toEqual([]);
    });
  });

  it('are of the same days by a clock that is off by years', async () => {
    // A clock that was never set gives 90 days after its year zero.
    clock = new DeviceClock([{ deviceFromMs: 90 * DAY_MS, offsetMs: 10 * DAY_MS }]);
    await until(() => listed.length === 1);
    const days = [...new Set(asked.map(({ fromMs }) => fromMs / DAY_MS))];
    expect(days).toEqual([91, 90, 89, 88, 87, 86, 85, 84, 83]);
  });

  describe('by a clock that turns out to be another', () => {
    const newestAsked = (): number => Math.max(...asked.map(({ fromMs }) => fromMs));
    beforeEach(() => until(() => listed.length === 1));

    it.each([
      ['the first report is written', 30_000],
      ['some reports have shown that it was set', 3 * MINUTE_MS],
    ])('are asked for again once %s', async (_when, afterMs) => {
      timers.advance(afterMs - MINUTE_MS / 2);
      clock = new DeviceClock([{ deviceFromMs: START_MS, offsetMs: -300 * DAY_MS }]);
      asked = [];
      await until(() => listed.length === 2);
      expect(newestAsked()).toBe(START_MS + 301 * DAY_MS);
      await until(() => timers.now() > HOUR_MS, 5 * MINUTE_MS);
      expect(listed).toHaveLength(2);
    });

    it('are not where it is off by less than the days around them allow for', async () => {
      clock = new DeviceClock([{ deviceFromMs: START_MS, offsetMs: 59 * MINUTE_MS }]);
      await until(() => timers.now() > HOUR_MS, 5 * MINUTE_MS);
      expect(listed).toHaveLength(1);
    });
  });

  it('are asked for again after a day, and after an absence for what is new', async () => {
    await until(() => listed.length === 1);
    const count = asked.length;
    timers.advance(HOUR_MS);
    expect(asked).toHaveLength(count);
    online.set(1, START_MS + timers.now());
    await until(() => listed.length === 2);
    expect(asked.length - count).toBeLessThan(count / 2);
    await until(() => listed.length === 3, HOUR_MS);
    expect(timers.now()).toBeGreaterThanOrEqual(DAY_MS);
  });

  it('are left for an hour where the device does not answer, and skip a day that it refuses', async () => {
    answer = () => ({ ok: false, reason: 'away' });
    await until(() => asked.length === 1);
    await until(() => listings.askingCount === 0, 0);
    timers.advance(30 * MINUTE_MS);
    expect(asked).toHaveLength(1);
    answer = () => ({ ok: false, reason: 'refused' });
    await until(() => listed.length === 1, 5 * MINUTE_MS);
    expect(timers.now()).toBeGreaterThanOrEqual(HOUR_MS);
    expect(stored).toEqual([]);
  });

  it('are not asked of devices that are away or disabled', async () => {
    devices = [deviceOf(1, true), deviceOf(2), deviceOf(3)];
    online = new Map([
      [1, START_MS],
      [3, START_MS],
    ]);
    await until(() => listed.length > 0);
    expect(new Set(asked.map(({ device }) => device))).toEqual(new Set(['BUS3']));
  });

  it('know who was asked and in vain, however many there are to ask', async () => {
    const silent = deviceOf(1);
    const others = Array.from({ length: LISTINGS_LIMIT.max + 2 }, (_, at) => deviceOf(at + 2));
    devices = [...others, silent];
    answer = () => ({ ok: false, reason: 'away' });
    await until(() => asked.length === 1);
    let release = (_answer: AskedRecordings): void => undefined;
    const slow = new Promise<AskedRecordings>((resolve) => {
      release = resolve;
    });
    answer = () => slow;
    for (const { incarnation } of others) online.set(incarnation, START_MS + timers.now());
    // A round now meets the limit before it comes to the one that didn't answer.
    await until(() => asked.length === 1 + LISTINGS_LIMIT.max);
    timers.advance(30_000);
    release({ ok: false, reason: 'away' });
    await until(() => asked.length >= devices.length && listings.askingCount === 0);
    timers.advance(30_000);
    expect(timers.now()).toBeLessThan(HOUR_MS);
    expect(asked.map(({ device }) => device).sort()).toEqual(devices.map(({ deviceId }) => deviceId).sort());
  });

  describe('of several member groups', () => {
    const ofGroups = (...incarnations: number[]): void => {
      devices = incarnations.map((incarnation) => deviceOf(incarnation));
      online = new Map(incarnations.map((incarnation) => [incarnation, START_MS]));
    };
    const askedDevices = (): string[] => [...new Set(asked.map(({ device }) => device))];
    /** Ends the listing of a device. */
    let end: Map<string, () => void>;
    beforeEach(() => {
      end = new Map();
      answer = ({ deviceId }) =>
        new Promise((resolve) => end.set(deviceId, () => resolve({ ok: false, reason: 'away' })));
    });
    afterEach(() => {
      for (const each of end.values()) each();
    });

    it('leave a place for another group, which a later one finds at once', async () => {
      ofGroups(101, 102, 103, 104, 105);
      devices.push(deviceOf(201));
      await until(() => listings.askingCount === 3);
      timers.advance(30_000);
      expect(askedDevices()).toEqual(['BUS101', 'BUS102', 'BUS103']);
      online.set(201, START_MS);
      await until(() => listings.askingCount === 4);
      expect(askedDevices()).toContain('BUS201');
    });

    it('are in turn: next is the group that has waited longest of those with the fewest', async () => {
      ofGroups(101, 102, 201, 202, 301, 302, 401, 402, 501, 502);
      await until(() => listings.askingCount === 4);
      expect(askedDevices()).toEqual(['BUS101', 'BUS201', 'BUS301', 'BUS401']);
      end.get('BUS101')?.();
      await until(() => askedDevices().length === 5);
      expect(askedDevices().at(-1)).toBe('BUS501');
      end.get('BUS501')?.();
      await until(() => askedDevices().length === 6);
      expect(askedDevices().at(-1)).toBe('BUS102');
    });
  });
});
