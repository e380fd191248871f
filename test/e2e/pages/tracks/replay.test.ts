// Drives of simulated vehicles, sent afterwards (0x0704), as GPS Playback replays them: several on one clock at the speeds of the page,
// and one from a stop to what its cameras saw of it: in the gateway's recordings, on the device, or nowhere; by mouse, and on a
// phone's width by keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StatusBit } from '../../../../server/device/jt808/codec/codes.ts';
import { DEVICES_PATH, type DeviceRow } from '../../../../shared/protocol/api/devices.ts';
import {
  TRACK_SUMMARY_PATH,
  type TrackPoint,
  type TrackStop,
  type TrackSummary,
} from '../../../../shared/protocol/api/tracks/track.ts';
import { FRAME_MS, LOOP_FRAMES } from '../../../../simulator/clip/clipFormat.ts';
import { loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import type { ScriptStep } from '../../../../simulator/script/vehicleScript.ts';
import type { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import { focusOn } from '../../../support/browser/keyboard.ts';
import { readFrameNumber } from '../../../support/browser/stripReader.ts';
import { recordInto } from '../../../support/gateway/recordInto.ts';
import {
  type ClockSample,
  clockSampleNow,
  clockSamples,
  forgetClockSamples,
  nextClockSamples,
  stretchOf,
  watchClock,
  withoutPauses,
} from '../../../support/tracks/clockSamples.ts';
import { metersApart, placeBetween, reportedPoints } from '../../../support/tracks/reportedPath.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Span, startOwnVehicle, summaryWhen } from './simulatedVehicle.ts';
import { BUS, GPS_PLAYBACK, startTrackScene, type TrackScene } from './trackScene.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOURS = 2;
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
/** The slowest speed, the fastest, and two between them; each of the others is calculated in the same way. */
const PLAYED = [1, 4, 16, 64];
/** All vehicles stand together, so that there is something to skip. */
const STANDING = { fromSeconds: -35 * 60, forSeconds: 15 * 60 };
/** The error that one picture of the screen allows: the texts of places have six decimals. */
const EXACT_METERS = 0.5;
const VEHICLES = Array.from({ length: 3 }, (_, at) => ({
  deviceId: `TRAM${at + 1}`,
  name: `Tram ${at + 1}`,
  number: `1390000310${at + 1}`,
}));
const IN_STEP_MS = FRAME_MS + 100;
const STOP_MINUTES = 8;
/** Time between two positions. */
const REPORTED_MS = 15_000;
/** Minutes before the end: the gateway has recordings of the first stop, the device of the second, nobody of the third. */
const STOPS = { recorded: 100, onDevice: 60, nowhere: 25 } as const;

let scene: TrackScene;
let bus: SimulatedTerminal;
let span: Span;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VEHICLES });
  const toMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
  span = { fromMs: toMs - HOURS * 60 * MINUTE_MS, toMs };
});
afterAll(async () => {
  bus?.stop();
  await scene?.close();
});

const asChief = (path: string): Promise<unknown> => scene.call('chief', 'GET', path);
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

interface Driven {
  readonly points: ReadonlyMap<string, readonly TrackPoint[]>;
  readonly summaries: readonly TrackSummary[];
}

async function driveAll(): Promise<Driven> {
  await sendAll();
  // All that they sent has been stored by then: the last part may tell more of their clocks, which moves what came before.
  await waitFor('all have signed out', async () => (await statesOf()).every((state) => state === 'offline'));
  const summaries = await Promise.all(
    VEHICLES.map(({ deviceId }) => summaryWhen(scene, deviceId, span, (summary) => isWhole(summary))),
  );
  const points = new Map<string, readonly TrackPoint[]>();
  for (const { deviceId } of VEHICLES) points.set(deviceId, await reportedPoints(asChief, deviceId, span));
  return { summaries, points };
}

async function statesOf(): Promise<readonly string[]> {
  const { rows } = (await asChief(`${DEVICES_PATH}?limit=100&offset=0`)) as { rows: readonly DeviceRow[] };
  return VEHICLES.map(({ deviceId }) => rows.find((row) => row.deviceid === deviceId)?.state ?? '');
}

/** Each vehicle drives on its own part of the lap, until it has sent what it kept. */
async function sendAll(): Promise<void> {
  const terminals = VEHICLES.map((vehicle, at) =>
    startOwnVehicle(scene, vehicle, {
      awayHours: HOURS,
      lapShare: at / VEHICLES.length,
      script: [{ kind: 'pace', pace: 0, atSeconds: STANDING.fromSeconds, forSeconds: STANDING.forSeconds }],
    }),
  );
  try {
    await Promise.all(
      VEHICLES.map(({ deviceId }) => summaryWhen(scene, deviceId, span, (summary) => isWhole(summary))),
    );
  } finally {
    for (const terminal of terminals) terminal.stop();
  }
}

