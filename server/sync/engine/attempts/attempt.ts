// The common parts of the methods of fetching an item.
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../../media/channelKey.ts';
import type { StoredSyncItem } from '../../../store/sync/syncItemRows.ts';
import type { SyncDevice } from '../../../store/sync/syncSources.ts';
import type { IngestTarget } from '../../ingest/ingest.ts';
import type { Hold } from '../hold.ts';

export interface Attempt {
  readonly device: SyncDevice;
  readonly item: StoredSyncItem;
  /** Begin of the missing part of the item, by the device's clock. */
  readonly deviceFromMs: WallMs;
  readonly deviceToMs: WallMs;
  /** Network bits of 0x9206. */
  readonly networks: number;
  /** Nothing should be sent while it is held. */
  readonly hold: Hold;
  readonly signal: AbortSignal;
  /** Aborted after `signal` where the gateway ends: work that takes long is left to its next start. */
  readonly closing: AbortSignal;
  /** Called with the size of each part that has come. */
  readonly onBytes: (bytes: number) => void;
  readonly onState: (state: 'running' | 'checking') => void;
}

export function ingestTargetOf({
  device,
  item,
  deviceFromMs,
  deviceToMs,
}: Pick<Attempt, 'device' | 'item' | 'deviceFromMs' | 'deviceToMs'>): IngestTarget {
  const offsetMs = item.fromMs - item.deviceFromMs;
  return {
    archiveId: device.archiveId,
    channel: item.channel,
    quality: qualityOf(item),
    deviceFromMs,
    deviceToMs,
    toGatewayMs: (deviceMs) => wallMs(deviceMs + offsetMs),
  };
}

const SECOND_MS = 1_000;

/** Requests end with a whole second: cutting off a begun second would lose what was recorded in it. */
export function askedUntil({ deviceToMs }: Pick<Attempt, 'deviceToMs'>): WallMs {
  return wallMs(Math.ceil(deviceToMs / SECOND_MS) * SECOND_MS);
}

function qualityOf({ stream }: StoredSyncItem): StreamQuality {
  return stream === 'sub' ? 'sub' : 'main';
}

/** Resolves once the signal is aborted; `off` removes the listener. */
export function whenAborted(signal: AbortSignal): { readonly aborted: Promise<'aborted'>; readonly off: () => void } {
  let listener: () => void = () => undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    listener = () => resolve('aborted');
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  });
  return { aborted, off: () => signal.removeEventListener('abort', listener) };
}
