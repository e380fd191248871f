// Reads files that members import. The gateway does it in a thread of its own.
import type { ImportEncoding } from '../../../shared/protocol/api/imports/importEncodings.ts';
import type { FileAnswer } from '../devices/import/readFile.ts';
import type { FenceFile, FenceFileReading } from '../fences/import/readFile.ts';

/** Reading took too long or too much memory. */
export interface UnreadableFile {
  readonly ok: false;
  readonly code: 'file-too-complex';
}

/** A file, and for which member group it is read: they take turns. */
interface ImportedFile {
  readonly bytes: Uint8Array;
  readonly memberGroup: number;
}

export interface ImportReader {
  devices(file: ImportedFile, encoding: ImportEncoding | undefined): Promise<FileAnswer | UnreadableFile>;
  fences(file: ImportedFile, reading: FenceFileReading): Promise<FenceFile | UnreadableFile>;
}

export const FILE_TOO_COMPLEX = 'The file takes too long to read. Check it, or split it into several files.';
