// Makes files and database agree after a crash, after a disk has returned, or with a lost database. The files are
// authoritative. Files without a row are read; everything else is compared by name only.
import type { SegmentOrigin } from '../../shared/protocol/segmentOrigins.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { mergeRanges, RANGE_JOIN_MS } from '../../shared/protocol/timeRanges.ts';
import type { Segment, SegmentId, SegmentStore } from '../store/recordings/segments.ts';
import { toSegment } from './channelRecorder.ts';
import { errorCode, type RecordingFile, type RecordingFiles, readWhole } from './files.ts';
import { type SegmentScan, scanSegment } from './scanSegment.ts';
import { decodeSidecar, encodeSidecar, type SegmentIndex } from './segmentFormat.ts';
import {
  archiveFolder,
  archiveIdOfFolder,
  channelFolder,
  channelOfFolder,
  MARKER_NAME,
  parseFileName,
  type SegmentName,
  segmentPath,
  sidecarPath,
} from './segmentPath.ts';
import { Semaphore } from './semaphore.ts';

export interface RecoveryDeps {
  readonly files: RecordingFiles;
  readonly segments: SegmentStore;
  /** Ids that can't be derived from their folders' names, because they are too long. */
  readonly archiveIds: readonly string[];
}

/** The state while recovery runs. */
export interface RecoveryContext {
  /** Paths of files created since it began. They are being recorded, and are not touched. */
  readonly madeSince: ReadonlySet<string>;
  readonly isStopped: () => boolean;
}

/** The results of recovery. */
export interface RecoveryReport {
  /** Segment files on the disk. */
  segments: number;
  /** Files that were not in the database. */
  added: number;
  /** Files among them with a torn tail, and the bytes that were cut. */
  torn: number;
  cutBytes: number;
  /** Groups of pictures that cannot be played. */
  damagedGroups: number;
  /** Files without any intact content, which were removed. */
  empty: number;
  /** Sidecars that were missing and made again. */
  sidecarsMade: number;
  /** Sidecars without a segment, which were removed. */
  sidecarOrphans: number;
  /** Rows without a file, which were removed. */
  rowOrphans: number;
  /** Files that aren't the product's, which stay where they are. */
  foreign: string[];
}

const SCANS_AT_A_TIME = 4;
/** Rows written at a time, so that current recording doesn't wait longer than this for the database. */
const ROWS_AT_A_TIME = 500;

export function emptyReport(): RecoveryReport {
  const counts = { segments: 0, added: 0, torn: 0, cutBytes: 0, damagedGroups: 0, empty: 0 };
  return { ...counts, sidecarsMade: 0, sidecarOrphans: 0, rowOrphans: 0, foreign: [] };
}

const ALONE: RecoveryContext = { madeSince: new Set(), isStopped: () => false };

export async function recover(
  deps: RecoveryDeps,
  context: RecoveryContext = ALONE,
): Promise<RecoveryReport | 'stopped'> {
  const report = emptyReport();
  const found = new Set<string>();
  for (const { archiveId, channel } of await listChannels(deps, report)) {
    if (context.isStopped()) return 'stopped';
    found.add(channelFolder(archiveId, channel));
    await recoverChannel({ ...deps, ...context }, { archiveId, channel }, report);
  }
  for (const { archiveId, channel } of await deps.segments.channels()) {
    if (context.isStopped()) return 'stopped';
    if (found.has(channelFolder(archiveId, channel))) continue;
    const rows = await oldRows({ ...deps, ...context }, { archiveId, channel });
    await forget(deps, { archiveId, channel }, rows, report);
  }
  return report;
}

/** Segments on the disk that the database has no row for, the oldest first. */
export async function unknownSegments(deps: RecoveryDeps): Promise<SegmentName[]> {
  const report = emptyReport();
  const unknown: SegmentName[] = [];
  for (const channel of await listChannels(deps, report)) {
    const { segments } = await listFiles(deps.files, channel, report);
    for (const { startMs } of await deps.segments.names(channel.archiveId, channel.channel)) segments.delete(startMs);
    unknown.push(...segments.values());
  }
  return unknown.sort((one, other) => one.startMs - other.startMs);
}

interface Channel {
  readonly archiveId: string;
  readonly channel: number;
}

