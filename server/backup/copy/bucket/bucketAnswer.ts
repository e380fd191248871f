// What an answer of the bucket means. Pure, and total: nothing of its body gets further than codes and ids.
import type { BackupFault } from '../../../../shared/protocol/backup/backupWords.ts';

export interface BucketAnswer {
  readonly status: number;
  readonly etag: string;
  /** By `content-length`; undefined where there is none. */
  readonly bytes: number | undefined;
  /** In hex, as it was given with the copy; '' where the service doesn't keep it. */
  readonly sha256: string;
  readonly text: string;
}

export interface BucketFailure {
  readonly ok: false;
  /** `copy-unreachable` can pass. */
  readonly fault: Extract<BackupFault, 'copy-unreachable' | 'copy-refused'>;
  readonly detail: string;
}

export type BucketResult<Value> = { readonly ok: true; readonly value: Value } | BucketFailure;

const SERVER_ERROR = 500;
const PASSING_STATUS: readonly number[] = [408, 425, 429];
/** Also with other statuses, and in the body of a 200. `NoSuchUpload`: the service has forgotten it, another begins anew. */
const PASSING_CODES: readonly string[] = [
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'RequestTimeout',
  'OperationAborted',
  'NoSuchUpload',
];

/** Undefined: it did what was asked. */
export function failureOf({ status, text }: Pick<BucketAnswer, 'status' | 'text'>): BucketFailure | undefined {
  // Completing an upload takes long: the service answers 200 first, and then how it went.
  const code = /<Error>/.test(text) ? (/<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? 'Error') : '';
  if (status >= 200 && status < 300 && code === '') return undefined;
  const canPass = status >= SERVER_ERROR || PASSING_STATUS.includes(status) || PASSING_CODES.includes(code);
  return { ok: false, fault: canPass ? 'copy-unreachable' : 'copy-refused', detail: `${status} ${code}`.trim() };
}

/** Of an upload that was begun. */
export function uploadIdIn(text: string): string | undefined {
  const id = /<UploadId>([^<>]{1,2048})<\/UploadId>/.exec(text)?.[1];
  return id === undefined ? undefined : unescapeXml(id);
}

/** Of uploads of this key that were begun and not ended, out of a list that may have others. */
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
