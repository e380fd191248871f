// Bounds of what is recorded, played back and deleted again.
import { expect } from 'vitest';
import { POSITION_REMOVAL_LIMIT, ReportRetention } from '../../../server/fleet/reportRetention.ts';
import { findRanges, RANGES_LIMIT } from '../../../server/http/recordings/rangesRoute.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { RecordingFile, RecordingFiles } from '../../../server/recording/files.ts';
import { MemoryBudget } from '../../../server/recording/memoryBudget.ts';
import { CACHED_INDEXES_LIMIT, GopReader, OPEN_FILES_LIMIT } from '../../../server/recording/playback/gopReader.ts';
import type { SessionMembership } from '../../../server/recording/playback/playbackSession.ts';
import {
  ALL_IDLE_SESSIONS_LIMIT,
  IDLE_SESSIONS_LIMIT,
  PlaybackSessions,
} from '../../../server/recording/playback/playbackSessions.ts';
import type { SegmentDirectory } from '../../../server/recording/playback/segmentDirectory.ts';
import { RECORDING_MEMORY_LIMIT } from '../../../server/recording/recorder.ts';
import { SegmentRegister, UNSTORED_SEGMENTS_LIMIT } from '../../../server/recording/segmentRegister.ts';
import type { Segment } from '../../../server/store/recordings/segments.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { turnUntil, waitFor } from '../../support/waitFor.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';

const NO_FAULT = (error: Error): void => {
  throw error;
};

const memoryCase: LimitCase = {
  limit: RECORDING_MEMORY_LIMIT,
  open: (onLimit) => {
    const budget = new MemoryBudget(RECORDING_MEMORY_LIMIT.max, () => onLimit(RECORDING_MEMORY_LIMIT));
    return {
      upTo: () => expect(budget.take(RECORDING_MEMORY_LIMIT.max)).toBe(true),
      beyond: () => {
        expect(budget.take(1)).toBe(false);
        expect(budget.heldBytes).toBe(RECORDING_MEMORY_LIMIT.max);
        budget.give(1);
        expect(budget.take(1)).toBe(true);
      },
    };
  },
};

const segmentAt = (startMs: number): Segment => ({
  archiveId: 'A',
  channel: 1,
  quality: 'main',
  startMs: wallMs(startMs),
  endMs: wallMs(startMs + 1),
  deviceStartMs: wallMs(0),
  deviceEndMs: wallMs(0),
  bytes: 1,
  groupCount: 1,
});

const unstoredCase: LimitCase = {
  limit: UNSTORED_SEGMENTS_LIMIT,
  open: (onLimit) => {
    const { max } = UNSTORED_SEGMENTS_LIMIT;
    const add = () => Promise.reject(new Error('the database is away'));
    const register = new SegmentRegister({ segments: { add }, onFault: () => undefined, onLimit });
    return {
      upTo: async () => {
        times(max, (at) => register.add(segmentAt(at)));
        await register.store();
        expect([register.size, register.hasForgotten]).toEqual([max, false]);
      },
      beyond: async () => {
        register.add(segmentAt(max));
        await register.store();
        expect(register.hasForgotten).toBe(true);
        expect(register.unstored(({ startMs }) => startMs < 1_000)).toEqual([]);
        expect(register.unstored(({ startMs }) => startMs === max)).toHaveLength(1);
      },
    };
  },
};

const removalCase: LimitCase = {
  limit: POSITION_REMOVAL_LIMIT,
  open: (onLimit) => {
    const { max } = POSITION_REMOVAL_LIMIT;
    const remove = async (count: number): Promise<readonly number[]> => {
      const timers = new ManualTimers();
      const parts: number[] = [];
      let left = count;
      const removeFirst = async (_device: number, most: number): Promise<number> => {
        const part = Math.min(left, most);
        left -= part;
        parts.push(part);
        return part;
      };
      const retention = openRetention(timers, { countLeft: () => left, removeFirst }, onLimit);
      await turnUntil('all parts', () => {
        timers.advance(1_000);
        return parts.reduce((sum, part) => sum + part, 0) === count && parts.length >= Math.ceil(count / max);
      });
      await retention.close();
      return parts.filter((part) => part > 0);
    };
    return {
      upTo: async () => expect(await remove(max - 1)).toEqual([max - 1]),
      beyond: async () => expect(await remove(max + 1)).toEqual([max, 1]),
    };
  },
};

