// Eight hours that eight simulated vehicles drove and sent afterwards (0x0704), replayed on one clock at every speed of the page.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES_PATH, type DeviceRow } from '../../../../shared/protocol/api/devices.ts';
import type { TrackPoint, TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import {
  type ClockSample,
  clockSamples,
  forgetClockSamples,
  stretchOf,
  watchClock,
  withoutPauses,
} from '../../../support/tracks/clockSamples.ts';
import { metersApart, placeBetween, reportedPoints } from '../../../support/tracks/reportedPath.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Span, startOwnVehicle, summaryWhen } from './simulatedVehicle.ts';
import { GPS_PLAYBACK, startTrackScene, type TrackScene } from './trackScene.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = 8;
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
/** All stand together, so that there is something to skip. */
const STANDING = { fromSeconds: -255 * 60, forSeconds: 25 * 60 };
/** Of a picture of the screen: the texts of places have six decimals. */
const EXACT_METERS = 0.5;
const VEHICLES = Array.from({ length: 8 }, (_, at) => ({
  deviceId: `TRAM${at + 1}`,
  name: `Tram ${at + 1}`,
  number: `1390000310${at + 1}`,
}));

interface Driven {
  readonly span: Span;
  readonly points: ReadonlyMap<string, readonly TrackPoint[]>;
  readonly summaries: readonly TrackSummary[];
}

let scene: TrackScene;
let driven: Driven;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VEHICLES });
  driven = await driveAll();
});
afterAll(() => scene?.close());

async function driveAll(): Promise<Driven> {
  const toMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
  const span = { fromMs: toMs - HOURS * HOUR_MS, toMs };
  await sendAll(span);
  // All that they sent has been stored by then: the last of it may tell more of their clocks, which moves what came before.
  await waitFor('all have signed out', async () => (await statesOf()).every((state) => state === 'offline'));
  const summaries = await Promise.all(
    VEHICLES.map(({ deviceId }) => summaryWhen(scene, deviceId, span, (summary) => isWhole(summary, span))),
  );
  const points = new Map<string, readonly TrackPoint[]>();
  for (const { deviceId } of VEHICLES) points.set(deviceId, await reportedPoints(asChief, deviceId, span));
  return { span, summaries, points };
}

async function statesOf(): Promise<readonly string[]> {
  const { rows } = (await asChief(`${DEVICES_PATH}?limit=100&offset=0`)) as { rows: readonly DeviceRow[] };
  return VEHICLES.map(({ deviceId }) => rows.find((row) => row.deviceid === deviceId)?.state ?? '');
}

/** Each on its own part of the lap, until it has sent what it kept. */
async function sendAll(span: Span): Promise<void> {
  const terminals = VEHICLES.map((vehicle, at) =>
    startOwnVehicle(scene, vehicle, {
      awayHours: HOURS,
      lapShare: at / VEHICLES.length,
      script: [{ kind: 'pace', pace: 0, atSeconds: STANDING.fromSeconds, forSeconds: STANDING.forSeconds }],
    }),
  );
  try {
    await Promise.all(
      VEHICLES.map(({ deviceId }) => summaryWhen(scene, deviceId, span, (summary) => isWhole(summary, span))),
    );
  } finally {
    for (const terminal of terminals) terminal.stop();
  }
}

const asChief = (path: string): Promise<unknown> => scene.call('chief', 'GET', path);

/** Both trips and the stop between them, to the end, on a clock that was measured. */
function isWhole({ clock, trips, stops }: TrackSummary, { toMs }: Span): boolean {
  return clock.length > 0 && trips.length === 2 && stops.length > 0 && (trips[1]?.toMs ?? 0) > toMs - 2 * MINUTE_MS;
}

/** With the clock between two points: only who knows both has the vehicle in the right place. */
async function openAt(atMs: number): Promise<Page> {
  const devices = VEHICLES.map(({ deviceId }) => `device=${deviceId}`).join('&');
  const { fromMs, toMs } = driven.span;
  const page = await scene.openPage('chief', `${GPS_PLAYBACK}?${devices}&from=${fromMs}&to=${toMs}&at=${atMs}`);
  await page.locator(`[data-map=ready][data-lines="${VEHICLES.length}"]`).waitFor();
  await page.locator('[data-metric=speed]').waitFor();
  await watchClock(page);
  return page;
}

/** Meters between where the vehicle is shown and where it was. */
function errorOf({ atMs, places }: ClockSample, deviceId: string): number {
  const shown = places.get(deviceId);
  const was = placeBetween(driven.points.get(deviceId) ?? [], atMs);
  return shown === undefined || was === undefined ? Number.POSITIVE_INFINITY : metersApart(shown, was);
}

