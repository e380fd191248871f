// How the limits of what data sync asks of devices, and of what they send, are reached.
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { FtpUploadLogin } from '../../../../server/ftp/ftpLogin.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { SyncDevice } from '../../../../server/store/sync/syncSources.ts';
import {
  fetchByFtp,
  UPLOAD_BYTES_LIMIT,
  UPLOAD_FILES_LIMIT,
} from '../../../../server/sync/engine/attempts/ftpAttempt.ts';
import { KEPT_BYTES_LIMIT, KeptFiles } from '../../../../server/sync/engine/keptFiles.ts';
import { RUNS_LIMIT } from '../../../../server/sync/engine/syncEngine.ts';
import {
  type AskedRecordings,
  DeviceListings,
  LISTED_ANSWER_LIMIT,
  LISTINGS_LIMIT,
} from '../../../../server/sync/listing/deviceListings.ts';
import { DevicePlanning, PLANNED_EVENTS_LIMIT } from '../../../../server/sync/planning/devicePlanning.ts';
import type { DeviceSources } from '../../../../server/sync/sources/deviceSources.ts';
import type { RecordingOnDevice } from '../../../../shared/protocol/api/recordings.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { DeviceClock } from '../../../../shared/protocol/tracks/deviceClock.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { anAttempt } from '../../../support/sync/anAttempt.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createEngineScene } from '../../sync/engine/engineScene.ts';
import type { LimitCase } from '../describeLimits.ts';

const DAY_MS = 86_400_000;
const START_MS = 100 * DAY_MS;
/** Unless SYNC_FILES_MAX_MB says otherwise. */

interface ListingScene {
  readonly devices: SyncDevice[];
  readonly ask: (fromMs: number) => Promise<AskedRecordings>;
  readonly onStored: (count: number) => void;
  readonly onLimit: OnLimit;
}

function openListings({ devices, ask, onStored, onLimit }: ListingScene) {
  const timers = new ManualTimers();
  let listed = 0;
  const listings = new DeviceListings({
    store: {
      listings: async () => new Map(),
      setListed: async () => undefined,
      replace: async (_window, found) => onStored(found.length),
      daysBefore: async () => [],
      within: async () => [],
    },
    directory: { devices, ownerOf: () => 1, ownerCount: 1 },
    onlineSinceMs: () => START_MS,
    channelsOf: () => [1],
    daysBackOfRules: () => [],
    clockOf: async () => new DeviceClock([]),
    ask: (_device, _channel, { fromMs }) => ask(fromMs),
    onListed: () => void listed++,
    now: () => START_MS + timers.now(),
    random: () => 0,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
    onLimit,
  });
  const round = async (): Promise<void> => {
    timers.advance(15_000);
    await waitFor('the round is over', () => timers.pending > 0);
  };
  return { listings, round, listedCount: () => listed };
}

const numbered = (incarnation: number) =>
  ({ deviceId: `BUS${incarnation}`, incarnation, disabled: false }) as SyncDevice;

export const listingsCase: LimitCase = {
  limit: LISTINGS_LIMIT,
  open: (onLimit) => {
    const devices = Array.from({ length: LISTINGS_LIMIT.max }, (_, at) => numbered(at));
    const ask = () => new Promise<never>(() => undefined);
    const { listings, round } = openListings({ devices, ask, onStored: () => undefined, onLimit });
    return {
      upTo: async () => {
        for (let at = 0; at < 4; at++) await round();
        expect(listings.askingCount).toBe(LISTINGS_LIMIT.max);
      },
      beyond: async () => {
        devices.push(numbered(99));
        // Some time after it has come, and then in the next round.
        await round();
        expect(listings.askingCount).toBe(LISTINGS_LIMIT.max);
      },
    };
  },
};

export const answerCase: LimitCase = {
  limit: LISTED_ANSWER_LIMIT,
  open: (onLimit) => {
    const list = async (count: number): Promise<number> => {
      let stored = 0;
      const recordings = (fromMs: number): RecordingOnDevice[] =>
        Array.from({ length: count }, (_, at) => {
          const times = { startMs: wallMs(fromMs + at), endMs: wallMs(fromMs + at + 1) };
          return { ...times, stream: 'main', alarms: 0, videoAlarms: 0, bytes: 1 } as RecordingOnDevice;
        });
      const scene = openListings({
        devices: [numbered(1)],
        ask: async (fromMs) => ({ ok: true, recordings: fromMs === START_MS ? recordings(fromMs) : [] }),
        onStored: (stores) => {
          stored += stores;
        },
        onLimit,
      });
      await waitFor('it is listed', async () => {
        await scene.round();
        return scene.listedCount() > 0;
      });
      await scene.listings.close();
      return stored;
    };
    return {
      upTo: async () => expect(await list(LISTED_ANSWER_LIMIT.max)).toBe(LISTED_ANSWER_LIMIT.max),
      beyond: async () => expect(await list(LISTED_ANSWER_LIMIT.max + 1)).toBe(LISTED_ANSWER_LIMIT.max),
    };
  },
};

