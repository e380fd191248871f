// What the address of local playback says and what the page asks for because of it, row by row of the specification.
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newPage, type PageOptions, setScene, startGateway } from '../../browser/player/scene.ts';
import { hostMessages, startHostPage } from '../../support/browser/hostPage.ts';
import { axeFaults } from '../../support/browser/looks.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { FakePlayback } from '../../support/fakes/fakePlayback.ts';
import type { FakeGateway, FakeGatewayOptions } from '../../support/fakes/fakeStream.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
const MOMENT = '2026-11-20T14:03:05Z';
const SECONDS = Date.UTC(2026, 10, 20, 14, 3, 5) / 1_000;
let gateway: FakeGateway;

interface Opening extends FakeGatewayOptions {
  readonly page?: PageOptions;
  readonly query?: string;
}

async function serve(options: FakeGatewayOptions = {}): Promise<void> {
  gateway = await startGateway({ device: { chn: 4, installchs: '1111', livechs: '1111' }, ...options });
  const playback = new FakePlayback(gateway, { pictures: scene.clip().frames });
  onTestFinished(() => playback.close());
}

async function open(path: string, { page: options, query = '', ...rest }: Opening = {}): Promise<Page> {
  await serve(rest);
  const page = await newPage(scene.browser(), {
    viewport: { width: 1600, height: 900 },
    timezoneId: 'UTC',
    ...options,
  });
  await page.goto(`${gateway.origin}/playback/${path}${query}`, { waitUntil: 'commit' });
  return page;
}

const streams = (count: number) => waitFor(`${count} streams`, () => gateway.viewers.length === count);
const requests = (name: string) => gateway.viewers.map(({ query }) => query.get(name));
const aPicture = (page: Page) => waitFor('a picture', async () => (await readFrameNumber(page)) !== undefined);

interface TileBox {
  readonly left: number;
  readonly width: number;
}

const tileBoxes = (page: Page): Promise<TileBox[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('canvas')].map((canvas) => {
      const { left, width } = canvas.getBoundingClientRect();
      return { left, width };
    }),
  );

