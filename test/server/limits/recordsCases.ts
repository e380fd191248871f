// Bounds of what is recorded, played back and deleted again.
import { expect } from 'vitest';
import { POSITION_REMOVAL_LIMIT, ReportRetention } from '../../../server/device/reportRetention.ts';
import { findRanges, RANGES_LIMIT } from '../../../server/http/playback/rangesRoute.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { RecordingFile, RecordingFiles } from '../../../server/recording/files.ts';
import { MemoryBudget } from '../../../server/recording/memoryBudget.ts';
import {
  CACHED_INDEXES_LIMIT,
  GroupLibrary,
  OPEN_FILES_LIMIT,
} from '../../../server/recording/playback/groupLibrary.ts';
import {
  ALL_IDLE_SESSIONS_LIMIT,
  IDLE_SESSIONS_LIMIT,
  PlaybackSessions,
} from '../../../server/recording/playback/playbackSessions.ts';
import type { SegmentDirectory } from '../../../server/recording/playback/segmentDirectory.ts';
import { RECORDING_MEMORY_LIMIT } from '../../../server/recording/recorder.ts';
import { SegmentRegister, UNSTORED_SEGMENTS_LIMIT } from '../../../server/recording/segmentRegister.ts';
import type { Segment } from '../../../server/store/segments.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/manualTimers.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { LimitCase } from './describeLimits.ts';

const NO_FAULT = (error: Error): void => {
  throw error;
};

