// Large files that members upload: in parts, so that a broken connection costs one part (docs/contract.md). An upload belongs to
// the member who began it, and is deleted a day later unless something has taken it over.
import * as Type from 'typebox/type';
import { Count, closed, OneOf, type RecordOf, Text, Timestamp } from '../records.ts';

/** POST, with an UploadBegin; the answer is an Upload. */
export const UPLOAD_BEGIN_PATH = '/api/upload/begin';
/** POST, with the bytes as `application/octet-stream` and an UploadPartQuery; the answer is an Upload. */
export const UPLOAD_PART_PATH = '/api/upload/part';
/** GET, with an UploadQuery; the answer is an Upload. DELETE drops it. */
export const UPLOAD_STATE_PATH = '/api/upload/state';

export const MAX_UPLOAD_PART_BYTES = 4 * 1_024 * 1_024;

/** The purpose of an upload, which decides who may upload and how large the file may be. */
export const UPLOAD_PURPOSES = ['firmware', 'backup'] as const;
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];

export const UploadId = Type.String({ pattern: '^[0-9a-f]{32}$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const UploadBegin = Type.Object(
  {
    purpose: OneOf(UPLOAD_PURPOSES),
    bytes: Type.Integer({ minimum: 1, maximum: 1_024 ** 4 }),
    /** Hash of the whole file, in hex. */
    sha256: Sha256,
  },
  closed,
);
export type UploadBegin = RecordOf<typeof UploadBegin>;

export const UploadPartQuery = Type.Object(
  {
    id: UploadId,
    /** Where the part belongs. A part that begins before `receivedBytes` repeats bytes; one that begins after it is refused. */
    offset: Type.String({ pattern: '^\\d{1,15}$' }),
  },
  closed,
);
export const UploadQuery = Type.Object({ id: UploadId }, closed);

export const Upload = Type.Object({
  id: Text,
  purpose: OneOf(UPLOAD_PURPOSES),
  bytes: Count,
  sha256: Text,
  /** From the start, without a gap: where the next part begins. */
  receivedBytes: Count,
  expiresAtMs: Timestamp,
});
export type Upload = RecordOf<typeof Upload>;