export const eventsCase: LimitCase = {
  limit: PLANNED_EVENTS_LIMIT,
  open: (onLimit) => {
    let count = PLANNED_EVENTS_LIMIT.max;
    const device = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1, timeZone: 'UTC' } as SyncDevice;
    const stamps = { version: 1, changedAtMs: wallMs(0), changedBy: '' };
    const rule = { id: 1, memberGroup: 1, content: aSyncRule({ choice: 'events' }), ...stamps };
    const file = {
      channel: 1,
      stream: 'main',
      fromMs: 0,
      toMs: 1,
      offsetMs: 0,
      hasAlarm: false,
      isGone: true,
      bytes: 1,
    };
    const timers = new ManualTimers();
    let asked = 0;
    const planning = new DevicePlanning({
      directory: { device: () => device, devices: [device], rulesFor: () => [rule] },
      items: { add: async () => [], taken: async () => [] },
      events: {
        events: async ({ limit }) => {
          asked = limit;
          const event = { type: 'sos', unit: 0, beginAtMs: 1, isLate: false };
          return Array.from({ length: Math.min(count, limit) }, () => event);
        },
      },
      sources: {
        files: async () => [file],
        here: async () => new Map(),
        clockOf: async () => new DeviceClock([]),
      } as unknown as DeviceSources,
      channelsOf: () => [1],
      clipOf: () => ({ beforeS: 1, afterS: 1 }),
      isOfChannel: () => false,
      onPlanned: () => undefined,
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit,
    });
    return {
      upTo: async () => expect(await planning.plan(device)).toBe(0),
      beyond: async () => {
        count = 2 * PLANNED_EVENTS_LIMIT.max;
        await planning.plan(device);
        expect(asked).toBe(PLANNED_EVENTS_LIMIT.max + 1);
      },
    };
  },
};

export const runsCase: LimitCase = {
  limit: RUNS_LIMIT,
  open: async (onLimit) => {
    const scene = await createEngineScene(onLimit);
    onTestFinished(() => scene.close());
    const ask = async (number: number): Promise<number> => scene.add(await scene.addDevice(`BUS${number}`));
    return {
      upTo: async () => {
        for (let number = 1; number <= RUNS_LIMIT.max; number++) await ask(number);
        await scene.attempt(RUNS_LIMIT.max);
      },
      beyond: async () => {
        await scene.untilWait(await ask(RUNS_LIMIT.max + 1), 'turn');
        expect(scene.attempts).toHaveLength(RUNS_LIMIT.max);
      },
    };
  },
};

/** An upload that sends so many files and bytes; the server of files cuts what is more. */
function upload(files: number, bytes: number, onLimit: OnLimit) {
  const timers = new ManualTimers();
  let login: FtpUploadLogin | undefined;
  return fetchByFtp(anAttempt().attempt, {
    logins: {
      open: (opened) => {
        login = opened as FtpUploadLogin;
        return {
          address: { host: 'gateway', port: 7021, user: 'u', password: 'p', path: '/u' },
          close: () => undefined,
        };
      },
    },
    uploads: {
      request: async () => {
        login?.onBytes(bytes);
        for (let at = 0; at < files; at++) {
          void login?.onFile({ path: `/data/${at}`, name: `${at}`, bytes: 1, isWhole: bytes < UPLOAD_BYTES_LIMIT.max });
        }
        return { ok: true, done: Promise.resolve('failed'), control: async () => true };
      },
    },
    ingest: {
      file: async () => ({ kind: 'stored', addedMs: 1, bytes: 1 }),
      length: async () => ({ isDated: true, lengthMs: 1 }),
    },
    addressesOf: () => ({ remoteAddress: '10.0.0.1', localAddress: '10.0.0.2' }),
    makeFolder: async () => '/data',
    noteFile: async () => undefined,
    removeFolder: async () => undefined,
    keep: async () => false,
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
    onLimit,
  });
}

const INCOMPLETE = { kind: 'failed', fault: 'incomplete', addedMs: 1 } as const;

export const uploadBytesCase: LimitCase = {
  limit: UPLOAD_BYTES_LIMIT,
  open: (onLimit) => ({
    upTo: async () => expect(await upload(1, UPLOAD_BYTES_LIMIT.max - 1, onLimit)).toEqual(INCOMPLETE),
    beyond: async () =>
      expect(await upload(1, UPLOAD_BYTES_LIMIT.max, onLimit)).toEqual({
        kind: 'failed',
        fault: 'too-large',
        addedMs: 0,
      }),
  }),
};

export const uploadFilesCase: LimitCase = {
  limit: UPLOAD_FILES_LIMIT,
  open: (onLimit) => {
    const send = (files: number) => upload(files, 1, onLimit);
    const addedBy = (files: number) => ({ ...INCOMPLETE, addedMs: files });
    return {
      upTo: async () => expect(await send(UPLOAD_FILES_LIMIT.max - 1)).toEqual(addedBy(UPLOAD_FILES_LIMIT.max - 1)),
      beyond: async () => expect(await send(UPLOAD_FILES_LIMIT.max)).toEqual(addedBy(UPLOAD_FILES_LIMIT.max)),
    };
  },
};

export const keptBytesCase: LimitCase = {
  limit: KEPT_BYTES_LIMIT,
  open: async (onLimit) => {
    const temp = await createTempFolder();
    onTestFinished(temp.remove);
    const kept: string[] = [];
    const cleared: number[] = [];
    const files = new KeptFiles({
      folder: join(temp.path, 'sync'),
      items: {
        find: async () => undefined,
        change: async (_item, { file = '' }) => {
          kept.push(file);
          return true;
        },
        keptFiles: async () => kept.map((name, item) => ({ item, memberGroup: 1, name, changedAtMs: item })),
        clearFile: async (item) => void cleared.push(item),
      },
      maximumBytes: KEPT_BYTES_LIMIT.max,
      keptMs: 1,
      now: () => 0,
      onLimit,
    });
    const keep = async (bytes: number): Promise<void> => {
      const path = join(temp.path, 'file');
      writeFileSync(path, '');
      // Takes no room on the disk.
      truncateSync(path, bytes);
      await files.keep(path, bytes, 0);
      // The kept one is the same file until then.
      rmSync(path);
    };
    return {
      upTo: async () => {
        await keep(KEPT_BYTES_LIMIT.max);
        expect(cleared).toEqual([]);
      },
      beyond: async () => {
        await keep(1);
        expect(cleared).toEqual([0]);
      },
    };
  },
};
