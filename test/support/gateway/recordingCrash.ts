// Kills the real gateway while eight channels record, and reads what is on the disk before and after its next start.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { channelOfFolder, parseFileName, type SegmentName } from '../../../server/recording/segmentPath.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import type { StoredSegment } from '../../../server/store/recordings/segments.ts';
import { createStores } from '../../../server/store/stores.ts';
import {
  type PacketHeader,
  PacketKind,
  readPacket,
  type StreamPacket,
} from '../../../shared/protocol/stream/streamPacket.ts';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { gopReaderOf, readGroups } from '../media/readGroups.ts';
import { isSpentSince, processorTime } from '../runner/processorTime.ts';
import { waitFor } from '../waitFor.ts';
import { type Product, startProduct } from './product.ts';

const CHANNELS = 8;
const DEVICE = 'BUS8';
const NUMBER = '13800000008';
/** Bytes that a segment must hold before it counts as recording. A group of the clip is two seconds. */
const RECORDING_BYTES = 100_000;
const MAX_LOST_MS = 1_000;
/** On a machine that is busy with other things, pictures come late too. */
const MAX_LOST_SPENT_MS = 3_000;
/** Greatest difference between the device's clock and the gateway's, which are one here: sending, a loaded machine, rounding. */
const MAX_MISPLACED_MS = 1_000;

export interface CrashReport {
  readonly kills: number;
  readonly segments: number;
  readonly pictures: number;
  /** Age of the last picture on the disk, for every channel at every kill. */
  readonly lostMs: readonly number[];
  /** What is wrong, in words; empty when all is right. */
  readonly faults: readonly string[];
}

/** Where recordings go, when it is not the product's own folder: a disk that is filled before each kill. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no room. */
  fill(): void;
  /** Gives back what `fill` took. */
  release(): void;
}

export async function killWhileRecording(kills: number, disk?: SmallDisk): Promise<CrashReport> {
  const product = await startProduct(
    async (stores) => {
      const terminal = { canonical: NUMBER, raw: NUMBER.padStart(20, '0') };
      await stores.devices.insert({ deviceId: DEVICE, archiveId: DEVICE, name: 'Bus 8', chn: CHANNELS, terminal });
    },
    {
      RECORDING: 'always',
      RECORDING_SYNC_SECONDS: '1',
      LOG_LEVEL: 'info',
      RECORDING_MIN_FREE_MB: '16',
      ...(disk !== undefined && { RECORDING_DIR: disk.path }),
    },
  );
  const scene: Scene = { product, root: disk?.path ?? join(product.dataDir, 'recordings'), disk };
  const clip = await loadDemoClip('road');
  const profile = {
    deviceId: DEVICE,
    name: 'Bus 8',
    number: NUMBER,
    plate: 'A-8',
    channels: CHANNELS,
    lapShare: 0,
    edition: '2019',
  } as const;
  const terminal = new SimulatedTerminal({ profile, gateway: { host: '127.0.0.1', port: product.jt808Port }, clip });
  const idleBefore = await processorTime();
  terminal.start();
  try {
    const lostMs: number[] = [];
    const faults: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      lostMs.push(...(await killOnce(scene, kill)));
      await restart(product);
    }
    await allRecording(scene, Date.now());
    terminal.stop();
    await product.end();
    const limitMs = (await isSpentSince(idleBefore)) ? MAX_LOST_SPENT_MS : MAX_LOST_MS;
    for (const ms of lostMs) if (ms > limitMs) faults.push(`${ms} ms were lost`);
    const inspected = await inspectRecordings(product.dataDir, clip, scene.root);
    return { kills, lostMs, ...inspected, faults: [...faults, ...inspected.faults] };
  } finally {
    terminal.stop();
    await product.stop();
  }
}

interface Scene {
  readonly product: Product;
  /** Folder of the recordings. */
  readonly root: string;
  readonly disk: SmallDisk | undefined;
}

/** Kills at a random moment; gives how much each channel lost before it, or before the disk was full. */
async function killOnce({ product, root, disk }: Scene, kill: number): Promise<number[]> {
  const startedMs = Date.now();
  await allRecording({ root }, startedMs - (kill === 0 ? 60_000 : 0));
  await delay(Math.random() * 3_000);
  const untilMs = Date.now();
  if (disk !== undefined) {
    disk.fill();
    // The kill comes in the middle of a failing write, or when recording has paused.
    await delay(Math.random() * 6_000);
  }
  await product.kill();
  disk?.release();
  const newest = new Map<number, number>();
  for (const { path, name } of segmentFiles(root))
    newest.set(name.channel, Math.max(newest.get(name.channel) ?? 0, lastPictureMs(path)));
  return [...newest.values()].map((pictureMs) => untilMs - pictureMs);
}

async function restart(product: Product): Promise<void> {
  const starts = countOf(product.log(), 'recordings are in order');
  await product.startAgain();
  await waitFor(
    'files and database agree',
    () => countOf(product.log(), 'recordings are in order') > starts,
    Boolean,
    20_000,
  );
}

const countOf = (text: string, what: string): number => text.split(what).length - 1;

interface SegmentFile {
  readonly path: string;
  readonly name: SegmentName;
}

