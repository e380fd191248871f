// Data sync on the real gateway: rules fetch what lies on cards by either method, and the playback page shows the right picture.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYNC_REQUEST_PATH, SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { lengthOf, subtract } from '../../../../shared/protocol/timeSpans.ts';
import { FRAME_MS, frameAt, LOOP_FRAMES } from '../../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { focusOn, pressOn } from '../../../support/browser/keyboard.ts';
import { readFrameNumber, recordFrameNumbers } from '../../../support/browser/stripReader.ts';
import { readFetchedFootage } from '../../../support/sync/fetchedFootage.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Bus, FETCHED, STEADY, type SyncFleet, startSyncFleet, TUNNEL, UPLOADER } from './dataSyncFleet.ts';
import {
  DATASYNC,
  FETCH_DEADLINE_MS,
  isOver,
  itemsOf,
  itemsWhen,
  msOnServer,
  openCalendar,
  openSpan,
  ruleFor,
  showSecond,
  textOf,
} from './dataSyncScene.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WATCHED_MS = 3_000;
/** Groups of pictures are two seconds, and one that is recorded in part is not replaced. */
const EDGE_MS = 4 * SECOND_MS;
/** Clocks are compared by whole seconds. */
const CLOCK_MS = 2 * SECOND_MS;

let clip: Clip;
let fleet: SyncFleet;
beforeAll(async () => {
  clip = await loadDemoClip('road');
  fleet = await startSyncFleet(clip);
  const rules = [ruleFor(FETCHED, { name: 'All of five' }), ruleFor([TUNNEL], { name: 'Gaps of one', choice: 'gaps' })];
  for (const rule of rules) await fleet.scene.call('archivist', 'POST', SYNC_RULES_PATH, rule);
});
afterAll(() => fleet?.close());

