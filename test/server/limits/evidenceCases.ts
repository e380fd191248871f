// How the limits of pictures, files and recordings of events are reached.
import { expect } from 'vitest';
import { ReceivedRanges } from '../../../server/device/attachments/receivedRanges.ts';
import { createAlarmMark } from '../../../server/device/jt808/codec/alarmMark.ts';
import {
  AttachmentRequests,
  REQUESTS_LIMIT,
  WAITING_REQUESTS_LIMIT,
} from '../../../server/events/evidence/attachmentRequests.ts';
import { ClipHolds, EVENT_HOLDS_LIMIT, WAITING_HOLDS_LIMIT } from '../../../server/events/evidence/clipHolds.ts';
import {
  DEVICE_SHARE_LIMIT,
  EvidenceStorage,
  GROUP_SHARE_LIMIT,
  INCOMING_FILES_LIMIT,
} from '../../../server/events/evidence/evidenceStorage.ts';
import { HourlyLimit } from '../../../server/events/evidence/hourlyLimit.ts';
import {
  DEVICE_PARTIAL_FILES_LIMIT,
  PARTIAL_FILES_LIMIT,
  type PartialFile,
  PartialFiles,
} from '../../../server/events/evidence/partialFiles.ts';
import { PICTURES_LIMIT } from '../../../server/events/evidence/pictures.ts';
import {
  SNAPSHOTS_LIMIT,
  SnapshotRequests,
  WAITING_SNAPSHOTS_LIMIT,
} from '../../../server/events/evidence/snapshotRequests.ts';
import {
  ACCOUNT_PACKAGES_LIMIT,
  PACKAGES_LIMIT,
  PackagePlaces,
} from '../../../server/http/events/package/packagePlaces.ts';
import type { Limit, OnLimit } from '../../../server/limits/limit.ts';
import { ONE_OWNER, OWNERS_BY_HUNDRED } from '../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../support/newTrackedEvent.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { failNever } from './terminals/terminalScene.ts';

const device = (archiveNumber: number) => ({ deviceId: `BUS${archiveNumber}`, incarnation: 1, archiveNumber });

function hourlyCase(limit: Limit): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const timers = new ManualTimers();
      const hourly = new HourlyLimit(limit, { onLimit, now: timers.now });
      return {
        upTo: () => times(limit.max, () => expect(hourly.take(1)).toBe(true)),
        beyond: () => {
          expect(hourly.take(1)).toBe(false);
          expect(hourly.take(2)).toBe(true);
          timers.advance(3_600_000 / limit.max);
          expect(hourly.take(1)).toBe(true);
        },
      };
    },
  };
}

function common(onLimit: OnLimit) {
  const timers = new ManualTimers();
  return { now: timers.now, runAfter: timers.runAfter, owners: ONE_OWNER, onFault: failNever, onLimit };
}

const snapshotsCase: LimitCase = {
  limit: WAITING_SNAPSHOTS_LIMIT,
  open: (onLimit) => {
    const requests = new SnapshotRequests({
      ...common(onLimit),
      store: {
        add: async (rows) => rows.map(({ archiveNumber, channel }) => archiveNumber * 1_000 + channel),
        requested: async () => [],
        setAsked: async () => undefined,
        setTerminalMediaId: async () => undefined,
        setState: async () => undefined,
      },
      sessionOf: () => undefined,
    });
    const ask = (archiveNumber: number, count: number) =>
      requests.request(
        device(archiveNumber),
        { eventId: 1, eventBeginAtMs: 1 },
        Array.from({ length: count }, (_, at) => at + 1),
      );
    return {
      upTo: async () => {
        for (let at = 0; at < WAITING_SNAPSHOTS_LIMIT.max / 50; at++) await ask(at, 50);
        expect(requests.waitingCount).toBe(WAITING_SNAPSHOTS_LIMIT.max);
      },
      beyond: async () => {
        await ask(9_999, 1);
        expect(requests.waitingCount).toBe(WAITING_SNAPSHOTS_LIMIT.max);
      },
    };
  },
};

