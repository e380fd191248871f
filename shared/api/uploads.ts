// Hands a large file to the gateway in parts, so that a broken connection costs one part.

import { Nothing } from '../protocol/api/records.ts';
import {
  MAX_UPLOAD_PART_BYTES,
  UPLOAD_BEGIN_PATH,
  UPLOAD_PART_PATH,
  UPLOAD_STATE_PATH,
  Upload,
  type UploadPurpose,
} from '../protocol/api/uploads/uploads.ts';
import { type ApiFailure, type ApiResult, mapResult, requestBytes } from './client.ts';
import { hashOfBlob } from './hashOfBlob.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

export interface UploadOptions {
  /** Called with the number of bytes that the gateway has. */
  readonly onProgress: (bytes: number) => void;
  /** Called with the id of the gateway's upload, even if `signal` ended the upload while the gateway was being asked for one. */
  readonly onBegun?: (id: string) => void;
  /** Ends the upload; uploading the same file later continues where it stopped. */
  readonly signal: AbortSignal;
  /** Settles when a part without an answer may be tried again. Left out: after some seconds. */
  readonly pause?: (attempt: number) => Promise<void>;
}

/** The error that an upload rejects with. */
export class UploadFailed extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.kind === 'aborted' ? failure.kind : failure.message);
    this.failure = failure;
  }
}

/** The browser can't read the file, such as after it was changed or removed on the disk. It may be selected again. */
export class FileUnreadable extends Error {}

/** Attempts for one part: it is retried after 1, 2, 4, 8 and 16 seconds. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 1_000;

/**
 * Resolves with the whole upload, or rejects with UploadFailed or FileUnreadable. A file whose upload was begun in this tab before
 * continues where it stopped.
 */
export async function uploadFile(file: Blob, purpose: UploadPurpose, options: UploadOptions): Promise<Upload> {
  const { signal, onProgress } = options;
  const sha256 = await readable(hashOfBlob(file, signal));
  if (sha256 === undefined) throw new UploadFailed(ABORTED);
  let upload = await beginOrContinue({ purpose, bytes: file.size, sha256 }, signal);
  options.onBegun?.(upload.id);
  if (signal.aborted) throw new UploadFailed(ABORTED);
  let failures = 0;
  onProgress(upload.receivedBytes);
  while (upload.receivedBytes < file.size) {
    const result = await sendPart(file, upload, signal);
    if (result.ok) {
      failures = 0;
      upload = result.value;
      onProgress(upload.receivedBytes);
      continue;
    }
    failures += 1;
    if (!mayPass(result) || failures >= MAX_ATTEMPTS) throw new UploadFailed(result);
    await (options.pause ?? ((attempt) => pauseFor(attempt, signal)))(failures);
    if (signal.aborted) throw new UploadFailed(ABORTED);
    // The part may have arrived even though its answer did not.
    const state = await stateOf(upload.id, signal);
    if (state.ok) upload = state.value;
    else if (!mayPass(state)) throw new UploadFailed(state);
  }
  return upload;
}

/** Makes any failure a FileUnreadable, so `reading` must do nothing but read the file. */
async function readable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    throw new FileUnreadable('the file cannot be read', { cause: error });
  }
}

const ABORTED: ApiFailure = { ok: false, kind: 'aborted' };

/**
 * Whether the failure may pass: no answer, an upload that is further along than expected, or a gateway that is overloaded or
 * restarting.
 */
function mayPass(failure: ApiFailure): boolean {
  if (failure.kind !== 'http') return failure.kind === 'network';
  return failure.status === 409 || failure.status === 429 || failure.status >= 502;
}

async function sendPart(file: Blob, { id, receivedBytes }: Upload, signal: AbortSignal): Promise<ApiResult<Upload>> {
  // Read beforehand: within the call, a file that can't be read looks like a network that is down.
  const part = new Blob([
    await readable(file.slice(receivedBytes, receivedBytes + MAX_UPLOAD_PART_BYTES).arrayBuffer()),
  ]);
  const query = { id, offset: receivedBytes };
  const result = await requestBytes<unknown>(UPLOAD_PART_PATH, { file: part, query, signal });
  return mapResult(result, (data) => readRecord(Upload, data));
}

function stateOf(id: string, signal: AbortSignal): Promise<ApiResult<Upload>> {
  return requestRecord(UPLOAD_STATE_PATH, Upload, { query: { id }, signal });
}

/** Prefix of the keys that the ids of this tab's uploads are stored under. */
const KEYS = 'upload:';

type Begun = Pick<Upload, 'purpose' | 'bytes' | 'sha256'>;

async function beginOrContinue(begun: Begun, signal: AbortSignal): Promise<Upload> {
  const key = `${KEYS}${begun.purpose}:${begun.sha256}`;
  const known = recall(key);
  const state = known === undefined ? undefined : await stateOf(known, signal);
  if (state?.ok === true && state.value.bytes === begun.bytes) return state.value;
  if (signal.aborted) throw new UploadFailed(ABORTED);
  // Not canceled by the signal: the gateway may have begun the upload already, which takes up one of three places until its id is known.
  const result = await requestRecord(UPLOAD_BEGIN_PATH, Upload, { method: 'POST', body: begun });
  if (!result.ok) throw new UploadFailed(result);
  remember(key, result.value.id);
  return result.value;
}

/** Removes what the gateway has of a file that is no longer wanted; otherwise it would be kept for a day. */
export function dropUpload(id: string): Promise<ApiResult<unknown>> {
  forget(id);
  return requestRecord(UPLOAD_STATE_PATH, Nothing, { method: 'DELETE', query: { id } });
}

// Storage may be turned off; an upload then starts over after a reload.
function recall(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(key: string, id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // See above.
  }
}

function forget(id: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(KEYS) && sessionStorage.getItem(key) === id) sessionStorage.removeItem(key);
    }
  } catch {
    // See above.
  }
}

function pauseFor(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
