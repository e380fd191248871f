// What the gateway's main thread and the thread of imports say to one another.
import type { ImportEncoding } from '../../../shared/protocol/api/imports/importEncodings.ts';
import type { FileAnswer } from '../../http/devices/import/readFile.ts';
import type { FenceFile, FenceFileReading } from '../../http/fences/import/readFile.ts';

export interface DevicesQuestion {
  readonly type: 'devices';
  readonly bytes: Uint8Array;
  readonly encoding: ImportEncoding | undefined;
}

export interface FencesQuestion {
  readonly type: 'fences';
  readonly bytes: Uint8Array;
  readonly reading: FenceFileReading;
}

export type ImportQuestion = DevicesQuestion | FencesQuestion;

/** A file without its rows. They come in pieces, which the main thread opens one after another. */
interface InPieces<File> {
  readonly file: File;
  readonly pieces: readonly Uint8Array[];
}

export type DevicesAnswer = InPieces<FileAnswer>;
export type FencesAnswer = InPieces<FenceFile>;
export type ImportAnswer = DevicesAnswer | FencesAnswer;