/** Whether both trips and the stop between them are complete to the end, on a clock that was measured. */
function isWhole({ clock, trips, stops }: TrackSummary): boolean {
  return (
    clock.length > 0 && trips.length === 2 && stops.length > 0 && (trips[1]?.toMs ?? 0) > span.toMs - 2 * MINUTE_MS
  );
}

/** Opens the page with the clock between two points: only with both of them is the vehicle in the right place. */
async function openAt(atMs: number): Promise<Page> {
  const devices = VEHICLES.map(({ deviceId }) => `device=${deviceId}`).join('&');
  const { fromMs, toMs } = span;
  const page = await scene.openPage('chief', `${GPS_PLAYBACK}?${devices}&from=${fromMs}&to=${toMs}&at=${atMs}`);
  await page.locator(`[data-map=ready][data-lines="${VEHICLES.length}"]`).waitFor();
  await page.locator('[data-metric=speed]').waitFor();
  await watchClock(page);
  return page;
}

/** At least twice the length that is required. */
const STRETCH_MS = 2_500;

/** Plays a stretch that is long enough for one frame to count little. */
async function playedStretch(page: Page, speed: number): Promise<readonly ClockSample[]> {
  return waitFor(
    `a while at ${speed}x`,
    async () => withoutPauses(await nextClockSamples(page, STRETCH_MS)),
    (samples) => {
      const { shownMs, longestFrameMs, frames } = stretchOf(samples);
      return frames >= 20 && shownMs > SECOND_MS && shownMs > 8 * longestFrameMs;
    },
  );
}

const clockPasses = (page: Page, atMs: number) =>
  waitFor(
    `the clock beyond ${atMs}`,
    () => clockSampleNow(page),
    (last) => (last?.atMs ?? 0) > atMs,
  );

/** Meters between where the vehicle is shown and where it was. */
function errorOf({ points }: Driven, { atMs, places }: ClockSample, deviceId: string): number {
  const shown = places.get(deviceId);
  const was = placeBetween(points.get(deviceId) ?? [], atMs);
  return shown === undefined || was === undefined ? Number.POSITIVE_INFINITY : metersApart(shown, was);
}

/** Vehicles that are not where they were; empty if there are none. */
function errorsOf(driven: Driven, sample: ClockSample): string[] {
  return VEHICLES.flatMap(({ deviceId }) => {
    const meters = errorOf(driven, sample, deviceId);
    return meters < EXACT_METERS ? [] : [`${deviceId} is ${meters.toFixed(1)} m off at ${sample.atMs}`];
  });
}

/** Waits until all points around the clock have been loaded. */
async function untilExact(driven: Driven, page: Page): Promise<void> {
  await waitFor(
    'each vehicle where it was',
    async () => {
      const sample = await clockSampleNow(page);
      return sample === undefined ? undefined : errorsOf(driven, sample);
    },
    (wrong) => wrong?.length === 0,
  );
}

