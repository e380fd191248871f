// Deletes recordings that are past their retention, and the oldest when room runs out. Evidence is never deleted.
import { wallMs } from '../../shared/protocol/time.ts';
import { expiresBefore, retentionDays } from '../retentionDays.ts';
import type { MemberGroupStore } from '../store/accounts/memberGroups.ts';
import type { DeviceStore } from '../store/devices/devices.ts';
import type { ArchiveStore } from '../store/recordings/archives.ts';
import type { EvidenceHold, EvidenceHoldStore } from '../store/recordings/evidenceHolds.ts';
import type { ScopedPolicy } from '../store/recordings/recordingPolicies.ts';
import type { Segment, SegmentStore, StoredSegment } from '../store/recordings/segments.ts';
import type { FetchedSegmentStore } from '../store/sync/fetchedSegments.ts';
import type { SyncRuleStore } from '../store/sync/syncRules.ts';
import type { RecordingFiles } from './files.ts';
import { isHeld, policyFor } from './policy.ts';
import { archiveFolder, channelFolder, dayFolder, type SegmentName, segmentPath, sidecarPath } from './segmentPath.ts';

export interface RetentionDeps {
  readonly files: RecordingFiles;
  readonly segments: SegmentStore;
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'inForce'>;
  readonly devices: Pick<DeviceStore, 'list'>;
  readonly memberGroups: Pick<MemberGroupStore, 'retentionsByDeviceGroup'>;
  readonly archives: Pick<ArchiveStore, 'formerRetentions'>;
  readonly syncRules: Pick<SyncRuleStore, 'all'>;
  readonly fetchedSegments: FetchedSegmentStore;
  readonly policies: () => Promise<readonly ScopedPolicy[]>;
  readonly now: () => number;
}

export interface Deleted {
  readonly segments: number;
  readonly bytes: number;
  /** End of the latest deleted segment. */
  readonly upToMs: number;
}

const PAGE = 500;
const NOTHING: Deleted = { segments: 0, bytes: 0, upToMs: 0 };

export async function deleteExpired(deps: RetentionDeps): Promise<Deleted> {
  const holds = await deps.evidenceHolds.inForce();
  const daysOf = await retentionByChannel(deps);
  let deleted = NOTHING;
  for (const { archiveId, channel } of await deps.segments.channels()) {
    const toMs = expiresBefore(daysOf(archiveId, channel), deps.now());
    if (toMs === undefined) continue;
    let fromMs = 0;
    for (;;) {
      const page = await deps.segments.ended({ archiveId, channel, fromMs, toMs }, PAGE);
      deleted = sum(deleted, await deleteSegments(deps, withoutHeld(page, holds)));
      if (page.length < PAGE) break;
      fromMs = (page.at(-1)?.startMs ?? 0) + 1;
    }
  }
  return sum(deleted, await deleteFetched(deps, holds));
}

/** Deletes what rules of data sync have fetched, the rule's number of days after it came, if the rule has one. */
async function deleteFetched(deps: RetentionDeps, holds: readonly EvidenceHold[]): Promise<Deleted> {
  let deleted = NOTHING;
  for (const { id: rule, content } of await deps.syncRules.all()) {
    const endedBeforeMs = expiresBefore(content.keptDays, deps.now());
    if (endedBeforeMs === undefined) continue;
    let afterId = 0;
    for (;;) {
      const page = await deps.fetchedSegments.ofRule({ rule, endedBeforeMs, afterId, limit: PAGE });
      deleted = sum(deleted, await deleteSegments(deps, withoutHeld(page, holds)));
      if (page.length < PAGE) break;
      afterId = page.at(-1)?.id ?? 0;
    }
  }
  return deleted;
}

