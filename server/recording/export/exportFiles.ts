// The clips of an export as one body: the one clip as it is, several in an archive. Nothing is stored on the way.
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { createArchive } from '../../faults/archive.ts';
import { guardStream } from '../../faults/streams.ts';
import type { GopReader } from '../playback/gopReader.ts';
import { type ExportPlan, exportChannel } from './exportChannel.ts';
import { clipFileName } from './fileNames.ts';

export interface ExportRun {
  readonly signal: AbortSignal;
  /** Told how much of all the clips' time is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

const BODY_BUFFER_BYTES = 1024 * 1024;
/** Past this an archive needs the larger format, which not every program reads. */
const LARGE_ARCHIVE_BYTES = 3.5 * 1024 ** 3;

/** The body begins to flow at once; an error or the signal's end breaks it off, so that no short clip passes for a whole one. */
export function openExport(gopReader: GopReader, plans: readonly ExportPlan[], run: ExportRun): Readable {
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return openClip(gopReader, only, run);
  return openArchive(gopReader, plans, run);
}

function openClip(gopReader: GopReader, plan: ExportPlan, { signal, onProgress }: ExportRun): Readable {
  const body = guardStream(new PassThrough({ highWaterMark: BODY_BUFFER_BYTES }));
  const gone = new AbortController();
  body.once('close', () => gone.abort());
  const both = AbortSignal.any([signal, gone.signal]);
  const write = async (bytes: Uint8Array): Promise<void> => {
    both.throwIfAborted();
    if (!body.write(bytes)) await once(body, 'drain', { signal: both });
  };
  exportChannel(gopReader, plan, { write, signal: both, onProgress }).then(
    () => body.end(),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error('the export failed', { cause: error })),
  );
  return body;
}

function openArchive(gopReader: GopReader, plans: readonly ExportPlan[], { signal, onProgress }: ExportRun): Readable {
  const body = guardStream(new PassThrough({ highWaterMark: BODY_BUFFER_BYTES }));
  const fail = (error: unknown): void => void body.destroy(error instanceof Error ? error : new Error(String(error)));
  const archive = createArchive(fail);
  const gone = new AbortController();
  body.once('close', () => gone.abort());
  const both = AbortSignal.any([signal, gone.signal]);
  const forceZip64Format = plans.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_ARCHIVE_BYTES;
  plans.forEach((plan, index) => {
    const options = { compress: false, mtime: new Date(plan.startMs), forceZip64Format };
    archive.addReadStreamLazy(clipFileName(plan), options, (take) => {
      // Pictures are compressed already, and one clip at a time is written.
      const onClip = (share: number): void => onProgress((index + share) / plans.length);
      const settings = openClip(gopReader, plan, { signal: both, onProgress: onClip });
      settings.once('error', fail);
      take(null, settings);
    });
  });
  archive.end({ forceZip64Format, comment: '' });
  archive.outputStream.pipe(body);
  return body;
}
