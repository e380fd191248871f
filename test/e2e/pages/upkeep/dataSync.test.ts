// Data sync on the real gateway: a rule fetches the hour on a card by either method, and the playback page shows the right picture.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRAME_MS, FRAMES_PER_SECOND, frameAt, LOOP_FRAMES } from '../../../../server/demo/clip/clipFormat.ts';
import { type Clip, loadClip } from '../../../../server/demo/clip/loadClip.ts';
import type { TerminalQuirks } from '../../../../server/demo/quirks.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import {
  SYNC_DAY_PATH,
  SYNC_ITEMS_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncDay,
  type SyncItem,
  type SyncRuleContent,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { readFrameNumber, recordFrameNumbers } from '../../../support/browser/stripReader.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';

const PAGE = '/innerpage/datasync.html';
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An hour of video is read and written meanwhile, beside whatever else the machine does. */
const FETCH_DEADLINE_MS = 240_000;
const WATCHED_MS = 3_000;
/** Of the members' zone, Asia/Taipei. */
const ZONE_MS = 8 * HOUR_MS;
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
  startVehicle(scene, vehicle, { channels: 1, card: { hours: 1, gaps: [] }, quirks, clip });
}

function ruleFor({ deviceId, name }: Vehicle): SyncRuleContent {
  return aSyncRule({ name: `All of ${name}`, devices: [deviceId], channels: [1], daysBack: 1 });
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How much of a span the server has, as the calendar shows it: the span may lie in two days. */
async function msOnServer({ deviceId }: Vehicle, span: Span): Promise<number> {
  const days = new Set([span.fromMs, span.toMs].map((atMs) => textOf(atMs).slice(0, 10)));
  let sumMs = 0;
  for (const day of days) {
    const query = `deviceid=${deviceId}&day=${day}&timeZone=Asia/Taipei`;
    const channels = (await scene.call('archivist', 'GET', `${SYNC_DAY_PATH}?${query}`)) as SyncDay;
    for (const { fromMs, toMs, place } of channels.flatMap(({ spans }) => spans)) {
      const clippedMs = Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs);
      if (place === 'both' || place === 'server') sumMs += Math.max(0, clippedMs);
    }
  }
  return sumMs;
}

async function itemsOf({ deviceId }: Vehicle): Promise<readonly SyncItem[]> {
  const query = `deviceid=${deviceId}&sort=order&limit=100&offset=0`;
  const { rows } = (await scene.call('archivist', 'GET', `${SYNC_ITEMS_PATH}?${query}`)) as {
    readonly rows: readonly SyncItem[];
  };
  return rows;
}

const minutesOf = (items: readonly SyncItem[]): number =>
  items.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / MINUTE_MS, 0);

const startsOf = (items: readonly SyncItem[]): number => Math.min(...items.map(({ fromMs }) => fromMs));
const endsOf = (items: readonly SyncItem[]): number => Math.max(...items.map(({ toMs }) => toMs));

const itemsWhen = (vehicle: Vehicle, accept: (items: readonly SyncItem[]) => boolean): Promise<readonly SyncItem[]> =>
  waitFor(`items of ${vehicle.name}`, () => itemsOf(vehicle), accept, FETCH_DEADLINE_MS);

/** A terminal tells whole seconds, so that the difference between its clock and the gateway's is known to a second. */
function isNear(frame: number, expected: number): boolean {
  const apart = Math.abs(frame - expected);
  return Math.min(apart, LOOP_FRAMES - apart) <= FRAMES_PER_SECOND;
}

/** A span of the day's strip, which opens the player in a window of its own. */
async function openSpan(page: Page, place: string): Promise<Page> {
  const span = page.getByRole('button', { name: new RegExp(`: ${place}$`) }).first();
  const [popup] = await Promise.all([page.waitForEvent('popup'), span.press('Enter')]);
  return popup;
}