/** Deletes the oldest of all recordings until this many bytes are free; fewer when the rest is evidence. */
export async function deleteOldest(deps: RetentionDeps, bytes: number): Promise<Deleted> {
  const holds = await deps.evidenceHolds.inForce();
  let deleted = NOTHING;
  let after: StoredSegment | undefined;
  while (deleted.bytes < bytes) {
    const page = await deps.segments.oldest(PAGE, after);
    const chosen: StoredSegment[] = [];
    let chosenBytes = deleted.bytes;
    for (const segment of withoutHeld(page, holds)) {
      if (chosenBytes >= bytes) break;
      chosen.push(segment);
      chosenBytes += segment.bytes;
    }
    deleted = sum(deleted, await deleteSegments(deps, chosen));
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  return deleted;
}

/** Deletes an archive's recordings up to a moment, evidence excepted. */
export async function deleteRecordingsOf(deps: RetentionDeps, archiveId: string, upToMs: number): Promise<Deleted> {
  const holds = await deps.evidenceHolds.inForce(archiveId);
  const channels = (await deps.segments.channels()).filter((each) => each.archiveId === archiveId);
  let deleted = NOTHING;
  for (const { channel } of channels) {
    let fromMs = 0;
    for (;;) {
      const page = await deps.segments.ended({ archiveId, channel, fromMs, toMs: Number.MAX_SAFE_INTEGER }, PAGE);
      const chosen = page.filter(({ startMs }) => startMs <= upToMs);
      deleted = sum(deleted, await deleteSegments(deps, withoutHeld(chosen, holds)));
      if (page.length < PAGE || chosen.length < page.length) break;
      fromMs = (page.at(-1)?.startMs ?? 0) + 1;
    }
  }
  return deleted;
}

/**
 * Deletes the first of these segments that isn't held as evidence. They have no row, so a hold of any later time counts.
 * Needed when a disk is full of incomplete segments, since completing them takes space.
 */
export async function deleteFirst(
  { files, evidenceHolds, now }: RetentionDeps,
  names: readonly SegmentName[],
): Promise<{ readonly name: SegmentName; readonly bytes: number } | undefined> {
  const holds = await evidenceHolds.inForce();
  const name = names.find((each) => !isHeld({ ...each, endMs: wallMs(now()) }, holds));
  if (name === undefined) return undefined;
  // An unreadable segment is deleted all the same; its bytes just aren't counted.
  const bytes = await segmentBytes(files, name).catch(() => 0);
  await removeFiles(files, [name]);
  await removeEmptyFolders(files, [name]);
  return { name, bytes };
}

async function segmentBytes(files: RecordingFiles, name: SegmentName): Promise<number> {
  const file = await files.open(segmentPath(name), 'read');
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}

function withoutHeld(page: readonly StoredSegment[], holds: readonly EvidenceHold[]): StoredSegment[] {
  return holds.length === 0 ? [...page] : page.filter((segment) => !isHeld(segment, holds));
}

/** Files are deleted first: a row without a file is removed at the next start, but a file without a row would be added again. */
async function deleteSegments({ files, segments }: RetentionDeps, chosen: readonly Segment[]): Promise<Deleted> {
  await removeFiles(files, chosen);
  await segments.remove(chosen);
  await removeEmptyFolders(files, chosen);
  const bytes = chosen.reduce((total, segment) => total + segment.bytes, 0);
  return { segments: chosen.length, bytes, upToMs: Math.max(0, ...chosen.map(({ endMs }) => endMs)) };
}

async function removeFiles(files: RecordingFiles, names: readonly SegmentName[]): Promise<void> {
  for (const name of names) {
    await files.remove(segmentPath(name));
    await files.remove(sidecarPath(name));
  }
}

/** Removes folders of days, channels and archives, the inner ones first. */
async function removeEmptyFolders(files: RecordingFiles, names: readonly SegmentName[]): Promise<void> {
  const folders = new Set([
    ...names.map(dayFolder),
    ...names.map(({ archiveId, channel }) => channelFolder(archiveId, channel)),
    ...names.map(({ archiveId }) => archiveFolder(archiveId)),
  ]);
  for (const folder of folders) await files.removeEmptyFolder(folder);
}

function sum(left: Deleted, right: Deleted): Deleted {
  return {
    segments: left.segments + right.segments,
    bytes: left.bytes + right.bytes,
    upToMs: Math.max(left.upToMs, right.upToMs),
  };
}

async function retentionByChannel(deps: RetentionDeps): Promise<(archiveId: string, channel: number) => number> {
  const [policies, devices, byGroup, formerDays] = await Promise.all([
    deps.policies(),
    deps.devices.list(),
    deps.memberGroups.retentionsByDeviceGroup(),
    deps.archives.formerRetentions(),
  ]);
  const deviceOf = new Map(devices.map((device) => [device.archiveId, device]));
  return (archiveId, channel) => {
    const device = deviceOf.get(archiveId);
    const group = device?.deviceGroup;
    const groupDays = device === undefined ? formerDays.get(archiveId) : group === undefined ? [] : byGroup.get(group);
    // A deleted device has no policy, and that of a later device with its id doesn't apply.
    const policy = policyFor(policies, device?.deviceId ?? '', channel);
    return retentionDays(policy?.retentionDays ?? 0, groupDays ?? []);
  };
}