/** None where every vehicle is where it was. */
function errorsOf(sample: ClockSample): string[] {
  return VEHICLES.flatMap(({ deviceId }) => {
    const meters = errorOf(sample, deviceId);
    return meters < EXACT_METERS ? [] : [`${deviceId} is ${meters.toFixed(1)} m off at ${sample.atMs}`];
  });
}

/** All points around the clock have been loaded. */
async function untilExact(page: Page): Promise<void> {
  await waitFor(
    'each vehicle where it was',
    async () => (await clockSamples(page)).slice(-1).map(errorsOf),
    ([wrong]) => wrong?.length === 0,
  );
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** Long enough for one frame to count little. */
async function playedStretch(page: Page, speed: number): Promise<readonly ClockSample[]> {
  await forgetClockSamples(page);
  return waitFor(
    `a while at ${speed}x`,
    async () => withoutPauses(await clockSamples(page)),
    (samples) => {
      const { shownMs, longestFrameMs, frames } = stretchOf(samples);
      return frames >= 20 && shownMs > SECOND_MS && shownMs > 8 * longestFrameMs;
    },
  );
}

describe('S-2.4.3 eight hours of eight vehicles', () => {
  test('are replayed at each speed of the page, with every vehicle where it was', async () => {
    const page = await openAt(driven.span.fromMs + 20 * MINUTE_MS + 7 * SECOND_MS);
    const speeds = page.getByRole('combobox', { name: 'Speed' });
    await expect.poll(() => speeds.locator('option').allInnerTexts()).toEqual(SPEEDS.map((speed) => `${speed}×`));
    for (const speed of SPEEDS) {
      await untilExact(page);
      await speeds.selectOption(String(speed));
      await press(page, 'Play');
      const samples = await playedStretch(page, speed);
      await press(page, 'Pause');
      const { shownMs, clockMs, longestFrameMs } = stretchOf(samples);
      // A picture of the screen before or after; a moment is given to the millisecond.
      expect(Math.abs(clockMs / speed - shownMs), `the clock at ${speed}x`).toBeLessThanOrEqual(longestFrameMs + 1);
      expect(samples.flatMap(errorsOf), `at ${speed}x`).toEqual([]);
      expect(standing(samples), `at ${speed}x`).toEqual([]);
      // On to the next part of the day: a twentieth of what is shown each time.
      await page.getByRole('slider', { name: 'Position' }).focus();
      for (let count = 0; count < 2; count++) await page.keyboard.press('PageUp');
    }
  });

  /** Those that have not moved, although they drove. */
  function standing(samples: readonly ClockSample[]): string[] {
    const [first, last] = [samples[0], samples.at(-1)];
    return VEHICLES.flatMap(({ deviceId }) => {
      const [from, to] = [first?.places.get(deviceId), last?.places.get(deviceId)];
      return from !== undefined && to !== undefined && metersApart(from, to) > 0 ? [] : [deviceId];
    });
  }

  test('are replayed without the time in which all of them stand, when that is to be skipped', async () => {
    const stops = driven.summaries.map((summary) => summary.stops[0]);
    const fromMs = Math.max(...stops.map((stop) => stop?.fromMs ?? 0));
    const toMs = Math.min(...stops.map((stop) => stop?.toMs ?? 0));
    expect(toMs - fromMs).toBeGreaterThan(20 * MINUTE_MS);
    const page = await openAt(fromMs - MINUTE_MS);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('16');
    await page.getByRole('switch', { name: 'Skip stops and gaps' }).check();
    await forgetClockSamples(page);
    await press(page, 'Play');
    const samples = await waitFor(
      'the clock beyond the stop',
      () => clockSamples(page),
      (shown) => (shown.at(-1)?.atMs ?? 0) > toMs + 20 * SECOND_MS,
    );
    // It is seen to begin.
    const within = samples.filter(({ atMs }) => atMs > fromMs + 4 * SECOND_MS && atMs < toMs);
    expect(within).toEqual([]);
    expect(samples.some(({ atMs }) => atMs < fromMs)).toBe(true);
    await press(page, 'Pause');
    await page.getByRole('switch', { name: 'Skip stops and gaps' }).uncheck();
    await page.getByRole('tab', { name: /^Stops/ }).click();
    await page.locator('[data-moment]').first().click();
    await forgetClockSamples(page);
    await press(page, 'Play');
    const stood = await waitFor(
      'the clock in the stop',
      () => clockSamples(page),
      (shown) => (shown.at(-1)?.atMs ?? 0) > fromMs + 20 * SECOND_MS,
    );
    expect(stood.at(-1)?.atMs).toBeLessThan(toMs);
  });
});