async function listChannels({ files, archiveIds }: RecoveryDeps, report: RecoveryReport): Promise<Channel[]> {
  const byFolder = new Map(archiveIds.map((archiveId) => [archiveFolder(archiveId), archiveId]));
  const channels: Channel[] = [];
  for (const { name, isFolder } of await files.list('')) {
    const archiveId = isFolder ? (archiveIdOfFolder(name) ?? byFolder.get(name)) : undefined;
    if (archiveId === undefined) {
      if (name !== MARKER_NAME && !name.startsWith('.')) report.foreign.push(name);
      continue;
    }
    for (const entry of await files.list(name)) {
      const channel = entry.isFolder ? channelOfFolder(entry.name) : undefined;
      if (channel === undefined) report.foreign.push(`${name}/${entry.name}`);
      else channels.push({ archiveId, channel });
    }
  }
  return channels;
}

interface Listed {
  readonly segments: Map<WallMs, SegmentName>;
  readonly sidecars: Map<WallMs, SegmentName>;
}

async function recoverChannel(
  deps: RecoveryDeps & RecoveryContext,
  channel: Channel,
  report: RecoveryReport,
): Promise<void> {
  const listed = await listFiles(deps.files, channel, report);
  const rows = await oldRows(deps, channel);
  // Checked after both were read, because a path is added to `madeSince` before its file is created.
  for (const [startMs, name] of listed.segments) if (isNew(deps, name)) listed.segments.delete(startMs);
  for (const [startMs, name] of listed.sidecars) if (isNew(deps, name)) listed.sidecars.delete(startMs);
  const known = new Set<number>(rows.map(({ startMs }) => startMs));
  report.segments += listed.segments.size;
  const lost = rows.filter(({ startMs, quality }) => listed.segments.get(startMs)?.quality !== quality);
  await forget(deps, channel, lost, report);
  for (const { startMs } of lost) known.delete(startMs);
  for (const [startMs, name] of listed.sidecars) {
    if (listed.segments.has(startMs)) continue;
    await deps.files.remove(sidecarPath(name));
    report.sidecarOrphans++;
  }
  const semaphore = new Semaphore(SCANS_AT_A_TIME);
  const unknown = [...listed.segments.values()].filter(
    (name) => !known.has(name.startMs) || !listed.sidecars.has(name.startMs),
  );
  const repaired = await Promise.all(
    unknown.map((name) => semaphore.run(() => repairIfThere(deps.files, name, report))),
  );
  const segments = repaired.filter((segment) => segment !== undefined);
  report.added += segments.filter(({ startMs }) => !known.has(startMs)).length;
  for (let at = 0; at < segments.length; at += ROWS_AT_A_TIME) {
    await deps.segments.add(segments.slice(at, at + ROWS_AT_A_TIME));
  }
}

const isNew = ({ madeSince }: RecoveryContext, name: SegmentName): boolean => madeSince.has(segmentPath(name));

/** The rows of a channel, except those of segments recorded since recovery began. */
async function oldRows(deps: RecoveryDeps & RecoveryContext, channel: Channel) {
  const rows = await deps.segments.names(channel.archiveId, channel.channel);
  return rows.filter((row) => !isNew(deps, { ...row, ...channel }));
}

