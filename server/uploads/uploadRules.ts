// Decides whether an upload is allowed, and where a part of it belongs. Pure.

import { MAX_FIRMWARE_BYTES } from '../../shared/protocol/api/firmware/images.ts';
import type { UploadBegin, UploadPurpose } from '../../shared/protocol/api/uploads/uploads.ts';
import type { Limit } from '../limits/limit.ts';

/** Unfinished uploads of a user. A further one is refused with 409 `too-many-uploads`. */
export const UPLOADS_LIMIT: Limit = { name: 'uploads.user', max: 3 };
/** Size of a firmware image. A larger one is refused with 413 `upload-too-large`. */
export const FIRMWARE_BYTES_LIMIT: Limit = { name: 'uploads.firmware.bytes', max: MAX_FIRMWARE_BYTES };
/** Size of an uploaded backup. A larger one is refused with 413 `upload-too-large`. */
export const BACKUP_BYTES_LIMIT: Limit = { name: 'uploads.backup.bytes', max: 8 * 1024 ** 3 };
export const UPLOAD_LIFETIME_MS = 24 * 3_600_000;
/** Bytes that uploads leave free on the disk, for the database and everything else on it. */
export const SPARE_BYTES = 512 * 1024 ** 2;

export const BYTES_LIMITS: Readonly<Record<UploadPurpose, Limit>> = {
  firmware: FIRMWARE_BYTES_LIMIT,
  backup: BACKUP_BYTES_LIMIT,
};

export type BeginFault = 'too-large' | 'too-many' | 'full';

export interface OpenUpload {
  readonly userId: number;
  /** Announced size. */
  readonly bytes: number;
  readonly receivedBytes: number;
}

export interface Room {
  readonly freeBytes: number;
  /** Bytes that all uploads together may have received. */
  readonly maxBytes: number;
}

/**
 * The reason why an upload can't begin now. Only received bytes take room: an upload that is announced and never sent would otherwise
 * keep everyone else out for a day. Where two fill the room at once, the part that no longer fits is refused.
 */
export function beginFault(
  { purpose, bytes }: Pick<UploadBegin, 'purpose' | 'bytes'>,
  userId: number,
  open: readonly OpenUpload[],
  { freeBytes, maxBytes }: Room,
): BeginFault | undefined {
  if (bytes > BYTES_LIMITS[purpose].max) return 'too-large';
  if (open.filter((each) => each.userId === userId).length >= UPLOADS_LIMIT.max) return 'too-many';
  return hasRoomFor(bytes, open, { freeBytes, maxBytes }) ? undefined : 'full';
}

export function hasRoomFor(
  bytes: number,
  open: readonly Pick<OpenUpload, 'receivedBytes'>[],
  { freeBytes, maxBytes }: Room,
): boolean {
  const received = open.reduce((sum, each) => sum + each.receivedBytes, 0);
  return received + bytes <= maxBytes && bytes + SPARE_BYTES <= freeBytes;
}

export interface ResumableUpload extends UploadBegin {
  readonly userId: number;
  readonly expiresAtMs: number;
}

/** Whether an upload is the user's own for the same file, and so continues. */
export function isSame(
  upload: ResumableUpload,
  wanted: UploadBegin,
  { userId, nowMs }: { readonly userId: number; readonly nowMs: number },
): boolean {
  const isOfFile = upload.bytes === wanted.bytes && upload.sha256 === wanted.sha256;
  return isOfFile && upload.purpose === wanted.purpose && upload.userId === userId && upload.expiresAtMs > nowMs;
}

export interface PlacedPart {
  readonly offset: number;
  readonly length: number;
}

/** Bytes at the part's beginning that are there already; undefined for a part that would leave a gap or goes beyond the end. */
export function repeatedBytes(part: PlacedPart, receivedBytes: number, bytes: number): number | undefined {
  if (part.offset > receivedBytes || part.offset + part.length > bytes) return undefined;
  return Math.min(part.length, receivedBytes - part.offset);
}
