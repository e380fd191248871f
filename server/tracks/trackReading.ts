// The columns of positions from which tracks are drawn and counted, however they are stored.
import type { TrackColumns, TrackField } from '../store/fleet/positionColumns.ts';
import type { PositionStore } from '../store/fleet/positions.ts';

export type { TrackColumns, TrackField };
export type TrackReading = Pick<PositionStore, 'columns'>;

export interface ReadingTurns {
  /** To be called after each small step: a promise to await when it is others' turn. */
  readonly yieldIfDue: () => Promise<void> | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/** Returns no further part when nobody waits for it any more: throws the signal's reason instead. */
export function readUntilGone(reading: TrackReading, gone: AbortSignal): TrackReading {
  return {
    columns: async function* (incarnation, range, fields) {
      gone.throwIfAborted();
      for await (const part of reading.columns(incarnation, range, fields)) {
        gone.throwIfAborted();
        yield part;
      }
    },
  };
}
