// The sound of recordings as it leaves the playback page: the demo's microphones hum, and pip on every full second.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemoClips } from '../../../server/demo/clip/loadClip.ts';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import { sharedChromium } from '../../support/browser/chromium.ts';
import { openRecordedPage } from '../../support/browser/recordedPage.ts';
import {
  heardBy,
  isHeard,
  loudestHertz,
  soundBeginnings,
  soundContexts,
  sounding,
  spyOnSound,
} from '../../support/browser/soundSpy.ts';
import { type RecordedGateway, startRecordedGateway } from '../../support/gateway/recordedGateway.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const MINUTE = 60_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 60 * MINUTE;
/** Waves of the hum in a second; the pip is louder and short. */
const HUM_HZ = 90;

let recorded: RecordedGateway;
let browser: Browser;
let credential: string;

beforeAll(async () => {
  [recorded, browser] = await Promise.all([
    startRecordedGateway(),
    sharedChromium(['--autoplay-policy=no-user-gesture-required']),
  ]);
  ({ credential } = await recorded.link(['playback']));
  const { road, cabin } = await loadDemoClips();
  const spans = [{ fromMs: START, toMs: START + 6 * MINUTE }];
  await recorded.record({ channel: 1, clip: road, spans, withSound: true });
  await recorded.record({ channel: 2, clip: cabin, spans, withSound: true });
});

afterAll(async () => {
  await recorded?.close();
});

const openAt = (atMs: number, mask = 1): Promise<Page> =>
  openRecordedPage(browser, { address: recorded.gateway.address, credential, atMs, mask, prepare: spyOnSound });

const traced = (page: Page): Promise<TracedPicture[]> => page.evaluate(() => globalThis.__fleetglassTrace ?? []);
/** Waits until both channels show the picture of that moment. */
const standsAt = (page: Page, atMs: number) =>
  waitFor(
    'the picture of that moment, on both channels',
    async () => {
      const pictures = await traced(page);
      return [1, 2].map((channel) => pictures.findLast((picture) => picture.channel === channel)?.mediaTimeUs);
    },
    (standing) => standing.every((mediaTimeUs) => mediaTimeUs === atMs * 1_000),
  );
async function jumpTo(page: Page, atMs: number): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Date and time' });
  await field.fill(new Date(atMs).toISOString().slice(0, 19).replace('T', ' '));
  await field.press('Enter');
}
const choose = (page: Page, speed: number) => page.getByRole('combobox', { name: 'Speed' }).selectOption(String(speed));
const soundIsHeard = (page: Page) => waitFor('sound', () => isHeard(page));
const isQuiet = (page: Page) => waitFor('silence', async () => !(await isHeard(page)));

/** Waits until the page has shown so much of the recording more than it has now. */
async function goesOn(page: Page, recordedMs: number): Promise<void> {
  const newest = async () => (await traced(page)).at(-1)?.mediaTimeUs ?? 0;
  const from = await newest();
  await waitFor(`${recordedMs} ms more`, async () => (await newest()) - from > recordedMs * 1_000);
}

/** How late the sound of each full second is against its picture, in milliseconds; negative where it is early. */
async function soundBehindPictures(page: Page): Promise<number[]> {
  const seconds = (await traced(page)).filter(
    ({ channel, mediaTimeUs }) => channel === 1 && mediaTimeUs % 1_000_000 === 0,
  );
  return (await soundBeginnings(page)).map((began) => {
    const [nearest = Number.NaN] = seconds.map(({ at }) => began - at).sort((a, b) => Math.abs(a) - Math.abs(b));
    return Math.round(nearest);
  });
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('the sound of a recording', () => {
  it('is heard at the speed it was recorded at, at its own pitch, within 80 ms of the pictures', async () => {
    const page = await openAt(START + 10_000);
    await soundIsHeard(page);
    const idleBefore = await processorTime();
    const pips = await waitFor(
      'six pips',
      () => soundBeginnings(page),
      (beginnings) => beginnings.length >= 6,
    );
    const apart = pips.slice(1).map((began, index) => began - (pips[index] ?? 0));
    const isSpent = await isSpentSince(idleBefore);
    expect(Math.abs(median(apart) - 1_000), `apart: ${apart.map(Math.round).join(' ')}`).toBeLessThan(
      isSpent ? 60 : 20,
    );
    await waitFor(
      'the pitch of the hum',
      () => loudestHertz(page),
      (hertz) => Math.abs(hertz - HUM_HZ) < 3,
    );
    // The middle one: a machine that is busy elsewhere moves single ones.
    const late = await soundBehindPictures(page);
    expect(Math.abs(median(late.slice(2))), `late: ${late.join(' ')}`).toBeLessThanOrEqual(isSpent ? 200 : 80);
  });

  it('is in step again behind a jump, and quiet while the recording stands', async () => {
    const page = await openAt(START + 10_000, 3);
    await soundIsHeard(page);
    await page.keyboard.press(' ');
    await isQuiet(page);
    // Pictures one by one are pictures alone.
    const before = (await heardBy(page)).length;
    await jumpTo(page, START + 2 * MINUTE);
    await standsAt(page, START + 2 * MINUTE);
    for (const [key, aheadMs] of [
      ['.', 40],
      ['.', 80],
      [',', 40],
    ] as const) {
      await page.keyboard.press(key);
      await standsAt(page, START + 2 * MINUTE + aheadMs);
    }
    await waitFor('a while', async () => (await heardBy(page)).length > before + 100);
    expect(sounding((await heardBy(page)).slice(before))).toEqual([]);
    await jumpTo(page, START + 3 * MINUTE);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const idleBefore = await processorTime();
    const pips = (await soundBeginnings(page)).length;
    await waitFor('pips', async () => (await soundBeginnings(page)).length >= pips + 6);
    const late = (await soundBehindPictures(page)).slice(pips + 1);
    const limitMs = (await isSpentSince(idleBefore)) ? 200 : 80;
    expect(Math.abs(median(late)), `late: ${late.join(' ')}`).toBeLessThanOrEqual(limitMs);
    // Two channels are recorded with sound, and one is heard.
    expect(await soundContexts(page)).toBe(1);
  });

  it('is left out at every other speed, and back at its own', async () => {
    const page = await openAt(START + 10_000);
    await soundIsHeard(page);
    for (const speed of [0.5, 2, 16]) {
      await choose(page, speed);
      await isQuiet(page);
      const from = (await heardBy(page)).length;
      await goesOn(page, 1_500 * speed);
      const heard = (await heardBy(page)).slice(from);
      expect(heard.length).toBeGreaterThan(20);
      expect(sounding(heard), `${speed}x`).toEqual([]);
      await choose(page, 1);
      await soundIsHeard(page);
    }
  });
});
