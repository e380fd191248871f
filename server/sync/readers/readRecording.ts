// What reads the files that devices record, as the rest of the gateway knows it.
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';

export interface ReadHints {
  /** Some files hold several: this one, or the first where it is not among them. */
  readonly channel: number;
  /** What was asked for: for files that do not say how fast their pictures follow. */
  readonly spanMs: number;
}

export interface ReadRequest {
  readonly path: string;
  readonly hints: ReadHints;
  readonly signal: AbortSignal;
  /** False: no more. The next packets wait for the answer. */
  readonly take: (packets: readonly WrittenPacket[]) => Promise<boolean>;
}

/** Gives what can be read of a file, however it ends. Rejects when it cannot be opened or `take` fails, never for its content. */
export type ReadRecording = (request: ReadRequest) => Promise<void>;
