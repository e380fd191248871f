// Data sync fills the gaps of the server's own recording: a vehicle that had no network for a while recorded on its card.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clip, loadDemoClip } from '../../../../server/demo/clip/loadClip.ts';
import { COMMON_RECORDING_PATH, type CommonRecording } from '../../../../shared/protocol/api/deviceRecording.ts';
import { SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { lengthOf, subtract } from '../../../../shared/protocol/timeSpans.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import {
  type DaySpan,
  FETCH_DEADLINE_MS,
  isOver,
  itemsWhen,
  msOnServer,
  openCalendar,
  openSpan,
  ruleFor,
  showSecond,
  spansOf,
  wholeOf,
} from './dataSyncScene.ts';

const BUS = { deviceId: 'GAPS1', name: 'Tunnel line', number: '13900008001' } as const;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const CARD_MINUTES = 10;
const RECORDED_MS = 10 * SECOND_MS;
const AWAY_MS = 20 * SECOND_MS;
/** A recording that ends where the device was asked for what it has may be under way: it is left alone for so long. */
const UNDER_WAY_MS = 62 * SECOND_MS;
/** Groups of pictures are two seconds, and one that is recorded in part is not replaced. */
const EDGE_MS = 4 * SECOND_MS;

const NOTHING: TimeRange = { fromMs: 0, toMs: 0 };

let scene: TrackScene;
let clip: Clip;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: [BUS] });
  clip = await loadDemoClip('road');
});
afterAll(() => scene?.close());

/** Recorded by the server itself, as long as nothing was fetched. */
async function recorded(): Promise<DaySpan[]> {
  const spans = await spansOf(scene, BUS, { fromMs: Date.now() - CARD_MINUTES * MINUTE_MS, toMs: Date.now() });
  return spans.filter(({ place }) => place === 'both' || place === 'server');
}

/** Its files say when they were recorded; those that don't may be off by a group of pictures. */
const QUIRKS = { uploads: { format: 'packets' } } as const;
/** In a third of all runs a file ends while the vehicle is away. */
const card = { sinceMs: Date.now() - CARD_MINUTES * MINUTE_MS, fileMinutes: 1, gaps: [] };
const startBus = () => startVehicle(scene, BUS, { channels: 1, card, quirks: QUIRKS, clip });

async function recordAlways(): Promise<void> {
  const { version } = (await scene.call('chief', 'GET', COMMON_RECORDING_PATH)) as CommonRecording;
  const policy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;
  await scene.call('chief', 'PUT', COMMON_RECORDING_PATH, { policy, version });
}

test(
  'S-2.4.8 a rule for gaps fetches what the server’s recording missed, and nothing that it has',
  async () => {
    await recordAlways();
    const first = startBus();
    const before = await waitFor('the first recording', recorded, (spans) => lengthOf(spans) >= RECORDED_MS);
    first.stop();
    await delay(AWAY_MS);
    startBus();
    const backAfterMs = wholeOf(before).toMs + AWAY_MS / 2;
    const isListed = ({ fromMs, toMs, place }: DaySpan): boolean =>
      fromMs > backAfterMs && place === 'both' && toMs < Date.now() - UNDER_WAY_MS;
    const own = await waitFor(
      'what the vehicle says after it',
      recorded,
      (spans) => spans.some(isListed),
      MINUTE_MS * 2,
    );

    await scene.call('archivist', 'POST', SYNC_RULES_PATH, ruleFor(BUS, { choice: 'gaps' }));
    const [missed = NOTHING] = subtract([wholeOf(own)], own).toSorted((a, b) => lengthOf([b]) - lengthOf([a]));
    expect(lengthOf([missed])).toBeGreaterThan(AWAY_MS / 2);
    const isFilled = (ms: number): boolean => ms > lengthOf([missed]) - EDGE_MS;
    await waitFor('what was missed', () => msOnServer(scene, BUS, missed), isFilled, FETCH_DEADLINE_MS);
    const items = await itemsWhen(scene, BUS, (all) => all.every(isOver));
    expect(items.map(({ state }) => state)).toEqual(items.map(() => 'done'));
    expect(lengthOf(items) - lengthOf(subtract(items, own))).toBeLessThanOrEqual(EDGE_MS);

    const atMs = Math.floor((missed.fromMs + missed.toMs) / 2 / SECOND_MS) * SECOND_MS;
    await showSecond(await openSpan(await openCalendar(scene, BUS, atMs), 'On both'), atMs);
  },
  FETCH_DEADLINE_MS + 120_000,
);
