// The state of the recordings' disk. Pure.
import { errorCode, type Space } from './files.ts';

export type DiskState =
  | 'ok'
  /** Below the floor, with nothing left to delete. Recording continues for now. */
  | 'low'
  /** No room. Recording pauses. */
  | 'full'
  /** Not there. Recording pauses. */
  | 'gone'
  /** It does not answer, or fails for a reason that is not known. Recording pauses. */
  | 'failing'
  /** Can be read and not written. Recording pauses. */
  | 'read-only';

export function mayRecord(state: DiskState): boolean {
  return state === 'ok' || state === 'low';
}

/**
 * What a failed operation says of the disk; undefined when it says nothing, as with too many open files. Only codes that mean so are
 * taken for a disk that is away: it is a critical event, and whoever is told of it looks for a cable.
 */
export function stateOfError(error: unknown): DiskState | undefined {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'read-only';
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
    case 'EINTR':
      return undefined;
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
    case 'EIO':
    case 'ESTALE':
    case 'ENOTCONN':
    case 'EHOSTDOWN':
    case 'EHOSTUNREACH':
      return 'gone';
    default:
      return 'failing';
  }
}

/** Recording stops below a quarter of the floor, which leaves room for the database and the system, and resumes at half. */
export function stateOfSpace({ freeBytes }: Space, floorBytes: number, before: DiskState): DiskState {
  if (freeBytes >= floorBytes) return 'ok';
  const stopsAt = mayRecord(before) ? floorBytes / 4 : floorBytes / 2;
  return freeBytes < stopsAt ? 'full' : 'low';
}

/** Deletes a little more than needed, so that not every segment causes a deletion. */
const RELEASE_SHARE = 0.05;
/** Bytes deleted at a time when the disk reports that it is full although it shows free space, as with a quota. */
export const QUOTA_RELEASE_BYTES = 64 * 1024 * 1024;

export interface SpaceLimits {
  readonly floorBytes: number;
  /** What all recordings together may take; 0: no limit. */
  readonly maximumBytes: number;
}

/** How many bytes of the oldest recordings are to go. */
export function bytesToRelease(space: Space, recordedBytes: number, limits: SpaceLimits, state: DiskState): number {
  const missing = limits.floorBytes - space.freeBytes;
  const forFloor = missing > 0 ? missing + limits.floorBytes * RELEASE_SHARE : 0;
  const excess = limits.maximumBytes > 0 ? recordedBytes - limits.maximumBytes : 0;
  const forMaximum = excess > 0 ? excess + limits.maximumBytes * RELEASE_SHARE : 0;
  const forQuota = state === 'full' && forFloor === 0 ? QUOTA_RELEASE_BYTES : 0;
  return Math.max(forFloor, forMaximum, forQuota);
}