describe('S-2.4.8 a rule', { timeout: FETCH_DEADLINE_MS + MINUTE_MS }, () => {
  test('fetches what lies on a card, and it is played to the right picture', async () => {
    const { scene, card } = fleet;
    const atMs = Math.floor((card.fromMs + card.toMs) / 2 / SECOND_MS) * SECOND_MS;
    const day = textOf(atMs).slice(0, 10);
    const page = await scene.openPage('chief', `${DATASYNC}?device=${UPLOADER.deviceId}&day=${day}`);
    await itemsWhen(scene, UPLOADER, (items) => items.length > 0 && items.every(isOver));
    await page.locator('[role=row][data-id]').first().getByText('Done', { exact: true }).waitFor();
    await focusOn(page.getByRole('button', { name: 'Fetch recordings' }));
    await page.keyboard.press('Enter');
    await pressOn(page.getByRole('dialog', { name: 'Fetch recordings' }), 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Calendar' }).click();
    const player = await openSpan(page, 'On both');
    await showSecond(player, atMs);
    const position = await player.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuetext');
    expect(position).toMatch(/, fetched from the device$/);
  });

  test('leaves the card that it plays to somebody who watches it, and has the rest of it played afterwards', async () => {
    const { scene } = fleet;
    const span = await request(STEADY, 24 * SECOND_MS);
    const player = await openSpan(await openCalendar(scene, STEADY, span.toMs), 'On the device');
    const [waiting] = await itemsWhen(scene, STEADY, (items) => items.some(({ state }) => state === 'waiting'));
    expect(waiting).toMatchObject({ wait: 'viewers', method: 'playback', fault: '', attempts: 0 });
    await playsSteadily(player);
    // What had come before is kept; how much of it depends on the machine.
    const keptMs = await msOnServer(scene, STEADY, span);
    expect(keptMs).toBeLessThan(lengthOf([span]) - FRAME_MS);
    expect((await itemsOf(scene, STEADY)).map(({ state }) => state)).toEqual(['waiting']);

    await player.close();
    const [done] = await itemsWhen(scene, STEADY, (items) => items.every(({ state }) => state === 'done'));
    expect(done).toMatchObject({ method: 'playback', fault: '', attempts: 0 });
    // A group is kept as a whole, so that none of the span is missing where two attempts meet.
    expect(await msOnServer(scene, STEADY, span)).toBeGreaterThanOrEqual(lengthOf([span]) - FRAME_MS);
  });

  test('for gaps fetches what the server’s recording missed, and nothing that it has', async () => {
    const { scene, card, own } = fleet;
    const items = await itemsWhen(scene, TUNNEL, (all) => all.length > 0 && all.every(isOver));
    expect(items.map(({ state, method }) => `${state} ${method}`)).toEqual(items.map(() => 'done ftp'));
    const missedMs = lengthOf(subtract([card], own));
    expect(lengthOf(subtract(items, own))).toBeGreaterThan(missedMs - EDGE_MS);
    expect(lengthOf(items) - lengthOf(subtract(items, own))).toBeLessThanOrEqual(EDGE_MS);
    expect(await msOnServer(scene, TUNNEL, card)).toBeGreaterThan(lengthOf([card]) - EDGE_MS);
  });

  test.each(FETCHED.map((bus) => [bus.name, bus.method, bus] as const))(
    'fetches all of a card: %s, by %s, to the time at which it was recorded',
    async (_name, method, bus) => {
      const { scene, card } = fleet;
      const items = await itemsWhen(scene, bus, (all) => all.length > 0 && all.every(isOver));
      expect(items.map(({ state, method: by }) => `${state} ${by}`)).toEqual(items.map(() => `done ${method}`));
      expect(lengthOf(subtract([card], items))).toBeLessThanOrEqual(CLOCK_MS);
      // Not a group of pictures is missing, where items meet or where the device changed its speed.
      expect(await msOnServer(scene, bus, card)).toBeGreaterThan(lengthOf([card]) - CLOCK_MS);
    },
  );

  // Last: it ends the gateway.
  test('has stored each picture once, and where it belongs', async () => {
    const { product } = fleet.scene;
    await product.end();
    const devices = [...FETCHED, TUNNEL, STEADY].map(({ deviceId }) => deviceId);
    const { pictures, faults } = await readFetchedFootage(product.dataDir, devices, clip);
    expect(faults).toEqual([]);
    const cards = lengthOf([fleet.card]) * (devices.length - 1);
    expect(pictures).toBeGreaterThan(cards / FRAME_MS - (devices.length * CLOCK_MS) / FRAME_MS);
  });
});

/** A part of a card's first file, some of which has come. */
async function request(bus: Bus, durationMs: number): Promise<TimeRange> {
  const { scene, card } = fleet;
  const toMs = card.toMs - MINUTE_MS;
  const span = { fromMs: toMs - durationMs, toMs };
  const asked = { deviceid: bus.deviceId, channels: [1], stream: 'any', ...span };
  await waitFor(
    `${bus.name} online`,
    () => scene.statusOf('archivist', SYNC_REQUEST_PATH, 'POST', asked),
    (status) => status === 200,
  );
  await itemsWhen(scene, bus, (items) =>
    items.some(({ state, receivedBytes }) => state === 'running' && receivedBytes > 0),
  );
  return span;
}

async function untilPicture(player: Page): Promise<number> {
  const read = async () => [await readFrameNumber(player)];
  const [frame = 0] = await waitFor('a picture of the card', read, ([shown]) => shown !== undefined);
  return frame;
}

/** Pictures from the second on that the address asks for, one after another at their pace. */
async function playsSteadily(player: Page): Promise<void> {
  const startSeconds = Number(new URL(player.url()).pathname.split('/')[4]);
  const first = await untilPicture(player);
  const frames = await recordFrameNumbers(player, WATCHED_MS);
  const sinceMs = (from: number, to = 0): number => ((to - from + LOOP_FRAMES) % LOOP_FRAMES) * FRAME_MS;
  expect(sinceMs(frameAt(startSeconds * 1_000), first)).toBeLessThan(MINUTE_MS / 2);
  const playedMs = sinceMs(first, frames.at(-1));
  expect(playedMs).toBeGreaterThan(WATCHED_MS / 2);
  expect(playedMs).toBeLessThan(WATCHED_MS * 3);
}
