// Examines an archive from elsewhere without a key: its hash, whether it is complete, and its contents if it isn't encrypted.
import { createHash } from 'node:crypto';
import type { ReadContents } from '../../store/system/backups.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from './faults.ts';
import { archiveBytes, readHead, readSealedThrough } from './readArchive.ts';
import { type ReadRun, verifyBytes } from './verifyArchive.ts';

export interface SurveyTask {
  readonly path: string;
}

export interface Surveyed {
  readonly ok: true;
  readonly bytes: number;
  /** Hash of all bytes of the archive, in hex. */
  readonly sha256: string;
  /** Undefined: it is encrypted. */
  readonly contents: ReadContents | undefined;
}

export function surveyArchive({ path }: SurveyTask, run: ReadRun): Promise<Surveyed | ArchiveFailure> {
  return withFailures(async () => {
    const hash = createHash('sha256');
    let bytes = 0;
    // Both branches read it to its end.
    async function* hashed(): AsyncGenerator<Buffer> {
      for await (const part of archiveBytes(path)) {
        throwIfCanceled(run.signal);
        hash.update(part);
        bytes += part.length;
        yield part;
      }
    }
    const { encryption } = await readHead(archiveBytes(path));
    const contents = encryption.kind === 'none' ? await verified(hashed(), run) : await sealed(hashed(), run);
    return { ok: true, bytes, sha256: hash.digest('hex'), contents };
  });
}

async function verified(bytes: AsyncIterable<Buffer>, run: ReadRun): Promise<ReadContents> {
  const outcome = await verifyBytes(bytes, { kind: 'none' }, run);
  if (!outcome.ok) throw new ArchiveFault(outcome.fault, outcome.detail);
  return outcome.contents;
}

async function sealed(bytes: AsyncIterable<Buffer>, { onProgress }: ReadRun): Promise<undefined> {
  await readSealedThrough(bytes, (read) => onProgress({ rows: 0, bytes: read }));
  return undefined;
}