describe('S-2.4.3 hours of several vehicles', () => {
  let driven: Driven;
  beforeAll(async () => {
    driven = await driveAll();
  });

  test('are replayed without the time in which all of them stand, when that is to be skipped, and at every speed with each where it was', async () => {
    const stops = driven.summaries.map((summary) => summary.stops[0]);
    const fromMs = Math.max(...stops.map((stop) => stop?.fromMs ?? 0));
    const toMs = Math.min(...stops.map((stop) => stop?.toMs ?? 0));
    expect(toMs - fromMs).toBeGreaterThan(10 * MINUTE_MS);
    const page = await openAt(fromMs - MINUTE_MS);
    await expectSkipped(page, { fromMs, toMs });
    await expectSpeeds(page);
  });

  async function expectSkipped(page: Page, { fromMs, toMs }: Span): Promise<void> {
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('16');
    await page.getByRole('switch', { name: 'Skip stops and gaps' }).check();
    await forgetClockSamples(page);
    await press(page, 'Play');
    await clockPasses(page, toMs + 20 * SECOND_MS);
    const samples = await clockSamples(page);
    // The beginning of the stop is seen.
    const within = samples.filter(({ atMs }) => atMs > fromMs + 4 * SECOND_MS && atMs < toMs);
    expect(within).toEqual([]);
    expect(samples.some(({ atMs }) => atMs < fromMs)).toBe(true);
    await press(page, 'Pause');
    await page.getByRole('switch', { name: 'Skip stops and gaps' }).uncheck();
    await page.getByRole('tab', { name: /^Stops/ }).click();
    await page.locator('[data-moment]').first().click();
    await forgetClockSamples(page);
    await press(page, 'Play');
    const stood = await clockPasses(page, fromMs + 20 * SECOND_MS);
    expect(stood?.atMs).toBeLessThan(toMs);
    await press(page, 'Pause');
  }

  async function expectSpeeds(page: Page): Promise<void> {
    const speeds = page.getByRole('combobox', { name: 'Speed' });
    await expect.poll(() => speeds.locator('option').allInnerTexts()).toEqual(SPEEDS.map((speed) => `${speed}×`));
    await focusOn(page.getByRole('slider', { name: 'Position' }));
    await page.keyboard.press('Home');
    await nextPart(page);
    for (const speed of PLAYED) {
      await untilExact(driven, page);
      await speeds.selectOption(String(speed));
      await press(page, 'Play');
      const samples = await playedStretch(page, speed);
      await press(page, 'Pause');
      const { shownMs, clockMs, longestFrameMs } = stretchOf(samples);
      // The tolerance is a picture of the screen before or after; a moment is given to the millisecond.
      expect(Math.abs(clockMs / speed - shownMs), `the clock at ${speed}x`).toBeLessThanOrEqual(longestFrameMs + 1);
      expect(
        samples.flatMap((sample) => errorsOf(driven, sample)),
        `at ${speed}x`,
      ).toEqual([]);
      expect(standing(samples), `at ${speed}x`).toEqual([]);
      await nextPart(page);
    }
  }

  /** Goes on to the next part of the time, by a twentieth of what is shown each time. */
  async function nextPart(page: Page): Promise<void> {
    await focusOn(page.getByRole('slider', { name: 'Position' }));
    for (let count = 0; count < 2; count++) await page.keyboard.press('PageUp');
  }

  /** The vehicles that have not moved, although they drove. */
  function standing(samples: readonly ClockSample[]): string[] {
    const [first, last] = [samples[0], samples.at(-1)];
    return VEHICLES.flatMap(({ deviceId }) => {
      const [from, to] = [first?.places.get(deviceId), last?.places.get(deviceId)];
      return from !== undefined && to !== undefined && metersApart(from, to) > 0 ? [] : [deviceId];
    });
  }
});

function standing(minutesAgo: number): ScriptStep[] {
  const atSeconds = -minutesAgo * 60;
  const forSeconds = STOP_MINUTES * 60;
  return [
    { kind: 'pace', pace: 0, atSeconds, forSeconds },
    { kind: 'status', atSeconds: atSeconds + 30, forSeconds: forSeconds - 60, off: [StatusBit.AccOn] },
  ];
}

interface Opened {
  readonly page: Page;
  /** The stops as the page has received them: the device's clock may be known better later on. */
  readonly stops: readonly TrackStop[];
}

async function openStops(width: number): Promise<Opened> {
  const address = `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${span.fromMs}&to=${span.toMs}`;
  const page = await scene.openPage('chief', '/favicon.svg', { width, height: 1_000 });
  const told = page.waitForResponse((response) => response.url().includes(TRACK_SUMMARY_PATH));
  await page.goto(address);
  const { data } = (await (await told).json()) as { readonly data: TrackSummary };
  await page.locator('[data-map=ready][data-lines="1"]').waitFor();
  await page.getByRole('tab', { name: `Stops (${data.stops.length})` }).waitFor();
  return { page, stops: data.stops };
}

async function atMs(page: Page): Promise<number> {
  return Number(await page.locator('[data-map]').getAttribute('data-at'));
}

async function pick({ page, stops }: Opened, place: number): Promise<number> {
  await page.locator('[data-moment]').nth(place).click();
  return untilAt(page, stops[place]?.fromMs ?? 0);
}

async function untilAt(page: Page, wantedMs: number): Promise<number> {
  return waitFor(
    'the clock',
    () => atMs(page),
    (shownMs) => shownMs === wantedMs,
  );
}