function segmentFiles(root: string): SegmentFile[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.seg'));
  return paths.map((path) => {
    const [archiveId = '', folder = '', day = '', file = ''] = path.split('/');
    const parsed = parseFileName(day, file);
    const channel = channelOfFolder(folder);
    if (parsed === undefined || channel === undefined) throw new Error(`what is ${path}?`);
    return { path: join(root, path), name: { archiveId, channel, quality: parsed.quality, startMs: parsed.startMs } };
  });
}

/** Waits until every channel has begun a segment after a moment, with some groups in it. */
async function allRecording({ root }: Pick<Scene, 'root'>, sinceMs: number): Promise<void> {
  const growing = (): number =>
    segmentFiles(root).filter(
      ({ path, name }) =>
        name.startMs > sinceMs - 4_000 && statSync(path).mtimeMs > sinceMs && statSync(path).size > RECORDING_BYTES,
    ).length;
  await waitFor('all channels record', growing, (count) => count >= CHANNELS, 40_000);
}

/** The device's clock, which is this machine's, at the last whole picture of a file as it lies there. */
function lastPictureMs(path: string): number {
  const bytes = new Uint8Array(readFileSync(path));
  let last = 0;
  for (let at = 0; at < bytes.byteLength; ) {
    const read = readPacket(bytes, at);
    if (read.kind !== 'packet') break;
    if (read.packet.kind === PacketKind.Video) last = read.packet.deviceTimeMs;
    at = read.nextOffset;
  }
  return last;
}

/** Compares the data folder of a gateway that has ended with what its database says; every picture is looked at. */
export async function inspectRecordings(
  dataDir: string,
  clip: Clip,
  root = join(dataDir, 'recordings'),
): Promise<Pick<CrashReport, 'segments' | 'pictures' | 'faults'>> {
  const rows = await readRows(dataDir);
  const faults = compare(rows, segmentFiles(root));
  let pictures = 0;
  for (const row of rows) pictures += await inspectSegment(root, { row, clip, faults });
  return { segments: rows.length, pictures, faults };
}

async function readRows(dataDir: string): Promise<StoredSegment[]> {
  const database = await openDatabase({ engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  try {
    return await createStores(database.db).segments.oldest(100_000);
  } finally {
    await database.close();
  }
}

function compare(rows: readonly StoredSegment[], files: readonly SegmentFile[]): string[] {
  const inDatabase = new Set(rows.map(({ channel, startMs }) => `${channel} ${startMs}`));
  const onDisk = new Set(files.map(({ name }) => `${name.channel} ${name.startMs}`));
  const missing = [...onDisk].filter((each) => !inDatabase.has(each)).map((each) => `the database lacks ${each}`);
  const orphans = [...inDatabase].filter((each) => !onDisk.has(each)).map((each) => `no file of ${each}`);
  const sizes = files.filter(({ path, name }) =>
    rows.some(
      ({ channel, startMs, bytes }) =>
        channel === name.channel && startMs === name.startMs && statSync(path).size !== bytes,
    ),
  );
  return [...missing, ...orphans, ...sizes.map(({ path }) => `the size of ${path} is another in the database`)];
}

interface Inspection {
  readonly row: StoredSegment;
  readonly clip: Clip;
  readonly faults: string[];
}

/** Checks every group by its checksum, every picture by its place and by what it shows. Gives the number of pictures. */
async function inspectSegment(root: string, { row, clip, faults }: Inspection): Promise<number> {
  const gopReader = gopReaderOf(createRecordingFiles(root), [row]);
  let pictures = 0;
  let lastUs = Number.NEGATIVE_INFINITY;
  for (const { at, packets } of await readGroups(gopReader, row)) {
    const { wallTimeMs, mediaTimeUs } = at.group;
    if (packets === undefined) faults.push(`a group at ${wallTimeMs} is damaged`);
    for (const { timeUs, bytes } of packets?.filter(({ kind }) => kind === 'video') ?? []) {
      const read = readPacket(bytes);
      if (read.kind !== 'packet') throw new Error(`no packet at ${timeUs} µs`);
      pictures++;
      // This is the device's media time, since what was read is placed by the group's wall time.
      const mediaUs = timeUs - wallTimeMs * 1_000 + mediaTimeUs;
      if (Math.abs(timeUs / 1_000 - read.packet.deviceTimeMs) > MAX_MISPLACED_MS)
        faults.push(`misplaced: ${timeUs / 1_000}`);
      if (mediaUs <= lastUs) faults.push(`out of order: ${timeUs / 1_000}`);
      if (!shows(read.packet, clip)) faults.push(`not the picture of ${read.packet.deviceTimeMs}`);
      lastUs = mediaUs;
    }
  }
  return pictures;
}

/** Whether a packet is the clip's picture of its moment: the loop is locked to the clock. The gateway may add parameter sets in front. */
function shows({ deviceTimeMs, payload }: PacketHeader & Pick<StreamPacket, 'payload'>, clip: Clip): boolean {
  const frame = clip.frames[frameAt(Math.round(deviceTimeMs / FRAME_MS) * FRAME_MS)];
  if (frame === undefined) return false;
  const tail = Math.min(200, frame.bytes.byteLength - 40);
  return Buffer.from(payload.subarray(-tail)).equals(Buffer.from(frame.bytes.subarray(-tail)));
}
