// Turns what was fetched from a device into segments of its recordings: in the gaps of the server's own, never over them.
import type { SyncFault } from '../../../shared/protocol/sync/syncWords.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../media/channelKey.ts';
import type { HubPacket } from '../../media/hubPacket.ts';
import type { FileLength } from '../plan/undatedFiles.ts';

/** The requested span, and where it belongs. */
export interface IngestTarget {
  readonly archiveId: string;
  readonly channel: number;
  readonly quality: StreamQuality;
  /** Times of the device's clock. */
  readonly deviceFromMs: WallMs;
  readonly deviceToMs: WallMs;
  /** The gateway's time for a time of the device. */
  readonly toGatewayMs: (deviceMs: number) => WallMs;
}

export type IngestOutcome =
  /** `addedMs`: time that the server did not have before; 0: it had all of it. */
  | { readonly kind: 'stored'; readonly addedMs: number; readonly bytes: number }
  /** Not readable as video: the file is kept for download. */
  | { readonly kind: 'unreadable' }
  /** `addedMs`: length of the part that was kept all the same. */
  | { readonly kind: 'failed'; readonly fault: SyncFault; readonly addedMs?: number };

/** `cut-off`: the packets may have ended within the group. Half a group would block the place of the complete one that comes later. */
export type LastGroup = 'whole' | 'cut-off';

export interface Ingest {
  /** Adds a complete file, whose type is detected by its content. The file stays the caller's. */
  file(path: string, target: IngestTarget, signal: AbortSignal): Promise<IngestOutcome>;
  /** Length of a complete file, without adding it. Undefined when nothing can be read. */
  length(path: string, target: IngestTarget, signal: AbortSignal): Promise<FileLength | undefined>;
  /** Takes packets that the device plays, in their order. */
  stream(target: IngestTarget): IngestStream;
}

export interface IngestStream {
  /** False while no more should be sent: `drained` resolves when it may go on. */
  packet(packet: HubPacket): boolean;
  drained(): Promise<void>;
  /** Complete groups up to here are kept, whatever the reason for the end is. */
  end(lastGroup?: LastGroup): Promise<IngestOutcome>;
}