/** Waits until the picture of the clock's moment stands. */
async function untilPictureOf(page: Page, wantedMs?: number): Promise<void> {
  const loopMs = LOOP_FRAMES * FRAME_MS;
  // On a phone the controls are below the picture, and what is out of view for a while is not streamed.
  await page.locator('canvas.video-tile-canvas').first().scrollIntoViewIfNeeded();
  await waitFor(
    'the picture of the moment',
    async () => {
      const frame = (await readFrameNumber(page, { canvases: 'canvas.video-tile-canvas' })) ?? Number.NaN;
      // The clock is read again each time: one that was paused a moment ago may have been read before its last step.
      const apartMs = Math.abs(frame * FRAME_MS - ((wantedMs ?? (await atMs(page))) % loopMs));
      return Math.min(apartMs, loopMs - apartMs);
    },
    (errorMs) => errorMs <= IN_STEP_MS,
  );
}

describe('S-2.4.3 a stop in the list', () => {
  beforeAll(async () => {
    const around = (minutesAgo: number): Span => ({
      fromMs: span.toMs - (minutesAgo + 5) * MINUTE_MS,
      toMs: span.toMs - (minutesAgo - 12) * MINUTE_MS,
    });
    const unrecorded = around(STOPS.nowhere);
    bus = startOwnVehicle(scene, BUS, {
      awayHours: HOURS,
      channels: 1,
      script: Object.values(STOPS).flatMap(standing),
      card: { gaps: [{ startMs: unrecorded.fromMs, endMs: unrecorded.toMs }] },
    });
    const clip = await loadDemoClip('road');
    await recordInto(scene.product, BUS.deviceId, [{ channel: 1, clip, spans: [around(STOPS.recorded)] }]);
    const isWhole = (count: number) => count === Object.keys(STOPS).length;
    await summaryWhen(scene, BUS.deviceId, span, (known) => {
      return isWhole(known.stops.length) && known.stops.every(({ isOpen }) => !isOpen) && known.recordings.length > 0;
    });
  });

  test('leads to its video: of the gateway, of the device with its remote playback of that moment, or to word that there is none', async () => {
    const opened = await openStops(1_280);
    const { page } = opened;
    await page.getByRole('tab', { name: /^Stops/ }).click();
    await untilPictureOf(page, await pick(opened, 0));
    await expect.poll(() => page.locator('[data-video]').count()).toBe(0);
    await pick(opened, 1);
    await page.getByText('Not recorded on the server').waitFor();
    await page.getByRole('button', { name: 'Look on the device' }).click();
    await page.getByText('On the device', { exact: true }).waitFor();
    await pick(opened, 2);
    await page.getByRole('button', { name: 'Look on the device' }).click();
    await page.getByText('Not recorded', { exact: true }).waitFor();
    // What was found out about one moment is not forgotten with the next.
    const stopMs = await pick(opened, 1);
    const [remote] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Play from device' }).click(),
    ]);
    await remote.waitForURL(new RegExp(`/remote/${BUS.deviceId}@.*/${Math.floor(stopMs / 1_000)}/`));
    await remote.close();
    await untilPictureOf(page, await pick(opened, 0));
  });

  test('by keyboard alone, 360 pixels wide, is chosen, its video seen, played, stepped through, and played faster', async () => {
    const { page, stops } = await openStops(360);
    await focusByTab(page, page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Stops' }).waitFor();
    await focusByTab(page, page.locator('[data-moment]').first());
    await page.keyboard.press('Enter');
    const stopMs = await untilAt(page, stops[0]?.fromMs ?? 0);
    await untilPictureOf(page, stopMs);
    await page.keyboard.press('.');
    const nextMs = await waitFor(
      'the next point',
      () => atMs(page),
      (shownMs) => shownMs > stopMs,
    );
    expect(nextMs - stopMs).toBeLessThanOrEqual(REPORTED_MS);
    await untilPictureOf(page, nextMs);
    await page.keyboard.press('l');
    await waitFor('the clock', async () => (await atMs(page)) > nextMs + 500);
    await focusByTab(page, page.getByRole('combobox', { name: 'Speed' }), 'Shift+Tab');
    await page.keyboard.press('ArrowDown');
    await waitFor('the speed', async () => (await page.getByRole('combobox', { name: 'Speed' }).inputValue()) === '2');
    await focusByTab(page, page.getByRole('button', { name: 'Pause', exact: true }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await untilPictureOf(page);
    await page.keyboard.press(']');
    await untilAt(page, stops[1]?.fromMs ?? 0);
    await page.getByText('Not recorded on the server').waitFor();
  });
});

/** More presses than a page can have places to stop at. */
const MOST_PRESSES = 120;

async function focusByTab(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let count = 0; count < MOST_PRESSES; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}`);
}