export const recordsCases: readonly LimitCase[] = [
  {
    limit: RECORDING_MEMORY_LIMIT,
    reach: (onLimit) => {
      const budget = new MemoryBudget(RECORDING_MEMORY_LIMIT.max, () => onLimit(RECORDING_MEMORY_LIMIT));
      expect(budget.take(RECORDING_MEMORY_LIMIT.max)).toBe(true);
      expect(budget.take(1)).toBe(false);
      expect(budget.heldBytes).toBe(RECORDING_MEMORY_LIMIT.max);
    },
  },
  {
    limit: UNSTORED_SEGMENTS_LIMIT,
    reach: async (onLimit) => {
      const add = async (): Promise<void> => {
        throw new Error('the database is away');
      };
      const register = new SegmentRegister({ segments: { add }, onFault: () => undefined, onLimit });
      for (let at = 0; at < UNSTORED_SEGMENTS_LIMIT.max; at++) register.add(segmentAt(at));
      await register.store();
      expect([register.size, register.hasForgotten]).toEqual([UNSTORED_SEGMENTS_LIMIT.max, false]);
      register.add(segmentAt(UNSTORED_SEGMENTS_LIMIT.max));
      await register.store();
      expect(register.hasForgotten).toBe(true);
      expect(register.unstored(({ startMs }) => startMs < 1_000)).toEqual([]);
      expect(register.unstored(({ startMs }) => startMs === UNSTORED_SEGMENTS_LIMIT.max)).toHaveLength(1);
    },
  },
  {
    limit: POSITION_REMOVAL_LIMIT,
    reach: async (onLimit) => {
      const timers = new ManualTimers();
      const parts: number[] = [];
      let left = POSITION_REMOVAL_LIMIT.max + 1;
      const retention = new ReportRetention({
        removal: {
          ended: async () => (left > 0 ? [1] : []),
          countEnded: async () => (left > 0 ? 1 : 0),
          devices: async () => [],
          withPositions: async () => [],
          removeFirst: async () => {
            const part = Math.min(left, POSITION_REMOVAL_LIMIT.max);
            left -= part;
            parts.push(part);
            return part;
          },
          removeFuture: async () => ({ removed: 0, next: undefined }),
          forgetEnded: async () => 0,
        },
        memberGroups: { retentionsByDeviceGroup: async () => new Map() },
        ...{ positionDays: 1, now: timers.now, after: timers.after, onFault: NO_FAULT, onLimit },
      });
      await waitFor('both parts', () => {
        timers.advance(1_000);
        return parts.length === 2;
      });
      await retention.close();
      expect(parts).toEqual([POSITION_REMOVAL_LIMIT.max, 1]);
    },
  },
  {
    limit: RANGES_LIMIT,
    reach: async (onLimit) => {
      const ranges = (count: number) =>
        Array.from({ length: count }, (_, at) => ({
          ...{ archiveId: 'A', channel: 1, fromMs: wallMs(2 * at), toMs: wallMs(2 * at + 1) },
        }));
      const asked: (number | undefined)[] = [];
      const recorded = {
        ranges: async ({ limit, toMs }: { readonly limit?: number; readonly toMs: number }) => {
          asked.push(limit);
          return ranges(Math.min(limit ?? toMs, toMs));
        },
      };
      const most = { archiveId: 'A', fromMs: 0, toMs: RANGES_LIMIT.max };
      expect(await findRanges({ recorded, onLimit }, most)).toHaveLength(RANGES_LIMIT.max);
      expect(await findRanges({ recorded, onLimit }, { ...most, toMs: 10 * RANGES_LIMIT.max })).toBeUndefined();
      expect(asked).toEqual([RANGES_LIMIT.max + 1, RANGES_LIMIT.max + 1]);
    },
  },
  {
    limit: OPEN_FILES_LIMIT,
    reach: async (onLimit) => {
      const opened: (() => void)[] = [];
      const library = new GroupLibrary({ files: emptyFiles(opened), directory: directory(), onLimit });
      const reads = Array.from({ length: OPEN_FILES_LIMIT.max + 4 }, (_, at) =>
        library.latestAt({ archiveId: 'A', channel: at + 1 }, wallMs(at + 1)),
      );
      await waitFor('the files that may be open', () => opened.length === OPEN_FILES_LIMIT.max);
      for (let done = 0; done < reads.length; done++) {
        await waitFor('the next file', () => opened[done] !== undefined);
        opened[done]?.();
      }
      expect(await Promise.all(reads)).toHaveLength(OPEN_FILES_LIMIT.max + 4);
    },
  },
  {
    limit: CACHED_INDEXES_LIMIT,
    reach: async (onLimit) => {
      let opened = 0;
      const files = emptyFiles(undefined, () => opened++);
      const library = new GroupLibrary({ files, directory: directory(), onLimit });
      const read = (at: number) => library.latestAt({ archiveId: 'A', channel: 1 }, wallMs(at));
      for (let at = 1; at <= CACHED_INDEXES_LIMIT.max; at++) await read(at);
      const before = opened;
      await read(1);
      expect(opened).toBe(before);
      await read(CACHED_INDEXES_LIMIT.max + 1);
      await read(2);
      expect(opened).toBeGreaterThan(before + 1);
    },
  },
  {
    limit: IDLE_SESSIONS_LIMIT,
    reach: (onLimit) => {
      const timers = new ManualTimers();
      const sessions = playbackSessions(timers, onLimit);
      for (let stream = 1; stream <= IDLE_SESSIONS_LIMIT.max + 5; stream++) visit(sessions, 'one', stream);
      expect(sessions.size).toBe(IDLE_SESSIONS_LIMIT.max);
      timers.advance(10_000);
      expect(sessions.size).toBe(0);
    },
  },
  {
    limit: ALL_IDLE_SESSIONS_LIMIT,
    reach: (onLimit) => {
      const sessions = playbackSessions(new ManualTimers(), onLimit);
      for (let link = 0; link < ALL_IDLE_SESSIONS_LIMIT.max + 5; link++) visit(sessions, `link ${link}`, 1);
      expect(sessions.size).toBe(ALL_IDLE_SESSIONS_LIMIT.max);
      sessions.close();
    },
  },
];

const segmentAt = (startMs: number): Segment => ({
  ...{ archiveId: 'A', channel: 1, quality: 'main', startMs: wallMs(startMs), endMs: wallMs(startMs + 1) },
  ...{ deviceStartMs: wallMs(0), deviceEndMs: wallMs(0), bytes: 1, groupCount: 1 },
});

/** A page that opens a recording and leaves at once. */
function visit(sessions: PlaybackSessions, credential: string, streamId: number): void {
  const viewer = {
    track: { archiveId: 'A', channel: 1 },
    wantsAudio: false,
    sink: { send: () => undefined, sendGap: () => undefined, queuedBytes: () => 0 },
    sendEvent: () => undefined,
  };
  sessions.join({ username: 'ann', credential, deviceId: 'A', streamId }, 0, viewer).leave();
}

function playbackSessions(timers: ManualTimers, onLimit: OnLimit): PlaybackSessions {
  const library = new GroupLibrary({ files: emptyFiles(), directory: directory() });
  return new PlaybackSessions({
    ...{ library, now: timers.now, wallNow: timers.now, after: timers.after, onFault: () => undefined, onLimit },
  });
}

/** Every moment has a segment of its own, and none in front of it. */
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
