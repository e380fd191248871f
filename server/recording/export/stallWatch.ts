// Detects a download that is no longer read: the browser sleeps, the network is gone, or a client only keeps the place from
// others.
import { pipeline, type Readable, Transform } from 'node:stream';
import { guardStream } from '../../faults/streams.ts';
import type { Limit } from '../../limits/limit.ts';

/** Time in which less than half a megabyte of a download is taken. The export is ended in the state `stalled`. */
export const STALL_LIMIT: Limit = { name: 'exports.stall-seconds.download', max: 60 };
/**
 * Time in which less than 4 MiB of a download are taken (140 kbit/s), while another caller waits for the place. The export is ended in the
 * state `stalled`.
 */
export const SLOW_LIMIT: Limit = { name: 'exports.slow-seconds.download', max: 240 };
/** 140 kbit/s. A phone on a poor connection reads nearly twice as fast; a client that takes a piece a minute, half as fast. */
export const SLOW_BYTES = 4 * 1024 * 1024;
const LOOK_INTERVAL_MS = 10_000;
const MAX_QUIET_LOOKS = (STALL_LIMIT.max * 1_000) / LOOK_INTERVAL_MS;
const SLOW_LOOKS = (SLOW_LIMIT.max * 1_000) / LOOK_INTERVAL_MS;

export interface StallWatchDeps {
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Whether another export is waiting for this one's place. */
  readonly isWaitedFor: () => boolean;
  /** Called once, with the limit that was exceeded. */
  readonly onStalled: (limit: Limit) => void;
}

/** Passes the body on. A body without data doesn't count as stalled, because the disk may be slow or the range a long gap. */
export function watchStalls(body: Readable, { runAfter, isWaitedFor, onStalled }: StallWatchDeps): Readable {
  let taken = 0;
  const watched = guardStream(
    new Transform({
      transform: (piece: Uint8Array, _encoding, done) => {
        taken += piece.byteLength;
        done(null, piece);
      },
    }),
  );
  // Either ends with the other. Who sends the body listens on what comes out here, and hears of a failure there.
  pipeline(body, watched, () => undefined);
  let before = taken;
  let taking = NOTHING_SEEN;
  const look = (): void => {
    const isOffered = body.readableLength + watched.writableLength + watched.readableLength > 0;
    taking = takingAfter(taking, isOffered ? taken - before : undefined);
    before = taken;
    const limit = stalledBy(taking, isWaitedFor());
    if (limit !== undefined) onStalled(limit);
    else cancel = runAfter(LOOK_INTERVAL_MS, look);
  };
  let cancel = runAfter(LOOK_INTERVAL_MS, look);
  watched.once('close', () => cancel());
  return watched;
}

/** What was read in each interval so far in which there was data. */
export interface Taking {
  /** Consecutive last intervals in which nothing was read. */
  readonly quietLooks: number;
  /** Bytes read in each interval, the newest last. */
  readonly bytes: readonly number[];
}

export const NOTHING_SEEN: Taking = { quietLooks: 0, bytes: [] };

/** `bytes` undefined: there was nothing to take. */
export function takingAfter(taking: Taking, bytes: number | undefined): Taking {
  if (bytes === undefined) return { ...taking, quietLooks: 0 };
  return {
    quietLooks: bytes === 0 ? taking.quietLooks + 1 : 0,
    bytes: [...taking.bytes, bytes].slice(-SLOW_LOOKS),
  };
}

/** What the download did not hold to, if so. */
export function stalledBy({ quietLooks, bytes }: Taking, isWaitedFor: boolean): Limit | undefined {
  if (quietLooks >= MAX_QUIET_LOOKS) return STALL_LIMIT;
  const isSlow = bytes.length === SLOW_LOOKS && bytes.reduce((sum, each) => sum + each, 0) < SLOW_BYTES;
  return isSlow && isWaitedFor ? SLOW_LIMIT : undefined;
}
