// Where a segment lies below the recordings' folder, and what a file found there is. Pure.
// Layout: <archive>/ch<channel>/<yyyy-mm-dd>/<hhmmss.mmm>-<quality>.seg, day and time of its start in UTC.
import { createHash } from 'node:crypto';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StreamQuality } from '../media/channelKey.ts';

/** What names a segment: no two share all of archive, channel and start. */
export interface SegmentName {
  readonly archiveId: string;
  readonly channel: number;
  readonly quality: StreamQuality;
  /** The gateway's clock at the first key frame. */
  readonly startMs: WallMs;
}

const SEGMENT_SUFFIX = '.seg';
const SIDECAR_SUFFIX = '.idx';
/** An empty file that says: this is the folder of recordings, and not the mount point of a disk that is away. */
export const MARKER_NAME = '.fleetglass-recordings';

/** File systems take 255 bytes a name; ids of 64 characters outside ASCII would need up to 768. */
const MAX_FOLDER_CHARACTERS = 200;
const HASH_CHARACTERS = 32;

/**
 * The archive's folder: its id in UTF-8, every byte but ASCII letters, digits, `-` and `_` as %XX, so that no id reaches
 * outside or hides. One that grows too long ends in `~` and a part of its SHA-256 instead.
 */
export function archiveFolder(archiveId: string): string {
  const whole = [...Buffer.from(archiveId, 'utf8')].map(folderByte).join('');
  if (whole.length <= MAX_FOLDER_CHARACTERS) return whole;
  const hash = createHash('sha256').update(archiveId).digest('hex').slice(0, HASH_CHARACTERS);
  return `${whole.slice(0, MAX_FOLDER_CHARACTERS - HASH_CHARACTERS - 1)}~${hash}`;
}

function folderByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The archive of a folder; undefined for a folder that is none, or whose id is too long to stand in its name. */
export function archiveIdOfFolder(folder: string): string | undefined {
  if (!/^(?:[A-Za-z0-9_-]|%[0-9A-F]{2})+$/.test(folder)) return undefined;
  try {
    const archiveId = decodeURIComponent(folder);
    return archiveFolder(archiveId) === folder ? archiveId : undefined;
  } catch {
    return undefined; // no UTF-8
  }
}

export function channelFolder(archiveId: string, channel: number): string {
  return `${archiveFolder(archiveId)}/ch${channel}`;
}

export function channelOfFolder(folder: string): number | undefined {
  const digits = /^ch([1-9]\d{0,2})$/.exec(folder)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function dayFolder({ archiveId, channel, startMs }: Omit<SegmentName, 'quality'>): string {
  return `${channelFolder(archiveId, channel)}/${dayOf(startMs)}`;
}

function dayOf(atMs: WallMs): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Path of the segment below the recordings' folder. */
export function segmentPath(name: SegmentName): string {
  return `${pathStem(name)}${SEGMENT_SUFFIX}`;
}

/** Path of its sidecar, beside it. */
export function sidecarPath(name: SegmentName): string {
  return `${pathStem(name)}${SIDECAR_SUFFIX}`;
}

function pathStem(name: SegmentName): string {
  const time = new Date(name.startMs).toISOString().slice(11, 23).replaceAll(':', '');
  return `${dayFolder(name)}/${time}-${name.quality}`;
}

export interface FileTime {
  readonly startMs: WallMs;
  readonly quality: StreamQuality;
  readonly kind: 'segment' | 'sidecar';
}

/** What a file in a day's folder is; undefined when it is none of ours. */
export function parseFileName(day: string, file: string): FileTime | undefined {
  const parts = /^(\d\d)(\d\d)(\d\d\.\d{3})-(main|sub)\.(seg|idx)$/.exec(file);
  if (parts === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const [, hours, minutes, seconds, quality, suffix] = parts;
  const atMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  if (!Number.isFinite(atMs) || dayOf(wallMs(atMs)) !== day) return undefined;
  return {
    startMs: wallMs(atMs),
    quality: quality === 'sub' ? 'sub' : 'main',
    kind: suffix === 'seg' ? 'segment' : 'sidecar',
  };
}
