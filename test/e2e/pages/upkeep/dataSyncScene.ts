// What tests of data sync read from the real gateway, and from the pages that open from its calendar.
import type { Page } from 'playwright-core';
import {
  SYNC_DAY_PATH,
  SYNC_ITEMS_PATH,
  type SyncDay,
  type SyncItem,
  type SyncRuleContent,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_ENDED_STATES } from '../../../../shared/protocol/sync/syncWords.ts';
import type { TimeRange } from '../../../../shared/protocol/timeRanges.ts';
import { FRAMES_PER_SECOND, frameAt, LOOP_FRAMES } from '../../../../simulator/clip/clipFormat.ts';
import { pressOn } from '../../../support/browser/keyboard.ts';
import { readFrameNumber } from '../../../support/browser/stripReader.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import type { TrackScene, Vehicle } from '../tracks/trackScene.ts';

export const DATASYNC = '/innerpage/datasync.html';
/** A device whose clock is off is asked a second time half a minute later, when its clock is known. */
export const FETCH_DEADLINE_MS = 240_000;
const HOUR_MS = 3_600_000;
/** Offset of the members' zone, Asia/Taipei. */
export const ZONE_MS = 8 * HOUR_MS;

type DaySpan = SyncDay[number]['spans'][number];

/** A rule for the first channels of the vehicles. */
export function ruleFor(vehicles: readonly Vehicle[], change: Partial<SyncRuleContent> = {}): SyncRuleContent {
  return aSyncRule({ devices: vehicles.map(({ deviceId }) => deviceId), channels: [1], daysBack: 1, ...change });
}

/** A time as members write it. */
export const textOf = (atMs: number): string => new Date(atMs + ZONE_MS).toISOString().slice(0, 19).replace('T', ' ');

/** The spans in a part of the calendar, which may lie in two days. */
async function spansOf(scene: TrackScene, { deviceId }: Vehicle, span: TimeRange): Promise<DaySpan[]> {
  const days = new Set([span.fromMs, span.toMs].map((atMs) => textOf(atMs).slice(0, 10)));
  const spans: DaySpan[] = [];
  for (const day of days) {
    const query = `deviceid=${deviceId}&day=${day}&timeZone=Asia/Taipei`;
    const channels = (await scene.call('archivist', 'GET', `${SYNC_DAY_PATH}?${query}`)) as SyncDay;
    spans.push(...channels.flatMap((channel) => channel.spans));
  }
  return spans;
}

/** How much of a span the server has. */
export async function msOnServer(scene: TrackScene, vehicle: Vehicle, span: TimeRange): Promise<number> {
  let sumMs = 0;
  for (const { fromMs, toMs, place } of await spansOf(scene, vehicle, span)) {
    const clippedMs = Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs);
    if (place === 'both' || place === 'server') sumMs += Math.max(0, clippedMs);
  }
  return sumMs;
}

export async function itemsOf(scene: TrackScene, { deviceId }: Vehicle): Promise<readonly SyncItem[]> {
  const query = `deviceid=${deviceId}&sort=order&limit=100&offset=0`;
  const { rows } = (await scene.call('archivist', 'GET', `${SYNC_ITEMS_PATH}?${query}`)) as {
    readonly rows: readonly SyncItem[];
  };
  return rows;
}

export function itemsWhen(
  scene: TrackScene,
  vehicle: Vehicle,
  accept: (items: readonly SyncItem[]) => boolean,
): Promise<readonly SyncItem[]> {
  return waitFor(`items of ${vehicle.name}`, () => itemsOf(scene, vehicle), accept, FETCH_DEADLINE_MS);
}

export const isOver = ({ state }: SyncItem): boolean => SYNC_ENDED_STATES.some((ended) => ended === state);

/** Opens the calendar on the day of a moment. */
export function openCalendar(scene: TrackScene, { deviceId }: Vehicle, atMs: number): Promise<Page> {
  const day = textOf(atMs).slice(0, 10);
  return scene.openPage('chief', `${DATASYNC}?tab=calendar&device=${deviceId}&day=${day}`);
}

/** Opens a span of the day's strip in the player, which has a window of its own. */
export async function openSpan(page: Page, place: string): Promise<Page> {
  const span = page.getByRole('button', { name: new RegExp(`: ${place}$`) }).first();
  const [popup] = await Promise.all([page.waitForEvent('popup'), pressOn(span, 'Enter')]);
  return popup;
}

/** Has the player stand at a second, whose picture it shows. */
export async function showSecond(player: Page, atMs: number): Promise<void> {
  await player.getByRole('button', { name: 'Pause', exact: true }).click();
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await player.getByRole('textbox', { name: 'Date and time' }).fill(textOf(atMs));
  await pressOn(player.getByRole('textbox', { name: 'Date and time' }), 'Enter');
  await player.getByText('Fetched from the device', { exact: true }).waitFor();
  await waitFor(
    `the picture of ${textOf(atMs)}, which is frame ${frameAt(atMs)}`,
    () => readFrameNumber(player),
    (frame) => frame !== undefined && isNear(frame, frameAt(atMs)),
  );
}

/**
 * Whether two frames are close enough: a terminal reports whole seconds, so that the difference between its clock and the gateway's
 * is known to a second.
 */
function isNear(frame: number, expected: number): boolean {
  const apart = Math.abs(frame - expected);
  return Math.min(apart, LOOP_FRAMES - apart) <= FRAMES_PER_SECOND;
}
