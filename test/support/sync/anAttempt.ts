// An attempt to fetch ten minutes of a bus, with what it has told, and a clock that stands still.
import type { StoredSyncItem } from '../../../server/store/sync/syncItemRows.ts';
import type { SyncDevice } from '../../../server/store/sync/syncSources.ts';
import type { Attempt } from '../../../server/sync/engine/attempts/attempt.ts';
import { Hold } from '../../../server/sync/engine/hold.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aSyncItem } from './syncRecords.ts';

export const FROM_MS = 1_000_000;
export const TO_MS = 1_600_000;

export function anAttempt(networks = 7) {
  const [stop, closing] = [new AbortController(), new AbortController()];
  const states: string[] = [];
  const received: number[] = [];
  const hold = new Hold();
  const attempt: Attempt = {
    device: { deviceId: 'BUS1', incarnation: 4, archiveId: 'BUS1' } as SyncDevice,
    item: { ...aSyncItem(4), id: 9, stream: 'sub', deviceFromMs: FROM_MS - 5_000 } as StoredSyncItem,
    deviceFromMs: wallMs(FROM_MS),
    deviceToMs: wallMs(TO_MS),
    networks,
    hold,
    signal: stop.signal,
    closing: closing.signal,
    onBytes: (bytes) => void received.push(bytes),
    onState: (state) => void states.push(state),
  };
  /** The gateway ends. */
  const close = (): void => {
    stop.abort();
    closing.abort();
  };
  return { attempt, hold, stop: () => stop.abort(), close, states, received };
}