describe('the address', () => {
  it('S-2.6.1, S-7.6, S-7.9, S-7.16: its parts are decoded, and encoded anew for lookup and streams', async () => {
    await open(`DEV%201@3/17/2026-11-20%2014%3A03%3A05Z/%C3%BC%20%2B%3A/s3cret`);
    await streams(2);
    const lookup = gateway.requests.find((request) => request.startsWith('/api/device/device')) ?? '';
    expect(Object.fromEntries(new URLSearchParams(lookup.split('?')[1]))).toEqual({
      username: 'ü +:',
      credential: 's3cret',
      deviceid: 'DEV 1',
    });
    const second = gateway.viewers.find((viewer) => viewer.channel === 2);
    expect(Object.fromEntries(second?.query ?? [])).toEqual({
      username: 'ü +:',
      credential: 's3cret',
      deviceid: 'DEV 1',
      channel: '2',
      audio: '0',
      streamid: '17',
      spbtime: String(SECONDS),
    });
    const paths = gateway.requests.filter((request) => request.startsWith('/stream/'));
    expect(new Set(paths.map((path) => path.split('?')[0]))).toEqual(new Set(['/stream/playback/local/video.fuho']));
  });

  it('S-2.6.2, S-9.4: stream id 0 is a number at random, one for the page; another is taken as it is', {
    timeout: 120_000,
  }, async () => {
    const LOADS = IS_LONG ? 50 : 2;
    const page = await open(`DEV1@3/0/${MOMENT}/ann/secret1`);
    const ids: number[] = [];
    for (let load = 0; load < LOADS; load++) {
      if (load > 0) await page.reload({ waitUntil: 'commit' });
      await streams(2 * (load + 1));
      const [first, second] = requests('streamid').slice(-2);
      expect(second).toBe(first);
      ids.push(Number(first));
    }
    expect(ids.every((id) => Number.isInteger(id) && id >= 1 && id < 100_000_000)).toBe(true);
    expect(new Set(ids).size).toBeGreaterThanOrEqual(0.9 * LOADS);
    await page.goto(`${gateway.origin}/playback/DEV1@1/4711/${MOMENT}/ann/secret1`);
    await streams(2 * LOADS + 1);
    expect(requests('streamid').at(-1)).toBe('4711');
  });

  // What else may be a moment, or a channel: test/unit/shared/protocol/playbackPath.test.ts and test/unit/pages/playback/playbackView.test.ts.
  it('S-2.6.3, S-2.6.6, S-2.5.18: a moment without a zone is one of the browser, in seconds, and the title is the same in every language; S-2.6.4, S-2.5.9: one channel is one wide centred tile above the controls', async () => {
    const page = await open(`DEV1@1/0/${encodeURIComponent('2026-11-20 22:03:05')}/ann/secret1`, {
      page: { timezoneId: 'Asia/Taipei' },
    });
    await streams(1);
    expect(requests('spbtime')).toEqual([String(SECONDS)]);
    expect(await page.title()).toBe('DEV1 Playback');
    await page.getByRole('slider').waitFor();
    const [box] = await tileBoxes(page);
    expect(Math.abs((box?.left ?? 0) + (box?.width ?? 0) / 2 - 800)).toBeLessThanOrEqual(4);
    expect(box?.width).toBeGreaterThan(800);
    await switchLanguage(page, 'jp');
    expect(await page.title()).toBe('DEV1 Playback');
  });

  it('S-5.4, S-5.5: shows nothing for a start that is no date, and for a mask above the channels', async () => {
    await serve();
    const page = await newPage(scene.browser());
    for (const path of ['DEV1/0/notadate/ann/secret1', `DEV1@240/0/${MOMENT}/ann/secret1`]) {
      await page.goto(`${gateway.origin}/playback/${path}`);
      await waitFor('the title', async () => (await page.title()) === 'DEV1 Playback');
      await page.waitForLoadState('networkidle');
      await waitFor('the page to settle', async () => (await page.getByRole('progressbar').count()) === 0);
      await expect.poll(() => page.locator('canvas, [role=alert]').count()).toBe(0);
    }
    expect(gateway.viewers).toHaveLength(0);
  });

  it('S-4.15, S-8.8: loads, then gives the message of a lookup that fails as text in red, the title error, and no stream', async () => {
    gateway = await startGateway();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const page = await newPage(scene.browser(), { allowed: [{ url: /device\/device/, status: 403 }] });
    await page.route(/device\/device/, async (route) => {
      await held;
      await route.fulfill({ status: 403, json: { error: true, message: '<i>E-77</i>' } });
    });
    await page.goto(`${gateway.origin}/playback/DEV1/0/${MOMENT}/ann/secret1`);
    await page.getByRole('progressbar').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    answer();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('<i>E-77</i>');
    const colour = await page.getByRole('alert').evaluate((alert) => getComputedStyle(alert).backgroundColor);
    const [red = 0, ...others] = (colour.match(/\d+/g) ?? []).map(Number);
    expect(red / Math.max(1, ...others.slice(0, 2))).toBeGreaterThan(2);
    expect(await page.title()).toBe('error');
    expect(gateway.viewers).toHaveLength(0);
  });

  it('a server that tells no clock gets no controls, and its pictures are shown as they come', async () => {
    gateway = await startGateway();
    gateway.onViewer = (viewer) => viewer.play(scene.clip().frames);
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/playback/DEV1@1/0/${MOMENT}/ann/secret1?trace=1`);
    await aPicture(page);
    await waitFor('pictures', async () => (await page.evaluate(() => globalThis.__fleetglassTrace?.length ?? 0)) > 30);
    await expect.poll(() => page.getByRole('slider').count()).toBe(0);
  });
});

describe('the layout', () => {
  // Every count: test/unit/shared/player/page/layout.test.ts.
  it('S-2.6.4, S-2.6.5, S-2.5.5, S-2.5.7, S-2.5.13, S-9.1, S-9.2: eight of sixteen channels stand in as many columns as the server wants of recordings', async () => {
    const device = { chn: 16, installchs: '', livechs: '' };
    await serve({ device });
    const page = await newPage(scene.browser(), { viewport: { width: 1600, height: 900 }, timezoneId: 'UTC' });
    for (const [server, columns] of [
      [{ simpleLive: { layout: '3x3' } }, 4],
      [{ simplePlayback: { layout: '3x3' } }, 3],
    ] as const) {
      await page.route('**/api/system/server', (route) => route.fulfill({ json: { error: false, data: server } }));
      await page.goto(`${gateway.origin}/playback/DEV1/0/${MOMENT}/ann/secret1`, { waitUntil: 'commit' });
      await page.getByRole('slider').waitFor();
      const boxes = await tileBoxes(page);
      expect(boxes).toHaveLength(8);
      expect(new Set(boxes.map((box) => Math.round(box.left))).size).toBe(columns);
      for (const box of boxes) expect(Math.abs(box.width - 1600 / columns)).toBeLessThan((1600 / columns) * 0.05);
      const fits = () => document.documentElement.scrollHeight <= window.innerHeight;
      expect(await page.evaluate(fits)).toBe(true);
      await page.unroute('**/api/system/server');
    }
  });

  it('S-2.6.4, S-2.5.6, S-2.5.8, S-2.5.16, S-2.5.17: channels as masked and installed, however their cameras are now', async () => {
    const device = { chn: 4, installchs: '1011', livechs: '0000' };
    const page = await open(`DEV1@13/0/${MOMENT}/ann/secret1`, { device, page: { locale: 'zh-TW' } });
    await streams(3);
    expect(requests('channel').toSorted()).toEqual(['1', '3', '4']);
    expect(gateway.viewers.map(({ query }) => `${query.get('channel')} ${query.get('audio')}`).toSorted()).toEqual([
      '1 1',
      '3 0',
      '4 0',
    ]);
    for (const label of ['ch 1', 'ch 3', 'ch 4']) await page.getByText(label, { exact: true }).waitFor();
  });

  it('S-2.6.4, S-2.5.15, S-4.14: framed, one channel fills its frame, the controls on it or gone; a closing is told', async () => {
    await serve();
    const address = `${gateway.origin}/playback/DEV1@1/9/${MOMENT}/ann/secret1`;
    const frame = (query: string) =>
      `<iframe src="${address}${query}" width="640" height="360" style="border:0"></iframe>`;
    const host = await startHostPage(frame('') + frame('?controls=0'));
    const page = await newPage(scene.browser());
    await page.goto(host);
    for (const [at, sliders] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const inner = page.frameLocator('iframe').nth(at);
      await inner.locator('canvas').waitFor();
      if (sliders > 0) await inner.getByRole('slider').waitFor();
      const size = await inner.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas.getBoundingClientRect();
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { width, height, scrollWidth, scrollHeight };
      });
      expect(size).toEqual({ width: 640, height: 360, scrollWidth: 640, scrollHeight: 360 });
      await expect.poll(() => inner.getByRole('slider').count()).toBe(sliders);
    }
    for (const viewer of gateway.viewers) viewer.cut();
    const told = await waitFor(
      'word of it',
      async () => (await hostMessages(page)).map(({ data }) => JSON.stringify(data)),
      (messages) => messages.some((text) => text.includes('stream-closed')),
    );
    const [notice = '{}'] = told.filter((text) => text.includes('stream-closed'));
    expect(JSON.parse(notice)).toMatchObject({ type: 'fleetglass:stream-closed', deviceid: 'DEV1', channel: 1 });
    expect(told.join()).not.toContain('secret1');
  });

  it('S-2.8.1: a double click shows a tile alone on the screen, and back; axe objects to nothing in any language', async () => {
    const page = await open(`DEV1@3/0/${MOMENT}/ann/secret1`);
    await page.locator('.playback-recorded').first().waitFor();
    await aPicture(page);
    for (const [locale, colorScheme] of [
      ['en', 'light'],
      ['jp', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await switchLanguage(page, locale);
      expect(await axeFaults(page), `${locale}, ${colorScheme}`).toEqual([]);
    }
    const isAlone = () => page.evaluate(() => document.fullscreenElement?.querySelectorAll('canvas').length ?? 0);
    await page.locator('canvas').nth(1).dblclick();
    await waitFor('full screen', async () => (await isAlone()) === 1);
    await page.locator('canvas').nth(1).dblclick();
    await waitFor('the page again', async () => (await isAlone()) === 0);
  });
});
