// What the ways of fetching an item have in common.
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../../media/channelKey.ts';
import type { StoredSyncItem } from '../../../store/sync/syncItemRows.ts';
import type { SyncDevice } from '../../../store/sync/syncSources.ts';
import type { IngestTarget } from '../../ingest/ingest.ts';
import type { Hold } from '../hold.ts';

export interface Attempt {
  readonly device: SyncDevice;
  readonly item: StoredSyncItem;
  /** What is missing of the item. The device's clock. */
  readonly deviceFromMs: WallMs;
  readonly deviceToMs: WallMs;
  /** Bits of 0x9206. */
  readonly networks: number;
  /** Nothing should come while it is held. */
  readonly hold: Hold;
  readonly signal: AbortSignal;
  /** Aborted behind `signal` where the gateway ends: what takes long is left to its next start. */
  readonly closing: AbortSignal;
  /** Told of each part that has come. */
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

/** What a device is asked for ends with a whole second: to cut off a begun one would lose what was recorded in it. */
export function askedUntil({ deviceToMs }: Pick<Attempt, 'deviceToMs'>): WallMs {
  return wallMs(Math.ceil(deviceToMs / SECOND_MS) * SECOND_MS);
}

function qualityOf({ stream }: StoredSyncItem): StreamQuality {
  return stream === 'sub' ? 'sub' : 'main';
}

/** Resolves once the signal is aborted; `off` forgets about it. */
export function whenAborted(signal: AbortSignal): { readonly aborted: Promise<'aborted'>; readonly off: () => void } {
  let listener: () => void = () => undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    listener = () => resolve('aborted');
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  });
  return { aborted, off: () => signal.removeEventListener('abort', listener) };
}