const attachmentsCase: LimitCase = {
  limit: WAITING_REQUESTS_LIMIT,
  open: (onLimit) => {
    const requests = new AttachmentRequests({
      ...common(onLimit),
      requests: {
        add: async () => undefined,
        open: async () => [],
        setSent: async () => undefined,
        setDone: async () => undefined,
        removeBefore: async () => 0,
      },
      storage: { open: async () => undefined, remove: async () => undefined },
      media: {
        ofEvent: async () => [],
        add: async () => [],
        remove: async () => undefined,
        setState: async () => undefined,
        setStored: async () => false,
      },
      missedEvidence: { attachments: async () => [] },
      onMedia: () => undefined,
      areWanted: () => true,
      sessionOf: () => undefined,
    });
    const begin = (archiveNumber: number, serial: number): void => {
      const mark = createAlarmMark({ terminalId: 'T', time: undefined, serial, fileCount: 1 });
      const alarmMark = Buffer.from(mark.bytes).toString('hex');
      const event = { ...newTrackedEvent({ device: device(archiveNumber), alarmMark }), id: serial };
      requests.eventsStored([{ kind: 'begun', event }]);
    };
    return {
      upTo: async () => {
        times(WAITING_REQUESTS_LIMIT.max, (at) => begin(Math.floor(at / 50), at % 50));
        await settled();
        expect(requests.waitingCount).toBe(WAITING_REQUESTS_LIMIT.max);
      },
      beyond: async () => {
        begin(9_999, 0);
        await settled();
        expect(requests.waitingCount).toBe(WAITING_REQUESTS_LIMIT.max);
      },
    };
  },
};

function emptyStorage(onLimit: OnLimit, owners = ONE_OWNER): EvidenceStorage {
  const file = {
    write: async () => undefined,
    finish: async () => ({ fileId: '', contentType: '', bytes: 1, sha256: '', isCutPicture: false }),
    discard: async () => undefined,
  };
  return new EvidenceStorage({
    ...common(onLimit),
    files: {
      start: async () => undefined,
      create: async () => file,
      remove: async () => undefined,
      olderThan: async function* () {},
      has: async () => new Set<string>(),
      freeBytes: async () => Number.MAX_SAFE_INTEGER,
    },
    store: {
      storedBytes: async () => new Map<number, number>(),
      oldestRemovable: async () => [],
      removableBytes: async () => 0,
      markRemoved: async () => new Set<number>(),
      storedAfter: async () => [],
      knownFiles: async () => new Set<string>(),
      failReceiving: async () => undefined,
    },
    maximumBytes: 1_000_000,
    owners,
  });
}

const incomingCase: LimitCase = {
  limit: INCOMING_FILES_LIMIT,
  open: (onLimit) => {
    const storage = emptyStorage(onLimit);
    let last: Awaited<ReturnType<typeof storage.reserve>>;
    return {
      upTo: async () => {
        for (let at = 0; at < INCOMING_FILES_LIMIT.max; at++) {
          last = await storage.reserve(1, at);
          expect(last).toBeDefined();
        }
      },
      beyond: async () => {
        expect(await storage.reserve(1, 1)).toBeUndefined();
        await last?.discard();
        expect(await storage.reserve(1, 1)).toBeDefined();
      },
    };
  },
};

const shareCase: LimitCase = {
  limit: DEVICE_SHARE_LIMIT,
  open: (onLimit) => {
    const storage = emptyStorage(onLimit);
    return {
      upTo: async () => expect(await storage.reserve(10_000 * DEVICE_SHARE_LIMIT.max, 1)).toBeDefined(),
      beyond: async () => {
        expect(await storage.reserve(1, 1)).toBeUndefined();
        expect(await storage.reserve(1, 2)).toBeDefined();
      },
    };
  },
};

const groupShareCase: LimitCase = {
  limit: GROUP_SHARE_LIMIT,
  open: (onLimit) => {
    const storage = emptyStorage(onLimit, OWNERS_BY_HUNDRED);
    return {
      upTo: async () => {
        for (const device of [101, 102, 103])
          expect(await storage.reserve((10_000 * GROUP_SHARE_LIMIT.max) / 3, device)).toBeDefined();
      },
      beyond: async () => {
        expect(await storage.reserve(1, 104)).toBeUndefined();
        expect(await storage.reserve(1, 201)).toBeDefined();
      },
    };
  },
};

const noRecordings = {
  evidenceHolds: { removeReleased: async () => 0 },
  room: {
    groupOf: async () => 1,
    inTurn: <Result>(_memberGroup: number, place: () => Promise<Result>) => place(),
    forClip: async () => true,
  },
  missedEvidence: { clips: async () => [], fetched: async () => undefined },
  recordedRanges: async () => [],
};

