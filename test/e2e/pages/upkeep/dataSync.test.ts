// Data sync on the real gateway: a rule fetches the hour on a card by either method, and the playback page shows the right picture.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRAME_MS, frameAt, LOOP_FRAMES } from '../../../../server/demo/clip/clipFormat.ts';
import { type Clip, loadClip } from '../../../../server/demo/clip/loadClip.ts';
import type { TerminalQuirks } from '../../../../server/demo/quirks.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import { SYNC_REQUEST_PATH, SYNC_RULES_PATH, type SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { readFrameNumber, recordFrameNumbers } from '../../../support/browser/stripReader.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
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
  wholeOf,
} from './dataSyncScene.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WATCHED_MS = 3_000;
const [UPLOADER, PLAYER, SLOW, STEADY] = ['Uploader', 'Player', 'Slow', 'Steady'].map((name, at) => ({
  deviceId: `SYNC${at + 1}`,
  name,
  number: String(13_900_005_000 + at),
})) as [Vehicle, Vehicle, Vehicle, Vehicle];

let scene: TrackScene;
let clip: Clip;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: [UPLOADER, PLAYER, SLOW, STEADY] });
  clip = await loadClip(new URL('../../../../server/demo/clips/road.h264', import.meta.url));
});
afterAll(() => scene?.close());

/** Its card has an hour of one camera. */
function startBus(vehicle: Vehicle, quirks: TerminalQuirks): void {
  startVehicle(scene, vehicle, { channels: 1, card: { sinceMs: Date.now() - HOUR_MS, gaps: [] }, quirks, clip });
}

const minutesOf = (items: readonly SyncItem[]): number =>
  items.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / MINUTE_MS, 0);

/** Its answer to 0x9206. */
const CANT_UPLOAD = { refusals: { fileUpload: GeneralResult.NotSupported } } as const satisfies TerminalQuirks;

const METHODS = [
  ['FTP', UPLOADER, {}, 'ftp'],
  ['playback', PLAYER, { ...CANT_UPLOAD, card: { isUnpaced: true } }, 'playback'],
] as const satisfies readonly (readonly [string, Vehicle, TerminalQuirks, string])[];

describe('S-2.4.8 a rule', () => {
  test.each(METHODS)(
    'fetches an hour by %s, and it is played to the right picture',
    async (_by, vehicle, quirks, method) => {
      const startedAtMs = Date.now();
      startBus(vehicle, quirks);
      await scene.call('archivist', 'POST', SYNC_RULES_PATH, ruleFor(vehicle));
      const queue = await scene.openPage('chief', `${DATASYNC}?device=${vehicle.deviceId}`);
      const items = await itemsWhen(scene, vehicle, (all) => minutesOf(all) > 50 && all.every(isOver));
      expect(items.map(({ state, method: by }) => `${state} ${by}`)).toEqual(items.map(() => `done ${method}`));
      await queue.locator('[role=row][data-id]').first().getByText('Done', { exact: true }).waitFor();
      const fetched = wholeOf(items);
      // Not a group of pictures is missing, where items meet or where the device changed its speed.
      expect(await msOnServer(scene, vehicle, fetched)).toBeGreaterThan(fetched.toMs - fetched.fromMs - SECOND_MS);

      const atMs = Math.floor((startedAtMs - HOUR_MS / 2) / 1_000) * 1_000;
      const player = await openSpan(await openCalendar(scene, vehicle, atMs), 'On both');
      await showSecond(player, atMs);
      const position = await player.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuetext');
      expect(position).toMatch(/, fetched from the device$/);
    },
    FETCH_DEADLINE_MS + 60_000,
  );

  test('waits for somebody who watches the card, and goes on afterwards', async () => {
    startBus(SLOW, { uploads: { bytesPerSecond: 40_000 } });
    const { toMs } = await request(SLOW, MINUTE_MS);
    const player = await watchCard(SLOW, toMs);
    await untilPicture(player);
    const [waiting] = await itemsWhen(scene, SLOW, (items) => items.some(({ wait }) => wait === 'viewers'));
    expect(waiting).toMatchObject({ state: 'running', method: 'ftp' });
    await player.close();
    const [done] = await itemsWhen(scene, SLOW, (items) => items.every(({ state }) => state === 'done'));
    expect(done).toMatchObject({ method: 'ftp', fault: '' });
    expect(done?.receivedBytes).toBeGreaterThan(waiting?.receivedBytes ?? Number.POSITIVE_INFINITY);
  });

  test('leaves the card that it plays to somebody who watches it, and has the rest of it played afterwards', async () => {
    startBus(STEADY, CANT_UPLOAD);
    const span = await request(STEADY, 40_000);
    const player = await watchCard(STEADY, span.toMs);
    const [waiting] = await itemsWhen(scene, STEADY, (items) => items.some(({ state }) => state === 'waiting'));
    expect(waiting).toMatchObject({ wait: 'viewers', method: 'playback', fault: '', attempts: 0 });
    const queue = await scene.openPage('chief', `${DATASYNC}?device=${STEADY.deviceId}`);
    const row = queue.locator('[role=row][data-id]');
    await row.getByText('Waiting', { exact: true }).waitFor();
    await row.getByText("While the device's recordings are played").waitFor();
    await playsSteadily(player);
    // What had come before is kept; how much of it depends on the machine.
    const keptMs = await msOnServer(scene, STEADY, span);
    expect(keptMs).toBeLessThan(span.toMs - span.fromMs - FRAME_MS);
    expect((await itemsOf(scene, STEADY)).map(({ state }) => state)).toEqual(['waiting']);

    await player.close();
    const [done] = await itemsWhen(scene, STEADY, (items) => items.every(({ state }) => state === 'done'));
    expect(done).toMatchObject({ method: 'playback', fault: '', attempts: 0 });
    await row.getByText('Done', { exact: true }).waitFor();
    // A group is kept as a whole, so that none of the span is missing where two attempts meet.
    expect(await msOnServer(scene, STEADY, span)).toBeGreaterThanOrEqual(span.toMs - span.fromMs - FRAME_MS);
  });

  /** An item of so long, some of which has come. */
  async function request({ deviceId, name }: Vehicle, durationMs: number): Promise<TimeRange> {
    const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
    const span = { fromMs: toMs - durationMs, toMs };
    const asked = { deviceid: deviceId, channels: [1], stream: 'any', ...span };
    await waitFor(
      `${name} online`,
      () => scene.statusOf('archivist', SYNC_REQUEST_PATH, 'POST', asked),
      (status) => status === 200,
    );
    await itemsWhen(scene, { deviceId, name, number: '' }, (items) =>
      items.some(({ state, receivedBytes }) => state === 'running' && receivedBytes > 0),
    );
    return span;
  }

  /** The player of what the device has of a day, from the calendar. */
  async function watchCard(vehicle: Vehicle, atMs: number): Promise<Page> {
    return openSpan(await openCalendar(scene, vehicle, atMs), 'On the device');
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
});
