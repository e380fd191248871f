// What the playback page does when its stream falls silent, brings nonsense or parts of the page do not come: as live view, but
// for what a viewer has asked for, which is kept.
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPage, type PageOptions, setScene, shownPictures, startGateway } from '../../browser/player/scene.ts';
import { endPictures, holdClock, REPORT_AGE_MS, runUntil } from '../../support/browser/pageClock.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { FakePlayback } from '../../support/fakes/fakePlayback.ts';
import type { FakeGateway } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
const START_MS = Date.UTC(2026, 10, 20, 14, 3, 5);
const LATER_MS = Date.UTC(2026, 10, 20, 15);

interface Opened {
  readonly gateway: FakeGateway;
  readonly page: Page;
  readonly playback: FakePlayback;
}

function feed(gateway: FakeGateway): FakePlayback {
  const playback = new FakePlayback(gateway, { pictures: scene.clip().frames });
  onTestFinished(() => playback.close());
  return playback;
}

async function open(
  options: PageOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Opened> {
  const gateway = await startGateway({ device: { chn: 1, installchs: '1', livechs: '1' } });
  const playback = feed(gateway);
  const page = await newPage(scene.browser(), { timezoneId: 'UTC', ...options });
  await prepare(page);
  await page.goto(`${gateway.origin}/playback/DEV1@1/17/${START_MS / 1_000}/ann/secret1?trace=1`);
  return { gateway, page, playback };
}

const newest = async (page: Page) => (await shownPictures(page)).at(-1);
const positionMs = async (page: Page) => ((await newest(page))?.mediaTimeUs ?? 0) / 1_000;
const spinners = (page: Page) => page.getByRole('progressbar').count();

/** From here on the page keeps whether a spinner was ever there. */
const watchSpinner = (page: Page) =>
  page.evaluate(() => {
    const look = () => {
      if (document.querySelector('[role=progressbar]') !== null) Object.assign(globalThis, { hadSpinner: true });
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });

describe('a recording whose stream falls silent', () => {
  it('S-4.11, S-4.12, S-9.5, S-9.6: has a spinner after five seconds, is opened anew after ten, and goes on where it was; one that is paused has neither', async () => {
    const withClock = (page: Page) => page.clock.install();
    const [silent, paused] = await Promise.all([open({}, withClock), open({}, withClock)]);
    await Promise.all([silent, paused].map(({ page }) => page.getByRole('slider').waitFor()));
    await paused.page.keyboard.press(' ');
    await paused.page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await watchSpinner(paused.page);
    await silent.page.getByRole('textbox', { name: 'Date and time' }).fill('2026-11-20 15:00:00');
    await silent.page.keyboard.press('Enter');
    const seen = async () => ({
      positionMs: await positionMs(silent.page),
      messages: silent.playback.messages,
      field: await silent.page.getByRole('textbox', { name: 'Date and time' }).inputValue(),
    });
    await waitFor('pictures of then', seen, ({ positionMs: shownMs }) => shownMs > LATER_MS);
    const run = await holdClock(silent.page);
    await endPictures(silent.page, () => silent.playback.close());
    paused.playback.close();
    await run(5_000 - REPORT_AGE_MS);
    expect(await spinners(silent.page)).toBe(0);
    expect(await runUntil(run, async () => (await spinners(silent.page)) > 0)).toBeLessThanOrEqual(5_600);
    expect(silent.gateway.viewers).toHaveLength(1);
    const next = feed(silent.gateway);
    const openedMs = await runUntil(run, () => silent.gateway.viewers.length === 2);
    expect(openedMs).toBeGreaterThanOrEqual(10_000 - REPORT_AGE_MS);
    const { query } = silent.gateway.viewers[1] ?? { query: new URLSearchParams() };
    expect(query.get('streamid')).toBe('17');
    await silent.page.clock.resume();
    // This server has forgotten the session: the page takes it to where the viewer was, not to where the address begins.
    const stoodMs = await positionMs(silent.page);
    await waitFor('it goes on', async () => (await positionMs(silent.page)) > stoodMs + 500);
    expect(next.messages.some(({ type }) => type === 'seek')).toBe(true);
    await waitFor('no spinner', async () => (await spinners(silent.page)) === 0);
    await paused.page.clock.runFor(20_000);
    expect(paused.gateway.viewers).toHaveLength(1);
    expect(await paused.page.evaluate(() => 'hadSpinner' in globalThis)).toBe(false);
  });
});

describe('a recording that cannot be decoded', () => {
  it('S-4.13, S-8.13: has a new canvas in the same page and the same stream, and goes on', async () => {
    const { page, playback, gateway } = await open();
    await waitFor('a picture', async () => (await readFrameNumber(page)) !== undefined);
    const timeOrigin = await page.evaluate(() => performance.timeOrigin);
    await page.evaluate(() => Object.assign(document.querySelector('canvas') ?? {}, { isOld: true }));
    playback.spoilNextKeyFrame();
    const isOld = () => page.evaluate(() => 'isOld' in (document.querySelector('canvas') ?? { isOld: true }));
    await waitFor('a new canvas', async () => !(await isOld()));
    const before = await positionMs(page);
    await waitFor('pictures', async () => (await positionMs(page)) > before + 1_000);
    await waitFor('one canvas', async () => (await page.locator('canvas').count()) === 1);
    expect(await readFrameNumber(page)).toBeDefined();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(timeOrigin);
    expect(gateway.viewers).toHaveLength(1);
  });
});

describe('what does not come', () => {
  it('S-8.14: costs no picture where it is the controls, and the page names what is missing', async () => {
    const chunk = '**/PlaybackControls-*.js';
    const { page } = await open({ allowed: [{ url: /PlaybackControls/, status: 'failed' }] }, (opening) =>
      opening.route(chunk, (route) => route.abort()),
    );
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/PlaybackControls-[\w-]+\.js/);
    const before = await positionMs(page);
    await waitFor('pictures', async () => (await positionMs(page)) > before + 500);
    await expect.poll(() => page.getByRole('slider').count()).toBe(0);
  });

  it('S-8.9: is told with the browser’s own words where it is the device’s data', async () => {
    const { page, gateway } = await open({ allowed: [{ url: /device\/device/, status: 'failed' }] }, (opening) =>
      opening.route(/device\/device/, (route) => route.abort()),
    );
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Failed to fetch');
    expect(await page.title()).toBe('error');
    expect(gateway.viewers).toEqual([]);
  });
});
