// Interprets an answer of the bucket. Pure, and total: only codes and ids of its body are passed on.
import type { BackupFault } from '../../../../shared/protocol/backup/backupWords.ts';

export interface BucketAnswer {
  readonly status: number;
  readonly etag: string;
  /** Value of `content-length`; undefined where there is none. */
  readonly bytes: number | undefined;
  /** Hash in hex, as it was sent with the copy; '' where the service doesn't keep it. */
  readonly sha256: string;
  readonly text: string;
}

export interface BucketFailure {
  readonly ok: false;
  /** `copy-unreachable` may be temporary. */
  readonly fault: Extract<BackupFault, 'copy-unreachable' | 'copy-refused'>;
  readonly detail: string;
}

export type BucketResult<Value> = { readonly ok: true; readonly value: Value } | BucketFailure;

const SERVER_ERROR = 500;
const PASSING_STATUS: readonly number[] = [408, 425, 429];
/** Temporary errors of any status, also in the body of a 200. `NoSuchUpload`: the service has lost the upload; a new one starts over. */
const PASSING_CODES: readonly string[] = [
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'RequestTimeout',
  'OperationAborted',
  'NoSuchUpload',
];

/** Undefined: the request succeeded. */
export function failureOf({ status, text }: Pick<BucketAnswer, 'status' | 'text'>): BucketFailure | undefined {
  // Completing an upload takes long: the service answers 200 first, and reports the outcome later.
  const code = /<Error>/.test(text) ? (/<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? 'Error') : '';
  if (status >= 200 && status < 300 && code === '') return undefined;
  const canPass = status >= SERVER_ERROR || PASSING_STATUS.includes(status) || PASSING_CODES.includes(code);
  return { ok: false, fault: canPass ? 'copy-unreachable' : 'copy-refused', detail: `${status} ${code}`.trim() };
}

/** ID of an upload that was begun. */
export function uploadIdIn(text: string): string | undefined {
  const id = /<UploadId>([^<>]{1,2048})<\/UploadId>/.exec(text)?.[1];
  return id === undefined ? undefined : unescapeXml(id);
}

/** IDs of the begun and unfinished uploads of this key, from a list that may have others. */
export function uploadIdsIn(text: string, key: string): readonly string[] {
  const uploads = text.split('<Upload>').slice(1);
  const own = uploads.filter((upload) => upload.includes(`<Key>${escapeXml(key)}</Key>`));
  return own.map(uploadIdIn).filter((id) => id !== undefined);
}

/** The body that ends an upload: its parts, in order. */
export function completionOf(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&${ENTITIES[sign]};`);
}

function unescapeXml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => {
    return Object.keys(ENTITIES).find((sign) => ENTITIES[sign] === name) ?? entity;
  });
}