const textOf = (atMs: number): string => new Date(atMs + ZONE_MS).toISOString().slice(0, 19).replace('T', ' ');

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
      const queue = await scene.openPage('chief', `${PAGE}?device=${vehicle.deviceId}`);
      const isOver = ({ state }: SyncItem): boolean => ['done', 'failed', 'lost', 'skipped'].includes(state);
      const items = await itemsWhen(vehicle, (all) => minutesOf(all) > 50 && all.every(isOver));
      expect(items.map(({ state, method: by }) => `${state} ${by}`)).toEqual(items.map(() => `done ${method}`));
      await queue.locator('[role=row][data-id]').first().getByText('Done', { exact: true }).waitFor();
      const fetched = { fromMs: startsOf(items), toMs: endsOf(items) };
      // Not a group of pictures is missing, where items meet or where the device changed its speed.
      expect(await msOnServer(vehicle, fetched)).toBeGreaterThan(fetched.toMs - fetched.fromMs - SECOND_MS);

      const atMs = Math.floor((startedAtMs - HOUR_MS / 2) / 1_000) * 1_000;
      const day = textOf(atMs).slice(0, 10);
      const calendar = await scene.openPage('chief', `${PAGE}?tab=calendar&device=${vehicle.deviceId}&day=${day}`);
      const player = await openSpan(calendar, 'On both');
      await player.getByRole('button', { name: 'Pause', exact: true }).click();
      await player.getByRole('button', { name: 'Play', exact: true }).waitFor();
      await player.getByRole('textbox', { name: 'Date and time' }).fill(textOf(atMs));
      await player.getByRole('textbox', { name: 'Date and time' }).press('Enter');
      await player.getByText('Fetched from the device', { exact: true }).waitFor();
      await waitFor(
        `the picture of ${textOf(atMs)}, which is frame ${frameAt(atMs)}`,
        () => readFrameNumber(player),
        (frame) => frame !== undefined && isNear(frame, frameAt(atMs)),
      );
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
    const [waiting] = await itemsWhen(SLOW, (items) => items.some(({ wait }) => wait === 'viewers'));
    expect(waiting).toMatchObject({ state: 'running', method: 'ftp' });
    await player.close();
    const [done] = await itemsWhen(SLOW, (items) => items.every(({ state }) => state === 'done'));
    expect(done).toMatchObject({ method: 'ftp', fault: '' });
    expect(done?.receivedBytes).toBeGreaterThan(waiting?.receivedBytes ?? Number.POSITIVE_INFINITY);
  });

  test('leaves the card that it plays to somebody who watches it, and has the rest of it played afterwards', async () => {
    startBus(STEADY, CANT_UPLOAD);
    const span = await request(STEADY, 40_000);
    const player = await watchCard(STEADY, span.toMs);
    const [waiting] = await itemsWhen(STEADY, (items) => items.some(({ state }) => state === 'waiting'));
    expect(waiting).toMatchObject({ wait: 'viewers', method: 'playback', fault: '', attempts: 0 });
    const queue = await scene.openPage('chief', `${PAGE}?device=${STEADY.deviceId}`);
    const row = queue.locator('[role=row][data-id]');
    await row.getByText('Waiting', { exact: true }).waitFor();
    await row.getByText("While the device's recordings are played").waitFor();
    await playsSteadily(player);
    // What had come before is kept; how much of it depends on the machine.
    const keptMs = await msOnServer(STEADY, span);
    expect(keptMs).toBeLessThan(span.toMs - span.fromMs - FRAME_MS);
    expect((await itemsOf(STEADY)).map(({ state }) => state)).toEqual(['waiting']);

    await player.close();
    const [done] = await itemsWhen(STEADY, (items) => items.every(({ state }) => state === 'done'));
    expect(done).toMatchObject({ method: 'playback', fault: '', attempts: 0 });
    await row.getByText('Done', { exact: true }).waitFor();
    // A group is kept as a whole, so that none of the span is missing where two attempts meet.
    expect(await msOnServer(STEADY, span)).toBeGreaterThanOrEqual(span.toMs - span.fromMs - FRAME_MS);
  });

  /** An item of so long, some of which has come. */
  async function request({ deviceId, name }: Vehicle, durationMs: number): Promise<Span> {
    const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
    const span = { fromMs: toMs - durationMs, toMs };
    const asked = { deviceid: deviceId, channels: [1], stream: 'any', ...span };
    await waitFor(
      `${name} online`,
      () => scene.statusOf('archivist', SYNC_REQUEST_PATH, 'POST', asked),
      (status) => status === 200,
    );
    await itemsWhen({ deviceId, name, number: '' }, (items) =>
      items.some(({ state, receivedBytes }) => state === 'running' && receivedBytes > 0),
    );
    return span;
  }

  /** The player of what the device has of a day, from the calendar. */
  async function watchCard({ deviceId }: Vehicle, atMs: number): Promise<Page> {
    const day = textOf(atMs).slice(0, 10);
    const page = await scene.openPage('chief', `${PAGE}?tab=calendar&device=${deviceId}&day=${day}`);
    return openSpan(page, 'On the device');
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
