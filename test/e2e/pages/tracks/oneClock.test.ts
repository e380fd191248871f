// Track and video on one clock: the device's clock is seven minutes ahead, its positions are dated by it, and the recordings by the
// gateway's. The number that is burnt into each picture says when it was taken.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrackPoint, TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { FRAME_MS, LOOP_FRAMES } from '../../../../simulator/clip/clipFormat.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { recordInto } from '../../../support/gateway/recordInto.ts';
import {
  type ClockSample,
  clockSampleNow,
  clockSamples,
  forgetClockSamples,
  nextClockSamples,
  stretchOf,
  watchClock,
} from '../../../support/tracks/clockSamples.ts';
import { metersApart, placeBetween, reportedPoints } from '../../../support/tracks/reportedPath.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Span, startOwnVehicle, summaryWhen } from './simulatedVehicle.ts';
import { BUS, GPS_PLAYBACK, startTrackScene, type TrackScene } from './trackScene.ts';

const MINUTE_MS = 60_000;
const AHEAD_MS = 7 * MINUTE_MS;
const CHANNELS = 2;
/** One picture, and what browsers may be late by. */
const IN_STEP_MS = FRAME_MS + 100;
/** Time between the positions that are sent afterwards. */
const POSITION_MS = 15_000;
/** A machine that was busy has to catch up. */
const IN_STEP_DEADLINE_MS = 60_000;
const TEST_TIMEOUT_MS = 2 * IN_STEP_DEADLINE_MS + 90_000;
const EXACT_METERS = 0.5;
/** Styles have six digits of a share, which in an hour are some milliseconds. */
const CSS_MS = 5;
const ZONE = 'Asia/Taipei';

let scene: TrackScene;
let span: Span;
let recorded: Span;
let summary: TrackSummary;
let points: readonly TrackPoint[];

beforeAll(async () => {
  scene = await startTrackScene();
  const toMs = Math.floor(Date.now() / 1_000) * 1_000;
  span = { fromMs: toMs - 60 * MINUTE_MS, toMs };
  recorded = { fromMs: toMs - 40 * MINUTE_MS, toMs: toMs - 28 * MINUTE_MS };
  const terminal = startOwnVehicle(scene, BUS, { awayHours: 1, quirks: { clock: { aheadSeconds: AHEAD_MS / 1_000 } } });
  const { road, rear } = await loadDemoClips();
  await recordInto(scene.product, BUS.deviceId, [
    { channel: 1, clip: road, spans: [recorded], deviceAheadMs: AHEAD_MS },
    { channel: 2, clip: rear, spans: [recorded], deviceAheadMs: AHEAD_MS },
  ]);
  summary = await summaryWhen(scene, BUS.deviceId, span, ({ clock, trips, recordings }) => {
    const hasTrip = trips.some((trip) => trip.fromMs <= recorded.fromMs && trip.toMs >= recorded.toMs);
    return clock.length > 0 && hasTrip && recordings.length === CHANNELS;
  });
  // Later reports may tell more of the device's clock, and the page has what was known when it was opened.
  terminal.stop();
  points = await reportedPoints((path) => scene.call('chief', 'GET', path), BUS.deviceId, span);
});
afterAll(() => scene?.close());

