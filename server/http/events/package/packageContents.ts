// What an evidence package holds of an event.
import { fileExtension } from '../../../../shared/protocol/api/eventMedia.ts';
import { builtInType } from '../../../../shared/protocol/events/builtInTypes.ts';
import type { EvidenceFiles } from '../../../events/evidence/evidenceFiles.ts';
import { guardStream } from '../../../faults/streams.ts';
import { type ExportPlan, planExport } from '../../../recording/export/exportChannel.ts';
import { openExport } from '../../../recording/export/exportFiles.ts';
import type { GopReader } from '../../../recording/playback/gopReader.ts';
import type { RecordedIndex } from '../../../recording/recordedIndex.ts';
import type { EventEvidence } from '../../../store/events/eventEvidence.ts';
import type { StoredEventMedia } from '../../../store/events/eventMediaRows.ts';
import type { PositionStore } from '../../../store/fleet/positions.ts';
import type { DeviceDirectory } from '../../devices/deviceRoute.ts';
import { trackSpanOf } from '../eventTrack.ts';
import { eventRecord } from './eventRecord.ts';
import { trackGpx } from './gpx.ts';
import { type MissingVideo, missingVideo } from './missingVideo.ts';
import { type PackagedFile, textOf } from './packageArchive.ts';
import { packagedClip } from './packagedClip.ts';

export interface PackageSources {
  readonly stores: { readonly positions: Pick<PositionStore, 'between'> };
  readonly evidenceFiles: Pick<EvidenceFiles, 'open'>;
  readonly recorded: Pick<RecordedIndex, 'ranges'>;
  readonly gopReader: GopReader;
  /** Which channels a device has. */
  readonly directory: DeviceDirectory;
  /** Seconds of video around events of a type. */
  readonly clipOf: (type: string) => { readonly beforeS: number; readonly afterS: number };
}

/** One a second, and some. */
const TRACK_POINTS = 2_000;

export async function packageContents(
  evidence: EventEvidence,
  sources: PackageSources,
  signal: AbortSignal,
): Promise<PackagedFile[]> {
  const { plans, missing: missingClips } = await planClips(evidence, sources, signal);
  const run = { signal, onProgress: () => undefined };
  const clips = plans.map((plan) => ({
    name: packagedClip(plan).name,
    open: async () => openExport(sources.gopReader, [plan], run),
    bytes: plan.bytes,
  }));
  const files = await storedFiles(evidence.media, sources);
  const missing = [...missingFiles(evidence, files), ...missingClips];
  const track = await trackOf(evidence, sources);
  const text = (name: string, content: string) => ({ name, open: async () => textOf(content), bytes: content.length });
  return [
    text(
      'event.json',
      `${JSON.stringify(eventRecord(evidence, { video: plans.map(packagedClip), missing }), null, 2)}\n`,
    ),
    text('track.gpx', track),
    ...files.map(({ file }) => file),
    ...clips,
  ];
}

interface PlannedClips {
  readonly plans: readonly ExportPlan[];
  readonly missing: readonly MissingVideo[];
}

async function planClips(
  { event, device }: EventEvidence,
  { recorded, gopReader, clipOf, directory }: PackageSources,
  signal: AbortSignal,
): Promise<PlannedClips> {
  const { beforeS, afterS } = clipOf(event.type);
  const fromMs = event.begin_at_ms - beforeS * 1000;
  const toMs = event.begin_at_ms + afterS * 1000;
  const { archiveId } = device;
  const ranges = await recorded.ranges({ archiveId, fromMs, toMs });
  const channels = [...new Set(ranges.map(({ channel }) => channel))];
  const plans: ExportPlan[] = [];
  for (const channel of channels) {
    plans.push(...(await planExport(gopReader, { track: { archiveId, channel }, fromMs, toMs }, signal)));
  }
  const wanted = [...channelsOf(await directory.describe(device.deviceId)), ...ownChannelOf(event)];
  return { plans, missing: missingVideo(wanted, plans.length === 0 ? [] : ranges, { fromMs, toMs }) };
}

function channelsOf(description: Awaited<ReturnType<DeviceDirectory['describe']>>): number[] {
  const { chn = 0, installchs = '' } = description ?? {};
  const numbers = Array.from({ length: chn }, (_, at) => at + 1);
  return numbers.filter((channel) => installchs === '' || installchs[channel - 1] === '1');
}

function ownChannelOf({ type, unit }: EventEvidence['event']): number[] {
  return builtInType(type)?.unit === 'channel' && unit > 0 ? [unit] : [];
}

interface StoredMediaFile {
  readonly id: number;
  readonly file: PackagedFile;
}

/** Opened once before: what is not on the disk any more is named as missing, and breaks nothing off. */
async function storedFiles(
  media: readonly StoredEventMedia[],
  { evidenceFiles }: PackageSources,
): Promise<StoredMediaFile[]> {
  const files: StoredMediaFile[] = [];
  for (const { id, kind, name, file } of media) {
    const handle = file === undefined ? undefined : await evidenceFiles.open(file.fileId);
    await handle?.close();
    if (file === undefined || handle === undefined) continue;
    const open = async () => {
      const opened = await evidenceFiles.open(file.fileId);
      if (opened === undefined) throw new Error('a file of an event is gone');
      return guardStream(opened.createReadStream());
    };
    const label = kind === 'snapshot' ? `snapshots/${id}` : `attachments/${id}_${plainName(name)}`;
    files.push({ id, file: { name: `${label}${fileExtension(file.contentType)}`, open, bytes: file.bytes } });
  }
  return files;
}

/** Without what it ends in: that follows from what the file is. */
function plainName(name: string): string {
  return name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 80);
}

/** Clips are named by what is recorded now, whatever their rows say. Of an incomplete file, which is in the package, a part is. */
function missingFiles({ media }: EventEvidence, files: readonly StoredMediaFile[]) {
  const there = new Set(files.map(({ id }) => id));
  const lost = media.filter(({ id, kind, state }) => kind !== 'clip' && (state === 'incomplete' || !there.has(id)));
  return lost.map(({ kind, channel, name, state }) => ({ kind, channel, name, state }));
}

async function trackOf({ event, device }: EventEvidence, { stores }: PackageSources): Promise<string> {
  const points = await stores.positions.between(device.deviceId, trackSpanOf(event), TRACK_POINTS);
  return trackGpx(`${device.name} ${new Date(event.begin_at_ms).toISOString()}`, points);
}