const rangesCase: LimitCase = {
  limit: RANGES_LIMIT,
  open: (onLimit) => {
    const ranges = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        archiveId: 'A',
        channel: 1,
        fromMs: wallMs(2 * at),
        toMs: wallMs(2 * at + 1),
      }));
    const requests: (number | undefined)[] = [];
    const recorded = {
      ranges: async ({ limit, toMs }: { readonly limit?: number; readonly toMs: number }) => {
        requests.push(limit);
        return ranges(Math.min(limit ?? toMs, toMs));
      },
    };
    const find = (toMs: number) => findRanges({ recorded, onLimit }, { archiveId: 'A', fromMs: 0, toMs });
    return {
      upTo: async () => expect(await find(RANGES_LIMIT.max)).toHaveLength(RANGES_LIMIT.max),
      beyond: async () => {
        expect(await find(10 * RANGES_LIMIT.max)).toBeUndefined();
        expect(requests).toEqual([RANGES_LIMIT.max + 1, RANGES_LIMIT.max + 1]);
      },
    };
  },
};

const openFilesCase: LimitCase = {
  limit: OPEN_FILES_LIMIT,
  open: (onLimit) => {
    const { max } = OPEN_FILES_LIMIT;
    const opened: (() => void)[] = [];
    const gopReader = new GopReader({ files: emptyFiles(opened), directory: directory(), onLimit });
    const reads: Promise<unknown>[] = [];
    const read = (at: number) => reads.push(gopReader.latestAt({ archiveId: 'A', channel: at }, wallMs(at)));
    return {
      upTo: async () => {
        for (let at = 1; at <= max; at++) read(at);
        await waitFor('the files', () => opened.length === max);
      },
      beyond: async () => {
        read(max + 1);
        await settled();
        expect(opened).toHaveLength(max);
        for (let done = 0; done <= max; done++) {
          await waitFor('the next file', () => opened[done] !== undefined);
          opened[done]?.();
        }
        expect(await Promise.all(reads)).toHaveLength(max + 1);
      },
    };
  },
};

const cachedIndexesCase: LimitCase = {
  limit: CACHED_INDEXES_LIMIT,
  open: (onLimit) => {
    const { max } = CACHED_INDEXES_LIMIT;
    let opened = 0;
    const files = emptyFiles(undefined, () => opened++);
    const gopReader = new GopReader({ files, directory: directory(), onLimit });
    const isReadAnew = async (at: number): Promise<boolean> => {
      const before = opened;
      await gopReader.latestAt({ archiveId: 'A', channel: 1 }, wallMs(at));
      return opened > before;
    };
    return {
      upTo: async () => {
        for (let at = 1; at <= max; at++) await isReadAnew(at);
        expect([await isReadAnew(1), await isReadAnew(3)]).toEqual([false, false]);
      },
      beyond: async () => {
        await isReadAnew(max + 1);
        expect([await isReadAnew(1), await isReadAnew(2), await isReadAnew(3)]).toEqual([false, true, false]);
      },
      // An index that is read again takes a place itself.
      calls: 2,
    };
  },
};