async function openAt(atMs: number): Promise<Page> {
  const address = `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${span.fromMs}&to=${span.toMs}&at=${atMs}`;
  const page = await scene.openPage('chief', address, { height: 1_000 });
  await page.locator('[data-map=ready][data-lines="1"]').waitFor();
  await page.locator('[data-cursor]').waitFor({ state: 'attached' });
  await watchClock(page);
  return page;
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const choose = (page: Page, speed: number) => page.getByRole('combobox', { name: 'Speed' }).selectOption(String(speed));

/** How far the pictures of all channels are from the clock at most; the burnt-in numbers begin again each minute. */
function videoErrorOf({ atMs, frames }: ClockSample): number {
  if (frames.length < CHANNELS) return Number.POSITIVE_INFINITY;
  const loopMs = LOOP_FRAMES * FRAME_MS;
  const errors = frames.map((frame) => {
    if (frame === undefined) return Number.POSITIVE_INFINITY;
    const apartMs = Math.abs(frame * FRAME_MS - (atMs % loopMs));
    return Math.min(apartMs, loopMs - apartMs);
  });
  return Math.max(...errors);
}

/** Everything drawn with the clock shows its moment each time that it moves: slider and chart cursor, its text, the marker on the map. */
function expectOneMoment(samples: readonly ClockSample[]): void {
  for (const { atMs, places, chartShare, sliderShare, text } of samples) {
    for (const share of [chartShare, sliderShare]) {
      expect(Math.abs(span.fromMs + (share ?? 0) * (span.toMs - span.fromMs) - atMs)).toBeLessThan(CSS_MS);
    }
    // A moment is given to the millisecond.
    expect([formatTimestamp(atMs, ZONE), formatTimestamp(atMs - 1, ZONE)]).toContain(text);
    const [shown, was] = [places.get(BUS.deviceId), placeBetween(points, atMs)];
    if (shown === undefined || was === undefined) throw new Error('no place');
    expect(metersApart(shown, was)).toBeLessThan(EXACT_METERS);
  }
}

/**
 * The screen takes canvases over one by one, and not always in time on a busy machine: nine in ten samples of the last while are
 * enough.
 */
function playedInStep(page: Page, speed: number, mostMs: number): Promise<readonly ClockSample[]> {
  return waitFor(
    `clock and pictures in step at ${speed}x`,
    () => nextClockSamples(page, 2_000),
    (samples) => {
      const { shownMs, clockMs, frames } = stretchOf(samples);
      const inStep = samples.filter((sample) => videoErrorOf(sample) <= mostMs);
      const isAtSpeed = Math.abs(clockMs / shownMs / speed - 1) < 0.15;
      return frames > 20 && shownMs > 1_500 && isAtSpeed && inStep.length >= 0.9 * samples.length;
    },
    IN_STEP_DEADLINE_MS,
  );
}

/** The clock stands, and all pictures are those of its moment. */
async function stoodInStep(page: Page): Promise<void> {
  await waitFor(
    'the picture of the clock',
    () => standingErrorMs(page),
    (errorMs) => errorMs <= IN_STEP_MS,
  );
}

async function standingErrorMs(page: Page): Promise<number> {
  const sample = await clockSampleNow(page);
  return sample === undefined ? Number.POSITIVE_INFINITY : videoErrorOf(sample);
}

describe('S-2.4.3 a device whose clock is seven minutes ahead', () => {
  test('has positions, trips and the difference by the gateway’s clock', () => {
    // Terminals report whole seconds, and their reports take time.
    for (const { offsetMs } of summary.clock) expect(Math.abs(offsetMs + AHEAD_MS)).toBeLessThan(MINUTE_MS);
    for (const { atMs, deviceTimeMs } of points)
      expect(summary.clock.map(({ offsetMs }) => offsetMs)).toContain(atMs - deviceTimeMs);
  });

  test('is replayed at 1x and 16x with clock, marker, chart and each burnt-in clock at one moment, and above without pictures, which come when the clock stands; the page says how far it is off', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await openAt(recorded.fromMs + MINUTE_MS + 7_000);
    await page.getByText(/^Device clock 0[67]:\d\d ahead, corrected$/).waitFor();
    await stoodInStep(page);
    await press(page, 'Play');
    expectOneMoment(await playedInStep(page, 1, IN_STEP_MS));
    await press(page, 'Pause');
    await stoodInStep(page);
    await choose(page, 16);
    await press(page, 'Play');
    expectOneMoment(await playedInStep(page, 16, POSITION_MS));
    await choose(page, 32);
    await page.getByText('Video plays at up to 16×').waitFor();
    await forgetClockSamples(page);
    await waitFor(
      'the clock without pictures',
      async () => stretchOf(await clockSamples(page)),
      ({ clockMs }) => clockMs > 2 * POSITION_MS,
    );
    await press(page, 'Pause');
    await stoodInStep(page);
    expectOneMoment(await clockSamples(page));
  });
});
