// How long what rules of data sync have fetched is kept.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MARKER_NAME, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import type { SegmentOrigin } from '../../../shared/protocol/segmentOrigins.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aSyncItem, aSyncRule } from '../../support/sync/syncRecords.ts';
import { createRecorderScene, type RecorderScene } from './recorderScene.ts';
import { NOON } from './recordingScene.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

let scene: RecorderScene;
let depot = 0;
let incarnation = 0;
beforeEach(async () => {
  scene = await createRecorderScene();
  const device = { deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 1 };
  ({ incarnation } = await scene.stores.devices.insert(device));
  depot = await scene.stores.memberGroups.insert({ name: 'Depot' });
  await scene.files.createRoot(MARKER_NAME).then((file) => file.close());
});
afterEach(() => scene.close());

/** A minute, some hours ago. */
async function segment(hoursAgo: number, origin: SegmentOrigin): Promise<void> {
  const startMs = wallMs(NOON - hoursAgo * HOUR);
  const name = { archiveId: 'BUS1', channel: 1, quality: 'main', startMs } as const;
  for (const path of [segmentPath(name), sidecarPath(name)]) {
    const file = await scene.files.create(path);
    await file.append([new Uint8Array(1_000)]);
    await file.close();
  }
  const times = { endMs: wallMs(startMs + MINUTE), deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
  await scene.stores.segments.add([{ ...name, ...times, bytes: 1_000, groupCount: 1, origin }]);
}

async function addRule(keptDays: number): Promise<number> {
  const change = { content: aSyncRule({ keptDays }), by: 'Ann', atMs: 0 };
  const added = await scene.stores.syncRules.insert({ memberGroup: depot }, change);
  return added.ok ? added.value.id : 0;
}

async function fetched(hoursAgo: number, rule: number, endedHoursAgo: number): Promise<void> {
  const fromMs = NOON - hoursAgo * HOUR;
  const item = aSyncItem(incarnation, { rule, memberGroup: depot, fromMs, toMs: fromMs + 10 * MINUTE });
  const [id = 0] = await scene.stores.syncItems.add([item], 0);
  await scene.stores.syncItems.change(id, { state: 'done', receivedBytes: 9 }, NOON - endedHoursAgo * HOUR);
  await segment(hoursAgo, 'fetched');
}

it('is the days of the rule since it came, evidence excepted (S-2.4.8)', async () => {
  const [short, long, unlimited] = [await addRule(2), await addRule(4), await addRule(0)];
  await fetched(100, short, 47);
  await fetched(90, short, 49);
  await fetched(80, short, 49);
  await fetched(70, long, 49);
  await fetched(60, unlimited, 49);
  await segment(89.9375, 'live');
  const held = { archiveId: 'BUS1', channel: 0, reason: 'accident', heldBy: 'chief' };
  const range = { fromMs: wallMs(NOON - 80 * HOUR), toMs: wallMs(NOON - 80 * HOUR + 1_000) };
  await scene.stores.evidenceHolds.add({ ...held, ...range }, wallMs(NOON));
  await scene.startRecorder();
  const left = await scene.stores.segments.oldest(100);
  expect(left.map(({ startMs }) => (NOON - startMs) / HOUR)).toEqual([100, 89.9375, 80, 70, 60]);
});
