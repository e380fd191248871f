// The controls of the remote playback page, on the built product with a simulated terminal: what a viewer asks of a device,
// and what the page does by itself when the device's playback is gone.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import type { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { shownPictures } from '../../browser/player/scene.ts';
import { axeFaults } from '../../support/browser/looks.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import { VEHICLE } from '../../support/gateway/watchedProduct.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';
import { PLAY, RECORDED, REMOTE, setRemoteScene } from './remoteScene.ts';

const scene = setRemoteScene();
const { newPage, startTerminal, plays } = scene;
const SECONDS = 120;
const START_MS = RECORDED * 1_000;
/** While nobody answers at the address, and while the device is not back. */
const AWAY = [
  { url: /^(http|ws):\/\/127\.0\.0\.1:\d+\//, status: 'failed' },
  { url: /remote\/play/, status: 409 },
  { url: /remote\/play/, status: 502 },
  { url: /^ws:/, status: 502 },
] as const;

async function open(page: Page, { seconds = SECONDS, query = '?trace=1', start = RECORDED } = {}): Promise<void> {
  await page.goto(`/remote/DEV1/${seconds}/${start}/${scene.credentialOf(VEHICLE)}${query}`);
}

const controls = (page: Page) => page.locator('.playback-controls');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const positionMs = async (page: Page): Promise<number> =>
  Date.parse(`${(await page.getByLabel('Date and time').inputValue()).replace(' ', 'T')}Z`);
const newestMs = async (page: Page): Promise<number> => (await shownPictures(page)).at(-1)?.deviceTimeMs ?? 0;
const shows = (page: Page, what: string, isIt: (atMs: number) => boolean) => waitFor(what, () => newestMs(page), isIt);

/** Presses the timeline at a share of its width, moves to another and lets go. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByRole('slider').boundingBox();
  if (box === null) throw new Error('there is no timeline');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 8 });
  await page.mouse.up();
}

describe('the controls of remote playback', () => {
  it('pause, take to a place and play on, offer nothing that a device cannot, and axe objects to nothing; what the server has forgotten is asked for again, from where it was', async () => {
    const terminal = await startTerminal(VEHICLE);
    const page = await newPage({ allowed: AWAY });
    await open(page);
    await controls(page).waitFor();
    await expectControls(page, terminal);
    await expectResumed(page, terminal);
    await expectRestart(page);
  });

  async function expectControls(page: Page, terminal: SimulatedTerminal): Promise<void> {
    await expect.poll(() => button(page, 'Previous frame').count()).toBe(0);
    await expect.poll(() => button(page, 'Export').count()).toBe(0);
    await expect.poll(() => button(page, 'Next recording').count()).toBe(0);
    await page.locator('.playback-recorded[d^="M"]').waitFor({ state: 'attached' });
    const timeline = page.getByRole('slider');
    expect(Number(await timeline.getAttribute('aria-valuemin'))).toBe(RECORDED);
    expect(Number(await timeline.getAttribute('aria-valuemax'))).toBe(RECORDED + SECONDS);

    await page.keyboard.press('Space');
    await button(page, 'Play').waitFor();
    for (const [locale, colorScheme] of [
      ['jp', 'dark'],
      ['en', 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await switchLanguage(page, locale);
      expect(await axeFaults(page), `${locale}, ${colorScheme}`).toEqual([]);
    }
    await drag(page, 0.3, 0.75);
    // Paused, and yet the picture at the place: a device has whole seconds, pictures follow each 40 ms.
    const target = START_MS + 90_000;
    await shows(page, 'the picture at the place', (atMs) => Math.abs(atMs - target) < 1_000);
    const still = await newestMs(page);
    expect(await readFrameNumber(page)).toBe(frameAt(still));
    await expect.poll(() => button(page, 'Play').count()).toBe(1);
    expect(Math.abs((await positionMs(page)) - still)).toBeLessThan(1_500);
    expect(terminal.playbacks).toEqual([1]);

    await page.keyboard.press('k');
    await page.keyboard.press('Space');
    await shows(page, 'it plays on', (atMs) => atMs > still + 1_000 && atMs < still + 20_000);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await shows(page, 'the beginning', (atMs) => atMs < START_MS + 10_000);
    await page.getByLabel('Speed').selectOption('4');
    const before = await newestMs(page);
    // Ten seconds of the recording: at its own speed they would take longer.
    await within(8_000, () => shows(page, 'four times as fast', (atMs) => atMs > before + 10_000));
    expect(plays().length).toBe(1);
    await page.getByLabel('Speed').selectOption('1');
  }

  /** Stays as it is while it is paused, says so, and is asked for when it is to go on. */
  async function expectResumed(page: Page, terminal: SimulatedTerminal): Promise<void> {
    await button(page, 'Pause').click();
    await button(page, 'Play').waitFor();
    const stop = scene.tap.when({ path: REMOTE }, { kind: 'cut' });
    scene.tap.cutSockets({ path: REMOTE });
    // The server lets a device go five seconds after its page has left.
    await within(10_000, () => waitFor('the device is free', () => terminal.playbacks.length === 0));
    stop();
    // The page tells of its last pictures a while after it has shown them.
    const still = await newestMs(page);
    const wanted = readTranslation('en', 'Errors')['not-playing'] ?? '?';
    await page.getByText(wanted).waitFor();
    expect(plays().length).toBe(1);
    await button(page, 'Play').click();
    await shows(page, 'it goes on', (atMs) => atMs > still + 500);
    // Whole seconds are asked for, and the position may be a picture further than what was shown.
    const { spbtime } = JSON.parse(plays()[1]?.body ?? '{}') as { spbtime: number };
    expect(Math.abs(spbtime * 1_000 - still)).toBeLessThan(1_500);
    await page.getByText(wanted).waitFor({ state: 'detached' });
  }

  /** After a restart of the gateway the page asks by itself. */
  async function expectRestart(page: Page): Promise<void> {
    await scene.product.kill();
    const before = await newestMs(page);
    const shownBefore = (await shownPictures(page)).length;
    await scene.product.startAgain();
    await shows(page, 'pictures again', (atMs) => atMs > before + 1_000);
    const pictures = (await shownPictures(page)).slice(shownBefore - 1);
    const again = pictures.find(({ deviceTimeMs }, index) => deviceTimeMs < (pictures[index - 1]?.deviceTimeMs ?? 0));
    // Whole seconds are asked for: no more than one is seen twice, and none is left out.
    expect(again === undefined ? 0 : before - again.deviceTimeMs).toBeLessThan(2_000);
    const bodies = plays().map(
      ({ body }) => JSON.parse(body) as { spbtime: number; duration: number; streamid: number },
    );
    expect(bodies.length).toBeGreaterThan(2);
    expect(bodies.every(({ spbtime, duration }) => spbtime + duration === RECORDED + SECONDS)).toBe(true);
    expect(new Set(bodies.map(({ streamid }) => streamid)).size).toBe(1);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  }

  it('take a recording that has ended up again, at the place or from its beginning', async () => {
    await startTerminal({ ...VEHICLE, quirks: { card: { isUnpaced: true } } });
    const page = await newPage();
    await open(page, { seconds: 4 });
    const ended = page.getByText('The video has ended.');
    await ended.waitFor();
    // The last picture stands, and nothing more is asked for.
    const last = frameAt(START_MS + 4_000 - FRAME_MS);
    await waitFor(
      'the last picture',
      () => readFrameNumber(page),
      (frame) => frame === last,
    );
    expect(scene.upgrades().length).toBe(1);
    await drag(page, 0.4, 0.5);
    await ended.waitFor({ state: 'detached' });
    await shows(page, 'the second half again', (atMs) => atMs >= START_MS + 1_900 && atMs < START_MS + 3_900);
    await ended.waitFor();
    expect(plays().length).toBe(2);
    await page.keyboard.press('Space');
    await shows(page, 'the beginning again', (atMs) => atMs < START_MS + 1_900);
    expect(plays().length).toBe(3);
  });

  it('say why the device does not play any further, in the language of the page, and why not again', async () => {
    const terminal = await startTerminal({ ...VEHICLE, quirks: { card: { breaksOffAfterMs: 1_500 } } });
    const page = await newPage({ allowed: AWAY });
    await open(page);
    await controls(page).waitFor();
    for (const locale of ['jp', 'en'] as const) {
      await switchLanguage(page, locale);
      await page.getByText(readTranslation(locale, 'Errors')['playback-broken-off'] ?? '?').waitFor();
    }
    scene.tap.when(
      { path: PLAY },
      { kind: 'answer', status: 409, body: { error: true, code: 'busy', message: 'busy' } },
      1,
    );
    await drag(page, 0.2, 0.3);
    await page.getByText(readTranslation('en', 'Errors').busy ?? '?').waitFor();
    expect(terminal.playbacks).toEqual([]);
    await drag(page, 0.4, 0.5);
    await shows(page, 'it plays', (atMs) => atMs >= START_MS + 59_000);
    await page.locator('.remote-notice').waitFor({ state: 'detached' });
  });
});
