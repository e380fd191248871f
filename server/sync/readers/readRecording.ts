// The reader of files that devices record, as other parts of the gateway use it.
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';

export interface ReadHints {
  /** Channel to read, for files with several; the first one where it is not among them. */
  readonly channel: number;
  /** Length of the requested span, for files without a picture rate. */
  readonly spanMs: number;
}

export interface ReadRequest {
  readonly path: string;
  readonly hints: ReadHints;
  readonly signal: AbortSignal;
  /** False: no more packets are wanted. The next packets wait for the answer. */
  readonly take: (packets: readonly WrittenPacket[]) => Promise<boolean>;
}

/** Passes on what can be read of a file, however it ends. Rejects when it can't be opened or `take` fails, never for its content. */
export type ReadRecording = (request: ReadRequest) => Promise<void>;
