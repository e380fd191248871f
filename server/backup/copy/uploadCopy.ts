// Uploads one backup into the bucket: in parts, two at a time, and all of it or nothing. Small ones have a part as well, so that half a
// copy never has its name. An upload that was stopped begins anew: to go on, parts that the service has would have to be trusted.
import { type FileHandle, open } from 'node:fs/promises';
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import { followSignal } from '../../faults/followingSignal.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Bucket, CopyFound, OpenUpload } from './bucket/bucket.ts';
import type { BucketResult } from './bucket/bucketAnswer.ts';
import { PartReader } from './partReader.ts';
import { COPY_PARTS_LIMIT, countParts } from './parts.ts';
import { type Pause, retried } from './retries.ts';

export interface CopySource {
  readonly path: string;
  /** File name of the copy. */
  readonly file: string;
  /** Size when the backup was written. */
  readonly bytes: number;
  readonly sha256: string;
}

export interface UploadDeps {
  readonly bucket: Pick<Bucket, 'find' | 'leftovers' | 'begin' | 'put' | 'complete' | 'abort'>;
  readonly pause: Pause;
  /** Whether no other gateway works on the same database. */
  readonly isAlone: () => Promise<boolean>;
  readonly onLimit: OnLimit;
}

export type CopyOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly fault: Exclude<BackupFault, ''>; readonly detail: string };

type Uploaded = BucketResult<void> | Extract<CopyOutcome, { readonly ok: false }>;

const AT_A_TIME = 2;
/** Time for the request that aborts an upload, after whatever ended it. */
const ABORT_MS = 3_000;

/** Rejects when the signal is aborted, and where the file can't be read. Then nothing is left of the parts that were sent. */
export async function uploadCopy(source: CopySource, deps: UploadDeps, signal: AbortSignal): Promise<CopyOutcome> {
  const { bytes, sha256, file } = source;
  if (countParts(bytes) === undefined) {
    deps.onLimit(COPY_PARTS_LIMIT);
    return { ok: false, fault: 'too-large', detail: `${bytes} bytes` };
  }
  const before = await found(source, deps, signal);
  if (!before.ok) return before;
  // The last attempt was stopped between the final answer and noting it.
  if (before.value !== undefined && isWhole(before.value, source)) return { ok: true };
  const handle = await open(source.path);
  try {
    await takeBackLeftovers(file, deps, signal);
    const upload = await retried(() => deps.bucket.begin(file, sha256, signal), deps.pause, signal);
    if (!upload.ok) return upload;
    const sent = await sentOrTakenBack(upload.value, { handle, source, deps, signal });
    return sent.ok ? await proven(source, deps, signal) : sent;
  } finally {
    await handle.close();
  }
}

function isWhole({ bytes, sha256 }: CopyFound, source: CopySource): boolean {
  return bytes === source.bytes && (sha256 === '' || sha256 === source.sha256);
}

/** Keys that can write but not read get a refusal, which counts as if there were no copy. */
async function found(
  { file }: CopySource,
  { bucket, pause }: UploadDeps,
  signal: AbortSignal,
): Promise<BucketResult<CopyFound | undefined>> {
  const copy = await retried(() => bucket.find(file, signal), pause, signal);
  return !copy.ok && copy.fault === 'copy-refused' ? { ok: true, value: undefined } : copy;
}

/** Not every key may list uploads, and no copy fails for it. While another gateway is present, they may be its own. */
async function takeBackLeftovers(file: string, { bucket, isAlone }: UploadDeps, signal: AbortSignal): Promise<void> {
  if (!(await isAlone())) return;
  const left = await bucket.leftovers(file, signal);
  if (left.ok) for (const upload of left.value) await bucket.abort(upload, signal);
}

/** The service has confirmed the copy. Only finding another copy contradicts that. */
async function proven(source: CopySource, deps: UploadDeps, signal: AbortSignal): Promise<CopyOutcome> {
  const copy = await found(source, deps, signal);
  if (!copy.ok) return copy;
  if (copy.value === undefined || isWhole(copy.value, source)) return { ok: true };
  const detail = `the copy has ${copy.value.bytes ?? 'an unknown number of'} bytes`;
  return { ok: false, fault: 'copy-unreachable', detail };
}

interface Sending {
  readonly handle: FileHandle;
  readonly source: CopySource;
  readonly deps: UploadDeps;
  readonly signal: AbortSignal;
}

async function sentOrTakenBack(upload: OpenUpload, sending: Sending): Promise<Uploaded> {
  const { bucket } = sending.deps;
  let isSent = false;
  try {
    const sent = await send(upload, sending);
    isSent = sent.ok;
    return sent;
  } finally {
    // The signal may have ended the upload, so it isn't used here. If this fails, the bucket's own rules clean up.
    if (!isSent) await bucket.abort(upload, AbortSignal.timeout(ABORT_MS)).catch(() => undefined);
  }
}

async function send(upload: OpenUpload, { handle, source, deps, signal }: Sending): Promise<Uploaded> {
  const { bucket, pause } = deps;
  const reader = new PartReader(handle, source.bytes);
  const etags = await sendParts(upload, reader, { deps, signal });
  if (!etags.ok) return etags;
  if (reader.sha256() !== source.sha256) {
    return { ok: false, fault: 'damaged', detail: 'the file is not as it was written' };
  }
  return retried(() => bucket.complete(upload, etags.value, signal), pause, signal);
}

/** The first failure ends the other parts. */
async function sendParts(
  upload: OpenUpload,
  reader: PartReader,
  { deps, signal }: Pick<Sending, 'deps' | 'signal'>,
): Promise<BucketResult<readonly string[]>> {
  const etags: string[] = [];
  const own = followSignal(signal);
  const sendInTurn = async (): Promise<BucketResult<void>> => {
    for (;;) {
      const part = await reader.next();
      if (part === undefined) return { ok: true, value: undefined };
      const put = await retried(() => deps.bucket.put(upload, part, own.signal), deps.pause, own.signal);
      if (!put.ok) return put;
      etags[part.number - 1] = put.value;
    }
  };
  try {
    const lanes = Array.from({ length: AT_A_TIME }, () => endingOthers(sendInTurn(), own.abort));
    const ended = await Promise.allSettled(lanes);
    signal.throwIfAborted();
    return outcomeOf(ended) ?? { ok: true, value: etags };
  } finally {
    own.release();
  }
}

async function endingOthers(lane: Promise<BucketResult<void>>, abort: () => void): Promise<BucketResult<void>> {
  try {
    const result = await lane;
    if (!result.ok) abort();
    return result;
  } catch (error) {
    abort();
    throw error;
  }
}

/** The cause of the failure, rather than those that it has ended. */
function outcomeOf(lanes: readonly PromiseSettledResult<BucketResult<void>>[]) {
  for (const lane of lanes) if (lane.status === 'fulfilled' && !lane.value.ok) return lane.value;
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  return undefined;
}
