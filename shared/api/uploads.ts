// Hands a large file to the gateway in parts, so that a broken connection costs one part.
import {
  MAX_UPLOAD_PART_BYTES,
  UPLOAD_BEGIN_PATH,
  UPLOAD_PART_PATH,
  Upload,
  type UploadPurpose,
} from '../protocol/api/uploads/uploads.ts';
import { type ApiFailure, type ApiResult, mapResult, requestBytes } from './client.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

export interface UploadOptions {
  /** So many bytes are with the gateway. */
  readonly onProgress: (bytes: number) => void;
  /** Ends it; the same file goes on later where it stopped. */
  readonly signal: AbortSignal;
}

/** What an upload is rejected with. */
export class UploadFailed extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.kind === 'aborted' ? failure.kind : failure.message);
    this.failure = failure;
  }
}

export async function uploadFile(file: File, purpose: UploadPurpose, options: UploadOptions): Promise<Upload> {
  const sha256 = await hashOf(file);
  const body = { purpose, bytes: file.size, sha256 };
  let upload = known(await requestRecord(UPLOAD_BEGIN_PATH, Upload, { method: 'POST', body, signal: options.signal }));
  while (upload.receivedBytes < file.size) {
    options.onProgress(upload.receivedBytes);
    if (options.signal.aborted) throw new UploadFailed({ ok: false, kind: 'aborted' });
    const { id, receivedBytes } = upload;
    const part = file.slice(receivedBytes, receivedBytes + MAX_UPLOAD_PART_BYTES);
    const result = await requestBytes<unknown>(UPLOAD_PART_PATH, { file: part, query: { id, offset: receivedBytes } });
    upload = known(mapResult(result, (data) => readRecord(Upload, data)));
  }
  options.onProgress(upload.receivedBytes);
  return upload;
}

function known<Value>(result: ApiResult<Value>): Value {
  if (!result.ok) throw new UploadFailed(result);
  return result.value;
}

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