const waitingHoldsCase: LimitCase = {
  limit: WAITING_HOLDS_LIMIT,
  open: (onLimit) => {
    const clips = new ClipHolds({
      ...common(onLimit),
      ...noRecordings,
      eventHolds: {} as never,
      // The first one is under way for as long as this takes.
      archiveIdOf: () => new Promise(() => undefined),
      clipOf: () => ({ beforeS: 1, afterS: 1 }),
      onClip: () => undefined,
    });
    const begin = (id: number) =>
      clips.eventsStored([{ kind: 'begun', event: { ...newTrackedEvent({ severity: 'major' }), id } }]);
    return {
      upTo: () => {
        times(WAITING_HOLDS_LIMIT.max + 1, begin);
        expect(clips.waitingCount).toBe(WAITING_HOLDS_LIMIT.max);
      },
      beyond: () => {
        begin(99_999);
        expect(clips.waitingCount).toBe(WAITING_HOLDS_LIMIT.max);
      },
    };
  },
};

const holdsCase: LimitCase = {
  limit: EVENT_HOLDS_LIMIT,
  open: (onLimit) => {
    let held = EVENT_HOLDS_LIMIT.max - 1;
    const range = { archiveId: 'BUS1', channel: 0, fromMs: 0, toMs: 1 } as never;
    const clips = new ClipHolds({
      ...common(onLimit),
      eventHolds: {
        add: async () => void held++,
        addFetched: async () => undefined,
        addRefused: async () => undefined,
        unsettled: async () => [],
        settle: async () => true,
        release: async (holds) => {
          held -= holds.length;
        },
        ofEvent: async () => [],
        heldBefore: async () => [],
        oldestOf: async () => [{ id: 1, eventId: 1, eventBeginAtMs: 1, range }],
        countByGroup: async () => new Map([[1, held]]),
      },
      ...noRecordings,
      archiveIdOf: async () => 'BUS1',
      clipOf: () => ({ beforeS: 1, afterS: 1 }),
      onClip: () => undefined,
    });
    const begin = async (): Promise<void> => {
      clips.eventsStored([{ kind: 'begun', event: { ...newTrackedEvent({ severity: 'major' }), id: 1 } }]);
      for (let round = 0; round < 5; round++) await settled();
      expect(held).toBe(EVENT_HOLDS_LIMIT.max);
    };
    return { upTo: begin, beyond: begin };
  },
};

const packagesCase: LimitCase = {
  limit: PACKAGES_LIMIT,
  open: (onLimit) => {
    const places = new PackagePlaces(onLimit);
    return {
      upTo: () => times(PACKAGES_LIMIT.max, (account) => expect(places.enter(account)).toBeDefined()),
      beyond: () => expect(places.enter(99)).toBeUndefined(),
    };
  },
};

const accountPackagesCase: LimitCase = {
  limit: ACCOUNT_PACKAGES_LIMIT,
  open: (onLimit) => {
    const places = new PackagePlaces(onLimit);
    let leave: (() => void) | undefined;
    return {
      upTo: () =>
        times(ACCOUNT_PACKAGES_LIMIT.max, () => {
          leave = places.enter(1);
          expect(leave).toBeDefined();
        }),
      beyond: () => {
        expect(places.enter(1)).toBeUndefined();
        expect(places.enter(2)).toBeDefined();
        leave?.();
        expect(places.enter(1)).toBeDefined();
      },
    };
  },
};

/** A part of a file that is kept for the next connection; whose it is says the number. */
function partialsCase(limit: Limit, archiveOf: (at: number) => number): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const settledNames: string[] = [];
      const partials = new PartialFiles(common(onLimit));
      const setAside = (at: number): void => {
        const name = `${at}`;
        const file = { write: failNever, finish: failNever, discard: failNever } as unknown as PartialFile['file'];
        const settle = async (): Promise<void> => void settledNames.push(name);
        const received = new ReceivedRanges(10, 1);
        const what = { alarmNumber: 'a', archiveNumber: archiveOf(at), name, sizeBytes: 10 };
        partials.setAside({ ...what, file, received, settle });
      };
      return {
        upTo: () => {
          for (let at = 0; at < limit.max; at++) setAside(at);
          expect(settledNames).toEqual([]);
        },
        beyond: () => {
          setAside(limit.max);
          expect(settledNames).toEqual(['0']);
        },
      };
    },
  };
}

export const evidenceCases: readonly LimitCase[] = [
  partialsCase(PARTIAL_FILES_LIMIT, (at) => at + 1),
  partialsCase(DEVICE_PARTIAL_FILES_LIMIT, () => 1),
  hourlyCase(PICTURES_LIMIT),
  hourlyCase(SNAPSHOTS_LIMIT),
  hourlyCase(REQUESTS_LIMIT),
  snapshotsCase,
  attachmentsCase,
  incomingCase,
  shareCase,
  groupShareCase,
  holdsCase,
  waitingHoldsCase,
  packagesCase,
  accountPackagesCase,
];