/** Undefined for a segment that retention has deleted since it was listed. */
async function repairIfThere(
  files: RecordingFiles,
  name: SegmentName,
  report: RecoveryReport,
): Promise<Segment | undefined> {
  try {
    return await repairSegment(files, name, report);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function forget(
  { files, segments }: RecoveryDeps,
  channel: Channel,
  rows: readonly { readonly startMs: WallMs }[],
  report: RecoveryReport,
): Promise<void> {
  const ids: SegmentId[] = rows.map(({ startMs }) => ({ ...channel, startMs }));
  // A disk that disappeared while it was listed looks empty.
  if (ids.length > 0 && !(await files.list('')).some(({ name }) => name === MARKER_NAME)) {
    throw new Error('the folder of recordings has lost its mark');
  }
  await segments.remove(ids);
  report.rowOrphans += ids.length;
}

async function listFiles(files: RecordingFiles, channel: Channel, report: RecoveryReport): Promise<Listed> {
  const listed: Listed = { segments: new Map(), sidecars: new Map() };
  const folder = channelFolder(channel.archiveId, channel.channel);
  for (const day of await files.list(folder)) {
    if (!day.isFolder) report.foreign.push(`${folder}/${day.name}`);
    for (const { name: file } of day.isFolder ? await files.list(`${folder}/${day.name}`) : []) {
      const path = `${folder}/${day.name}/${file}`;
      const parsed = parseFileName(day.name, file);
      if (parsed === undefined) {
        // This is left of a sidecar that was being replaced.
        if (/-(?:main|sub)\.idx\.new$/.test(file)) await files.remove(path);
        else report.foreign.push(path);
        continue;
      }
      const { startMs, quality } = parsed;
      const name = { ...channel, startMs, quality };
      (parsed.kind === 'segment' ? listed.segments : listed.sidecars).set(startMs, name);
    }
  }
  return listed;
}

/**
 * Completes a segment: cuts its torn tail and completes its sidecar. Gives its row; undefined when nothing in it was intact and it
 * was removed.
 */
export async function repairSegment(
  files: RecordingFiles,
  name: SegmentName,
  report: RecoveryReport,
): Promise<Segment | undefined> {
  const sidecar = await readWhole(files, sidecarPath(name));
  const read = sidecar === undefined ? undefined : decodeSidecar(sidecar);
  const index = read?.kind === 'read' && read.index.startMs === name.startMs ? read.index : undefined;
  const file = await files.open(segmentPath(name), 'repair');
  try {
    const fileBytes = await file.size();
    if (index?.end !== undefined && index.end.bytes === fileBytes) return rowOf(name, index);
    if (sidecar === undefined) report.sidecarsMade++;
    return await cutAndIndex({ files, file, name, report }, index);
  } finally {
    await file.close();
  }
}

/**
 * The device has the rest, which is fetched again from the next key frame on: half a group would be in its way. It isn't known
 * whether the last group is whole.
 */
function ofWholeGroups({ groups, end, startMs }: SegmentScan['index'], origin: SegmentOrigin): SegmentScan['index'] {
  const whole = groups.slice(0, -1);
  const last = whole.at(-1);
  const bytes = last === undefined ? 0 : last.offset + last.bytes;
  const endMs = last === undefined ? startMs : wallMs(last.wallTimeMs + last.durationMs);
  const deviceEndMs = last?.deviceTimeMs ?? end.deviceEndMs;
  return { startMs, groups: whole, end: { bytes, endMs, deviceEndMs, groupCount: whole.length }, origin };
}

interface RepairContext {
  readonly files: RecordingFiles;
  readonly file: RecordingFile;
  readonly name: SegmentName;
  readonly report: RecoveryReport;
}

async function cutAndIndex(
  { files, file, name, report }: RepairContext,
  known: SegmentIndex | undefined,
): Promise<Segment | undefined> {
  const scan = await scanSegment(file, name.startMs, known?.groups ?? []);
  const { fileBytes } = scan;
  const index = known?.origin === 'fetched' ? ofWholeGroups(scan.index, known.origin) : scan.index;
  report.damagedGroups += scan.damagedGroups;
  if (index.groups.every(({ isDamaged }) => isDamaged)) {
    await files.remove(segmentPath(name));
    await files.remove(sidecarPath(name));
    report.empty++;
    return undefined;
  }
  if (index.end.bytes < fileBytes) {
    await file.cut(index.end.bytes);
    report.torn++;
    report.cutBytes += fileBytes - index.end.bytes;
  }
  await file.sync();
  await files.replace(sidecarPath(name), encodeSidecar(index));
  return rowOf(name, index);
}

function rowOf(name: SegmentName, { groups, end, origin }: SegmentIndex): Segment | undefined {
  const [first] = groups;
  if (first === undefined || end === undefined) return undefined;
  const times = groups.map(({ wallTimeMs, durationMs }) => ({ fromMs: wallTimeMs, toMs: wallTimeMs + durationMs }));
  const covered = mergeRanges(times, RANGE_JOIN_MS);
  const more = { ...(origin === undefined ? {} : { origin }), ...(covered.length > 1 ? { covered } : {}) };
  return { ...toSegment(name, first, end), ...more };
}
