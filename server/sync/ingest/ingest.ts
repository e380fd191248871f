// What was fetched from a device becomes segments of its recordings: in the gaps of what the server has, never over it.
import type { SyncFault } from '../../../shared/protocol/sync/syncWords.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../media/channelKey.ts';
import type { HubPacket } from '../../media/hubPacket.ts';
import type { FileLength } from '../plan/undatedFiles.ts';

/** What was asked for, and where it belongs. */
export interface IngestTarget {
  readonly archiveId: string;
  readonly channel: number;
  readonly quality: StreamQuality;
  /** The device's clock. */
  readonly deviceFromMs: WallMs;
  readonly deviceToMs: WallMs;
  /** The gateway's clock at a moment of the device's. */
  readonly toGatewayMs: (deviceMs: number) => WallMs;
}

export type IngestOutcome =
  /** `addedMs`: time that the server did not have before; 0: it had all of it. */
  | { readonly kind: 'stored'; readonly addedMs: number; readonly bytes: number }
  /** No video that can be read: it is kept as a file to download. */
  | { readonly kind: 'unreadable' }
  /** `addedMs`: what was kept all the same. */
  | { readonly kind: 'failed'; readonly fault: SyncFault; readonly addedMs?: number };

/** Cut off: the packets may have ended in the middle of it. Half a group would stand in the way of the whole one that comes later. */
export type LastGroup = 'whole' | 'cut-off';

export interface Ingest {
  /** A whole file, recognised by its content. The file stays its caller's. */
  file(path: string, target: IngestTarget, signal: AbortSignal): Promise<IngestOutcome>;
  /** Of a whole file, without adding it. Undefined when nothing can be read. */
  length(path: string, target: IngestTarget, signal: AbortSignal): Promise<FileLength | undefined>;
  /** Packets that are played by the device, in their order. */
  stream(target: IngestTarget): IngestStream;
}

export interface IngestStream {
  /** False while more should not be sent: `drained` tells when it may. */
  packet(packet: HubPacket): boolean;
  drained(): Promise<void>;
  /** Whole groups up to here are kept, whatever the reason of the end was. */
  end(lastGroup?: LastGroup): Promise<IngestOutcome>;
}
