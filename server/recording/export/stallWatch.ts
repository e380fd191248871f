// Notices that nobody takes a download any more: a browser that was put to sleep, a lost network, or a caller that only holds
// the place of others.
import { pipeline, type Readable, Transform } from 'node:stream';
import { guardStream } from '../../faults/streams.ts';
import type { Limit } from '../../limits/limit.ts';

/** Seconds without a piece of it, of half a megabyte, that is taken. */
export const STALL_LIMIT: Limit = { name: 'exports.stall-seconds.download', max: 60 };
const LOOK_INTERVAL_MS = 10_000;
const MAX_QUIET_LOOKS = (STALL_LIMIT.max * 1_000) / LOOK_INTERVAL_MS;

export interface StallWatchDeps {
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Once. */
  readonly onStalled: () => void;
}

/** Passes the body on. A body that has nothing to give is not stalled: the disk may be slow, or the range a long hole. */
export function watchStalls(body: Readable, { after, onStalled }: StallWatchDeps): Readable {
  let taken = 0;
  const watched = guardStream(
    new Transform({
      transform: (piece, _encoding, done) => {
        taken++;
        done(null, piece);
      },
    }),
  );
  // Either ends with the other. Who sends the body listens on what comes out here, and hears of a failure there.
  pipeline(body, watched, () => undefined);
  let before = taken;
  let quietLooks = 0;
  const look = (): void => {
    const isOffered = body.readableLength + watched.writableLength + watched.readableLength > 0;
    quietLooks = isOffered && taken === before ? quietLooks + 1 : 0;
    before = taken;
    if (quietLooks >= MAX_QUIET_LOOKS) onStalled();
    else cancel = after(LOOK_INTERVAL_MS, look);
  };
  let cancel = after(LOOK_INTERVAL_MS, look);
  watched.once('close', () => cancel());
  return watched;
}
