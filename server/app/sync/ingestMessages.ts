// What the gateway's main thread and the threads that read recordings of devices say to one another.
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import type { ReadHints } from '../../sync/readers/readRecording.ts';

export interface IngestThreadData {
  readonly path: string;
  readonly hints: ReadHints;
}

export type FromIngestThread =
  | { readonly type: 'packets'; readonly packets: readonly WrittenPacket[] }
  /** Nothing follows this message. */
  | { readonly type: 'done' };

/** The answer to packets. */
export interface ToIngestThread {
  readonly wantsMore: boolean;
}