/** Sessions left behind: beyond the limit, the one that was left first ends. */
function idleCase(limit: LimitCase['limit'], visitor: (index: number) => readonly [string, number]): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const timers = new ManualTimers();
      const sessions = playbackSessions(timers, onLimit);
      const come = (index: number) => join(sessions, ...visitor(index));
      return {
        upTo: () => {
          times(limit.max, (index) => come(index).leave());
          expect(sessions.size).toBe(limit.max);
        },
        beyond: () => {
          come(limit.max).leave();
          expect(sessions.size).toBe(limit.max);
          come(1);
          expect(sessions.size, 'the second is still there').toBe(limit.max);
          come(0);
          expect(sessions.size, 'the first begins anew').toBe(limit.max + 1);
          timers.advance(10_000);
          expect(sessions.size).toBe(2);
          sessions.close();
        },
      };
    },
  };
}

export const recordsCases: readonly LimitCase[] = [
  memoryCase,
  unstoredCase,
  removalCase,
  rangesCase,
  openFilesCase,
  cachedIndexesCase,
  idleCase(IDLE_SESSIONS_LIMIT, (index) => ['one', index]),
  idleCase(ALL_IDLE_SESSIONS_LIMIT, (index) => [`link ${index}`, 1]),
];

interface Removal {
  readonly countLeft: () => number;
  readonly removeFirst: (device: number, most: number) => Promise<number>;
}

/** Retention for one device whose positions have all ended. */
function openRetention(timers: ManualTimers, { countLeft, removeFirst }: Removal, onLimit: OnLimit): ReportRetention {
  return new ReportRetention({
    removal: {
      ended: async () => (countLeft() > 0 ? [1] : []),
      countEnded: async () => (countLeft() > 0 ? 1 : 0),
      devices: async () => [],
      withPositions: async () => [],
      removeFirst,
      removeReceived: async () => ({ removed: 0, next: undefined }),
      removeBlocks: async () => 0,
      trimBlock: async () => undefined,
      withTraces: async () => [],
      removeTraces: async () => 0,
      forgetEnded: async () => 0,
    },
    memberGroups: { retentionsByDeviceGroup: async () => new Map() },
    positionDays: 1,
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: NO_FAULT,
    onLimit,
  });
}

/** A page that opens a recording. */
function join(sessions: PlaybackSessions, credential: string, streamId: number): SessionMembership {
  const viewer = {
    track: { archiveId: 'A', channel: 1 },
    wantsAudio: false,
    sink: { send: () => undefined, sendGap: () => undefined, queuedBytes: () => 0 },
    sendEvent: () => undefined,
  };
  return sessions.join({ username: 'ann', credential, deviceId: 'A', streamId }, 0, viewer);
}

function playbackSessions(timers: ManualTimers, onLimit: OnLimit): PlaybackSessions {
  const gopReader = new GopReader({ files: emptyFiles(), directory: directory() });
  return new PlaybackSessions({
    gopReader,
    now: timers.now,
    wallNow: timers.now,
    runAfter: timers.runAfter,
    onFault: () => undefined,
    onLimit,
  });
}

/** Gives every moment a segment of its own, and none before it. */
function directory(): SegmentDirectory {
  const last = new Map<number, number>();
  return {
    latestAt: async ({ archiveId, channel }, atMs) => {
      if (last.get(channel) === atMs + 1) return undefined;
      last.set(channel, atMs);
      return { archiveId, channel, quality: 'main', startMs: wallMs(atMs) };
    },
    nextAfter: async () => undefined,
    openIndex: () => undefined,
  };
}

/** Segments without a byte. `opened`, when given, gets what lets each be opened. */
function emptyFiles(opened?: (() => void)[], onOpen: () => void = () => undefined): RecordingFiles {
  const file: Pick<RecordingFile, 'read' | 'size' | 'close'> = {
    read: async () => 0,
    size: async () => 0,
    close: async () => undefined,
  };
  const open = async (path: string): Promise<RecordingFile> => {
    if (path.endsWith('.idx')) throw Object.assign(new Error('none'), { code: 'ENOENT' });
    onOpen();
    if (opened !== undefined) await new Promise<void>((resolve) => opened.push(resolve));
    return file as RecordingFile;
  };
  return { open } as unknown as RecordingFiles;
}
