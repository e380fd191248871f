import { expect } from 'vitest';
import { createReadRecording, READER_SILENCE_LIMIT } from '../../../../server/app/sync/ingestThreads.ts';
import {
  type Collected,
  GROUP_BYTES_LIMIT,
  GROUP_MS_LIMIT,
  GroupCollector,
} from '../../../../server/sync/ingest/groupCollector.ts';
import { PacketQueue, STREAM_QUEUE_LIMIT } from '../../../../server/sync/ingest/packetQueue.ts';
import { clipFile } from '../../../support/sync/deviceFiles.ts';
import { picture } from '../../recording/recordingScene.ts';
import type { LimitCase } from '../describeLimits.ts';

const MEGABYTE = 1024 * 1024;
/** More than any group here has. */
const groupPictures = 1_000_000;

const pictureCount = (collected: Collected | undefined): number | undefined =>
  collected?.group.packets.filter(({ packet }) => packet.isVideo).length;

const groupBytes: LimitCase = {
  limit: GROUP_BYTES_LIMIT,
  open: (onLimit) => {
    const collector = new GroupCollector(onLimit);
    const count = GROUP_BYTES_LIMIT.max / MEGABYTE;
    const push = (number: number): void => {
      collector.push(picture(number, { payloadBytes: MEGABYTE - 24, groupPictures }));
    };
    return {
      upTo: () => {
        for (let number = 0; number < count; number++) push(number);
      },
      beyond: () => {
        push(count);
        push(count + 1);
        expect(pictureCount(collector.end())).toBe(count);
      },
    };
  },
};

const groupTime: LimitCase = {
  limit: GROUP_MS_LIMIT,
  open: (onLimit) => {
    const collector = new GroupCollector(onLimit);
    const count = GROUP_MS_LIMIT.max / 40;
    const push = (number: number): void => {
      collector.push(picture(number, { payloadBytes: 10, groupPictures }));
    };
    return {
      upTo: () => {
        for (let number = 0; number <= count; number++) push(number);
      },
      beyond: () => {
        push(count + 1);
        push(count + 2);
        expect(pictureCount(collector.end())).toBe(count + 1);
      },
    };
  },
};

const waitingPackets: LimitCase = {
  limit: STREAM_QUEUE_LIMIT,
  open: (onLimit) => {
    let taken = 0;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const queue = new PacketQueue({
      begin: async () => {
        await begun;
        return {
          take: async (packets) => {
            taken += packets.length;
            return true;
          },
          end: async () => undefined,
        };
      },
      onLimit,
      onFault: (error) => {
        throw error;
      },
    });
    const count = STREAM_QUEUE_LIMIT.max / MEGABYTE;
    const push = (number: number): boolean => queue.packet(picture(number, { payloadBytes: MEGABYTE - 24 }));
    return {
      upTo: () => {
        const answers = Array.from({ length: count }, (_, number) => push(number));
        expect(answers).toEqual(Array.from({ length: count }, (_, number) => number < count / 2));
      },
      beyond: async () => {
        push(count);
        push(count + 1);
        begin();
        // What was left out is missing: it counts as no recording that is whole.
        expect(await queue.end()).toMatchObject({ kind: 'failed', fault: 'incomplete' });
        expect(taken).toBe(count);
      },
    };
  },
};

const readerSilence: LimitCase = {
  limit: READER_SILENCE_LIMIT,
  open: (onLimit) => {
    const watches = new Set<{ readonly delayMs: number; readonly run: () => void }>();
    const read = createReadRecording({
      runAfter: (delayMs, run) => {
        const watch = { delayMs, run };
        watches.add(watch);
        return () => watches.delete(watch);
      },
      onFault: (error) => {
        throw error;
      },
      onLimit,
    });
    const path = clipFile('cabin');
    const hints = { channel: 1, spanMs: 60_000 };
    const { signal } = new AbortController();
    let parts = 0;
    return {
      upTo: async () => {
        const take = async (): Promise<boolean> => ++parts > 0;
        await read({ path, hints, signal, take });
        expect(parts).toBeGreaterThan(1);
        expect(watches.size).toBe(0);
      },
      beyond: async () => {
        let kept = 0;
        const take = async (): Promise<boolean> => {
          kept++;
          setImmediate(() => {
            for (const { delayMs, run } of watches) if (delayMs === READER_SILENCE_LIMIT.max) run();
          });
          return true;
        };
        await read({ path, hints, signal, take });
        expect(kept).toBe(1);
      },
    };
  },
};

export const ingestCases: readonly LimitCase[] = [groupBytes, groupTime, waitingPackets, readerSilence];
