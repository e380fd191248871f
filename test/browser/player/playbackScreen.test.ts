// The playback screen in a page that is not the playback page: beside other things, in a box, one recording after another.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { FakePlayback } from '../../support/fakes/fakePlayback.ts';
import type { FakeGateway } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';
import { builtHarness } from './buildHarness.ts';
import { newPage, setScene, startGateway } from './scene.ts';

const scene = setScene();
const folder = builtHarness('screenHarness');
let gateway: FakeGateway;
let playback: FakePlayback;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway({ webRoot: folder() });
  playback = new FakePlayback(gateway, { pictures: scene.clip().frames });
  onTestFinished(() => playback.close());
  page = await newPage(scene.browser(), { timezoneId: 'UTC', viewport: { width: 1280, height: 760 } });
  await page.goto(`${gateway.origin}/index.html`);
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const aPicture = (tile = 0) =>
  waitFor(
    'a picture',
    () => readFrameNumber(page, { tile }),
    (frame) => frame !== undefined,
  );
/** Shown with its controls. */
async function open(name: string): Promise<void> {
  await press(name);
  await page.getByRole('slider').waitFor();
  await aPicture();
}
const said = () => playback.messages.map(({ type }) => type);

describe('the playback screen in another page', () => {
  it.each([
    ['one channel', 'Event 1', 1],
    ['two', 'Event 2', 2],
  ])('stays in its container, tiles and controls alike, with %s', async (_, name, channels) => {
    await open(name);
    await aPicture(channels - 1);
    const outside = await page.locator('#place').evaluate((place) => {
      const box = place.getBoundingClientRect();
      const isOutside = (element: Element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect();
        return width > 0 && (left < box.left || top < box.top || right > box.right || bottom > box.bottom);
      };
      const parts = place.querySelectorAll(
        'canvas, .video-tile, .playback-controls, button, select, input, [role=slider]',
      );
      return { parts: parts.length, outside: [...parts].filter(isOutside).map((part) => part.outerHTML) };
    });
    expect(outside.parts).toBeGreaterThan(10);
    expect(outside.outside).toEqual([]);
    const screen = await page.locator('#place > *').boundingBox();
    expect(screen).toMatchObject({ width: 400, height: 300 });
    await page.getByRole('button', { name: 'Full screen' }).last().click();
    const shown = () => page.evaluate(() => document.fullscreenElement?.querySelectorAll('canvas').length ?? 0);
    await waitFor('full screen', async () => (await shown()) === channels);
    expect(await page.evaluate(() => document.fullscreenElement?.contains(document.querySelector('h1')))).toBe(false);
  });

  it('leaves keys to the page until the focus is within', async () => {
    await open('Event 1');
    await page.getByRole('heading', { name: 'Events' }).click();
    await page.keyboard.press('End');
    await waitFor('the page has scrolled', () => page.evaluate(() => window.scrollY > 0));
    await page.keyboard.press('Home');
    await page.keyboard.press('k');
    expect(said()).toEqual([]);
    await page.locator('.playback-stage').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('k');
    await waitFor('the pause', () => said().includes('pause'));
  });

  it('plays one recording after another, and gives back what the last one held', async () => {
    for (const [name, streams] of [
      ['Event 1', 1],
      ['Event 2', 2],
      ['Event 1', 1],
    ] as const) {
      await open(name);
      await waitFor('its streams alone', () => gateway.openCount === streams);
      await waitFor('its workers alone', () => page.workers().length === 2);
      const start = Number(gateway.viewers.at(-1)?.query.get('spbtime')) * 1_000;
      expect(new Date(start).toISOString().slice(11, 19)).toBe(name === 'Event 1' ? '14:03:05' : '18:00:00');
      await press('Close');
      await waitFor('no stream', () => gateway.openCount === 0);
      await waitFor('no workers', () => page.workers().length === 0);
      await expect.poll(() => page.locator('canvas, .playback-controls').count()).toBe(0);
      playback.restart();
    }
  });
});
