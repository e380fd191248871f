// The gateway as users run it, killed at random moments while it fetches recordings from cards: by FTP, and by playback.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import { SYNC_ITEMS_PATH, SYNC_RULES_PATH, type SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_ENDED_STATES } from '../../../../shared/protocol/sync/syncWords.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { lengthOf, subtract } from '../../../../shared/protocol/timeSpans.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import type { TerminalQuirks } from '../../../../simulator/quirks.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { UploadedPiece } from '../../../../simulator/uploads/cardUploads.ts';
import { createRandom, pick, type Random } from '../../../support/fuzz.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { readFetchedFootage } from '../../../support/sync/fetchedFootage.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';

const KILLS = IS_LONG ? 50 : 1;
/** SYNC_KILL_SEED repeats the moments of a run that failed, as far as the machine does. */
const SEED = Number(process.env.SYNC_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** On each card, and so many items: a kill lets one or two of them come to their end. */
const FILES = KILLS + 1;
const MINUTE_MS = 60_000;
/** An item takes a second or two, reading a file a part of one; when the gateway is ready it reads what the kill has left. */
const LONGEST_MS = { fetching: 2_000, acknowledged: 200, starting: 1_000 } as const;
/** A device that is asked and sends nothing is given up after three minutes; the thread that reads a file, after one. */
const MAX_SILENCE_MS = 4 * MINUTE_MS;
const PAGE_ROWS = 100;
/** A gap begins or ends with a group of pictures, which is two seconds; of one that begins in a recording nothing is taken. */
const MAX_HOLE_MS = 4_000;

interface Bus extends Vehicle {
  readonly fileMinutes: number;
  readonly method: SyncItem['method'];
  readonly quirks: TerminalQuirks;
  /** What the gateway says that it has is overwritten at once: nobody has it any more if the gateway loses it. */
  readonly overwrites?: boolean;
}

const BUSES: readonly Bus[] = [
  {
    deviceId: 'KILL1',
    name: 'Overwriter',
    number: '13900006001',
    fileMinutes: 1,
    method: 'ftp',
    quirks: { uploads: { bytesPerSecond: 2_000_000 } },
    overwrites: true,
  },
  {
    deviceId: 'KILL2',
    name: 'Splitter',
    number: '13900006002',
    fileMinutes: 1,
    method: 'ftp',
    quirks: { uploads: { format: 'packets', parts: 2, bytesPerSecond: 2_000_000 } },
  },
  {
    deviceId: 'KILL3',
    name: 'Player',
    number: '13900006003',
    fileMinutes: 2,
    method: 'playback',
    quirks: { refusals: { fileUpload: GeneralResult.NotSupported }, card: { isUnpaced: true } },
  },
];

interface RunningBus extends Bus {
  readonly span: TimeRange;
  /** What the gateway has said that it has (226). */
  readonly uploaded: readonly UploadedPiece[];
}

/** Its card has as much as the test needs, and not more with time. */
function startBus(scene: TrackScene, bus: Bus, clip: Clip): RunningBus {
  const fileMs = bus.fileMinutes * MINUTE_MS;
  // Where a file ends, of a minute or of two.
  const toMs = Math.floor(Date.now() / (2 * MINUTE_MS)) * 2 * MINUTE_MS - 4 * MINUTE_MS;
  const span = { fromMs: toMs - FILES * fileMs, toMs };
  const uploaded: UploadedPiece[] = [];
  const { deviceId, name, number, fileMinutes, quirks, overwrites = false } = bus;
  const card = {
    hours: 24,
    fileMinutes,
    get gaps() {
      const outside = [
        { startMs: 0, endMs: span.fromMs },
        { startMs: span.toMs, endMs: Number.MAX_SAFE_INTEGER },
      ];
      return overwrites ? [...outside, ...uploaded] : outside;
    },
  };
  const profile = { deviceId, name, number, edition: '2019', plate: deviceId, channels: 1, lapShare: 0 } as const;
  const terminal = new SimulatedTerminal({
    // The way that worked is remembered for a model.
    profile: { ...profile, card, quirks, hardware: { model: name } },
    gateway: { host: '127.0.0.1', port: scene.product.jt808Port },
    clip,
    onUploaded: (piece) => uploaded.push(piece),
  });
  terminal.start();
  onTestFinished(() => terminal.stop());
  return { ...bus, span, uploaded };
}

async function itemsOf(scene: TrackScene): Promise<readonly SyncItem[]> {
  const items: SyncItem[] = [];
  for (;;) {
    const query = `sort=order&limit=${PAGE_ROWS}&offset=${items.length}`;
    const answer = await scene.call('archivist', 'GET', `${SYNC_ITEMS_PATH}?${query}`);
    const { rows } = answer as { readonly rows: readonly SyncItem[] };
    items.push(...rows);
    if (rows.length < PAGE_ROWS) return items;
  }
}

const hasEnded = ({ state }: SyncItem): boolean => SYNC_ENDED_STATES.some((ended) => ended === state);
const isUnderWay = ({ state }: SyncItem): boolean => ['requested', 'running', 'checking'].includes(state);

/** For the message of a failure: what has not ended, and what it waits for. */
async function leftOf(scene: TrackScene): Promise<string> {
  const left = (await itemsOf(scene)).filter((item) => !hasEnded(item));
  const texts = left.map(({ deviceid, fromMs, state, wait, fault, attempts, method }) =>
    [deviceid, new Date(fromMs).toISOString(), state, wait, fault, attempts, method].join(' '),
  );
  return texts.join('\n');
}

/** When a kill comes: while something is fetched, just behind an acknowledgement (226), or before fetching has begun again. */
const MOMENTS = ['fetching', 'acknowledged', 'acknowledged', 'starting'] as const;

async function killOnce(scene: TrackScene, random: Random, buses: readonly RunningBus[]): Promise<void> {
  const moment = pick(MOMENTS, random);
  const looked = moment === 'acknowledged' ? buses.filter(({ overwrites }) => overwrites) : buses;
  const acknowledged = (): number => looked.reduce((sum, { uploaded }) => sum + uploaded.length, 0);
  const before = acknowledged();
  const isMoment = async (): Promise<boolean> => {
    if (moment === 'starting' || (moment === 'acknowledged' && acknowledged() > before)) return true;
    const ofLooked = ({ deviceid }: SyncItem): boolean => looked.some(({ deviceId }) => deviceId === deviceid);
    const items = (await itemsOf(scene)).filter(ofLooked);
    return items.every(hasEnded) || (moment === 'fetching' && items.some(isUnderWay));
  };
  await waitFor(`${moment}, or nothing is left to fetch`, isMoment, (is) => is, MAX_SILENCE_MS);
  await delay(random(LONGEST_MS[moment]));
  await scene.product.kill();
  await scene.product.startAgain();
}

/** What of a range is not recorded, where it is more than may be left out at the edge of a gap. */
function holesIn(range: TimeRange, recorded: readonly TimeRange[]): TimeRange[] {
  return subtract([range], recorded).filter((hole) => lengthOf([hole]) > MAX_HOLE_MS);
}

test(
  `killed while it fetches recordings, it has each of them once, and loses none that it has acknowledged (times: ${KILLS})`,
  async () => {
    const scene = await startTrackScene({ vehicles: BUSES });
    try {
      const clip = await loadDemoClip('road');
      const buses = BUSES.map((bus) => startBus(scene, bus, clip));
      const devices = BUSES.map(({ deviceId }) => deviceId);
      await scene.call('archivist', 'POST', SYNC_RULES_PATH, aSyncRule({ devices, daysBack: 2 }));
      const random = createRandom(SEED);
      await waitFor('all is planned', async () => (await itemsOf(scene)).length === BUSES.length * FILES);
      for (let kill = 0; kill < KILLS; kill++) await killOnce(scene, random, buses);
      const items = await waitFor(
        'every item has ended',
        () => itemsOf(scene),
        (all) => all.every(hasEnded),
        105_000 + KILLS * 5_000,
      );
      await scene.product.end();
      const { recorded, pictures, faults } = await readFetchedFootage(scene.product.dataDir, devices, clip);
      expect(faults).toEqual([]);
      expect(pictures).toBeGreaterThan(0);
      for (const { deviceId, method, span, uploaded } of buses) {
        const own = items.filter(({ deviceid }) => deviceid === deviceId);
        const has = recorded.get(deviceId) ?? [];
        const unlike = own.filter((item) => item.state !== 'done' || item.fault !== '' || item.method !== method);
        expect(unlike).toEqual([]);
        expect(own.flatMap((item) => holesIn(item, has))).toEqual([]);
        const lost = uploaded.flatMap(({ startMs, endMs }) => holesIn({ fromMs: startMs, toMs: endMs }, has));
        expect({ deviceId, lost }).toEqual({ deviceId, lost: [] });
        expect({ deviceId, holes: holesIn(span, has) }).toEqual({ deviceId, holes: [] });
      }
    } catch (cause) {
      const left = await leftOf(scene).catch(String);
      throw new Error(`with SYNC_KILL_SEED=${SEED}: ${String(cause)}\n${left}\n${scene.product.log()}`, { cause });
    } finally {
      await scene.close();
    }
  },
  (KILLS + 2) * MINUTE_MS + MAX_SILENCE_MS,
);
