// From a stop to what the cameras saw of it: in the gateway's recordings, on the device, or nowhere; by mouse, and on a phone's
// width by keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRAME_MS, LOOP_FRAMES } from '../../../../server/demo/clip/clipFormat.ts';
import { loadDemoClip } from '../../../../server/demo/clip/loadClip.ts';
import type { ScriptStep } from '../../../../server/demo/script/vehicleScript.ts';
import type { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import { StatusBit } from '../../../../server/device/jt808/codec/codes.ts';
import { TRACK_SUMMARY_PATH, type TrackStop, type TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { readFrameNumber } from '../../../support/browser/stripReader.ts';
import { recordInto } from '../../../support/gateway/recordInto.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Span, startOwnVehicle, summaryWhen } from './simulatedVehicle.ts';
import { BUS, GPS_PLAYBACK, startTrackScene, type TrackScene } from './trackScene.ts';

const MINUTE_MS = 60_000;
const IN_STEP_MS = FRAME_MS + 100;
const STOP_MINUTES = 8;
/** Between two positions. */
const REPORTED_MS = 15_000;
/** Before the end: of the first the gateway has recordings, of the second the device, of the third nobody. */
const STOPS = { recorded: 100, onDevice: 60, nowhere: 25 } as const;

let scene: TrackScene;
let terminal: SimulatedTerminal;
let span: Span;

beforeAll(async () => {
  scene = await startTrackScene();
  const toMs = Math.floor(Date.now() / 1_000) * 1_000;
  span = { fromMs: toMs - 120 * MINUTE_MS, toMs };
  const around = (minutesAgo: number): Span => ({
    fromMs: toMs - (minutesAgo + 5) * MINUTE_MS,
    toMs: toMs - (minutesAgo - 12) * MINUTE_MS,
  });
  const unrecorded = around(STOPS.nowhere);
  terminal = startOwnVehicle(scene, BUS, {
    awayHours: 2,
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
afterAll(async () => {
  terminal?.stop();
  await scene?.close();
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
  /** As the page was told of them: the device's clock may be known better later on. */
  readonly stops: readonly TrackStop[];
}

async function open(width: number): Promise<Opened> {
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

/** The picture of the clock's moment, which stands. */
async function untilPictureOf(page: Page, wantedMs?: number): Promise<void> {
  const loopMs = LOOP_FRAMES * FRAME_MS;
  // On a phone the controls are below the picture, and what is out of view for a while is not streamed.
  await page.locator('canvas.video-tile-canvas').first().scrollIntoViewIfNeeded();
  await waitFor(
    'the picture of the moment',
    async () => {
      const frame = (await readFrameNumber(page, { canvases: 'canvas.video-tile-canvas' })) ?? Number.NaN;
      // Read anew each time: a clock that was paused a moment ago may have been read before its last step.
      const apartMs = Math.abs(frame * FRAME_MS - ((wantedMs ?? (await atMs(page))) % loopMs));
      return Math.min(apartMs, loopMs - apartMs);
    },
    (errorMs) => errorMs <= IN_STEP_MS,
  );
}

describe('S-2.4.3 a stop in the list', () => {
  test('leads to its video: of the gateway, of the device, or to word that there is none', async () => {
    const opened = await open(1_280);
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
    // What was found out of one moment is not forgotten with the next.
    await pick(opened, 1);
    await page.getByRole('button', { name: 'Play from device' }).waitFor();
    await untilPictureOf(page, await pick(opened, 0));
  });

  test('leads from what the device has to its remote playback of that moment', async () => {
    const opened = await open(1_280);
    const { page } = opened;
    await page.getByRole('tab', { name: /^Stops/ }).click();
    const stopMs = await pick(opened, 1);
    await page.getByRole('button', { name: 'Look on the device' }).click();
    const [remote] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Play from device' }).click(),
    ]);
    await remote.waitForURL(new RegExp(`/remote/${BUS.deviceId}@.*/${Math.floor(stopMs / 1_000)}/`));
    await remote.close();
  });
});

describe('S-2.4.3 by keyboard alone, 360 pixels wide', () => {
  test('a stop is chosen, its video seen, played, stepped through, and played faster', async () => {
    const { page, stops } = await open(360);
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

/** As many presses as a page can have places to stop at. */
const MOST_PRESSES = 120;

async function focusByTab(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let count = 0; count < MOST_PRESSES; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}`);
}
