// The tools on the tiles of a live page, in the built page.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { newPage, type PageOptions, setScene, startGateway } from '../../browser/player/scene.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import { axeFaults } from '../../support/browser/looks.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { eventPacket, type FakeGateway, type FakeViewer } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
let gateway: FakeGateway;

beforeEach(async () => {
  gateway = await startGateway({ device: { chn: 4, installchs: '', livechs: '' } });
  gateway.onViewer = (viewer) => viewer.play(scene.clip().frames, { burst: 5 });
});

const tileOf = (page: Page, channel: number): Locator =>
  page.getByRole('region', { name: `ch ${channel}`, exact: true });
const toolsOf = (page: Page, channel: number) => tileOf(page, channel).getByRole('toolbar', { includeHidden: true });

async function open(mask: number, options: PageOptions = {}, query = ''): Promise<Page> {
  const page = await newPage(scene.browser(), options);
  await page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1${query}`);
  if (!query.includes('controls=0')) await page.locator('.tile-toolbar').first().waitFor({ state: 'attached' });
  // The tools come with the first picture of any channel.
  const channels = [...mask.toString(2)].filter((bit) => bit === '1').length;
  await waitFor('every stream', () => gateway.openCount === channels);
  return page;
}

const streamsOf = (channel: number): FakeViewer[] => gateway.viewers.filter((viewer) => viewer.channel === channel);

/** Messages of a page on a stream, as they come. */
function messagesOf(viewer: FakeViewer | undefined): string[] {
  const messages: string[] = [];
  viewer?.socket.on('message', (data) => messages.push(String(data)));
  return messages;
}

describe('the tools of a tile', () => {
  it('come with the mouse, and arrow keys go along them; statistics say what is shown, the quality changes with the first picture of the other, and a zoomed picture follows the hand', async () => {
    const page = await open(1);
    await expectRow(page);
    await expectStatistics(page);
    await expectQuality(page);
    await expectDrag(page);
  });

  /** The row of tools hides by itself, and is one stop of the Tab key. */
  async function expectRow(page: Page): Promise<void> {
    const shown = () => toolsOf(page, 1).getAttribute('data-shown');
    // The tools are shown once by themselves.
    await waitFor('no tools', shown, (value) => value === 'false');
    await page.mouse.move(300, 300);
    await waitFor('tools', shown, (value) => value === 'true');
    await waitFor('no tools', shown, (value) => value === 'false');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('ch 1');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Sound');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Take snapshot');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('More');
    await expect.poll(() => toolsOf(page, 1).getAttribute('data-shown')).toBe('true');
  }

  async function expectStatistics(page: Page): Promise<void> {
    await focusOn(tileOf(page, 1));
    await page.keyboard.press('i');
    const figure = (name: string) =>
      page
        .locator('.tile-statistics > div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .textContent();
    await waitFor(
      '25 pictures a second',
      () => figure('Frame rate'),
      (text) => Math.abs(Number(text) - 25) <= 3,
      8_000,
    );
    expect(await figure('Codec')).toBe('H.264');
    expect(await figure('Decode time')).toMatch(/^\d+ ms$/);
    expect(await figure('Resolution')).toBe('640 × 360');
    expect(await figure('Bit rate')).toMatch(/^(\d+ kbit|\d\.\d\d Mbit)\/s$/);
    expect(await figure('Latency')).toMatch(/^\d+ ms$/);
    streamsOf(1)[0]?.cut();
    await waitFor(
      'a reconnect',
      () => figure('Reconnections'),
      (text) => text === '1',
    );
    await page.keyboard.press('i');
    await expect.poll(() => page.locator('.tile-statistics').count()).toBe(0);
  }

  const choose = async (page: Page, name: string) => {
    await tileOf(page, 1).hover();
    await toolsOf(page, 1).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };

  /** The quality stays when the device refuses the other; otherwise it changes when the new stream has a picture, and not before. */
  async function expectQuality(page: Page): Promise<void> {
    const moves = async () => {
      const before = await readFrameNumber(page);
      await waitFor(
        'another picture',
        () => readFrameNumber(page),
        (frame) => frame !== undefined && frame !== before,
      );
    };
    const isAlone = () => waitFor('one stream', () => gateway.openCount === 1);
    gateway.onViewer = (viewer) => viewer.send(eventPacket({ type: 'error', code: 'no-such-stream', message: 'none' }));
    await choose(page, 'Low quality');
    await page.getByText("This quality isn't available.").waitFor();
    await isAlone();
    await moves();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);

    const held: FakeViewer[] = [];
    gateway.onViewer = (viewer) => held.push(viewer);
    await choose(page, 'Low quality');
    await waitFor('the other stream', () => held.length === 1);
    const [sub] = held;
    expect(sub?.query.get('quality')).toBe('sub');
    await moves();
    expect(gateway.openCount).toBe(2);
    sub?.play(scene.clip().frames, { burst: 5 });
    await isAlone();
    expect(sub?.isOpen).toBe(true);
    await waitFor('one canvas', async () => (await page.locator('canvas').count()) === 1);
    expect(await readFrameNumber(page)).toBeDefined();
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
  }

  /** A drag is not a click. */
  async function expectDrag(page: Page): Promise<void> {
    await page.setViewportSize({ width: 640, height: 360 });
    await waitFor(
      'a tile of the picture’s size',
      async () => (await tileOf(page, 1).boundingBox())?.width,
      (width) => width === 640,
    );
    await focusOn(tileOf(page, 1));
    for (let press = 0; press < 2; press++) await page.keyboard.press('+');
    await page.mouse.move(320, 180);
    await page.mouse.down();
    await page.mouse.move(630, 350, { steps: 5 });
    await page.mouse.up();
    // The picture is pushed as far as it goes, so that the strip's corner is in sight.
    const width = 640 / 1.25 ** 2;
    await waitFor(
      'the corner',
      () => readFrameNumber(page, { pictureWidth: width }),
      (frame) => frame !== undefined,
    );
    expect(await page.evaluate(() => document.fullscreenElement)).toBeNull();
  }

  it('are as large as a finger where fingers point, a tap calls them, and two fingers stretch the picture', async () => {
    const page = await open(1, { hasTouch: true, isMobile: true, viewport: { width: 700, height: 400 } });
    await page.touchscreen.tap(200, 150);
    await waitFor(
      'tools',
      () => toolsOf(page, 1).getAttribute('data-shown'),
      (value) => value === 'true',
    );
    for (const button of await toolsOf(page, 1).getByRole('button').all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spread: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [320 - spread, 320 + spread].map((x, id) => ({ x, y: 180, id })),
      });
    await touch('touchStart', 40);
    for (const spread of [50, 60, 70, 80]) await touch('touchMove', spread);
    await touch('touchEnd', 80);
    const mark = tileOf(page, 1).getByRole('button', { name: 'Reset zoom' });
    await waitFor(
      'twice as large',
      () => mark.textContent(),
      (text) => /^(1\.9|2\.0|2\.1)×/.test(text ?? ''),
    );
  });

  it('open a channel large by a tap where a tile has no room for them', async () => {
    const page = await open(15, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const box = await tileOf(page, 2).boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 50, (box?.y ?? 0) + 40);
    await waitFor(
      'a wide tile',
      async () => (await tileOf(page, 2).boundingBox())?.width,
      (width) => width === 390,
    );
    await expect.poll(() => tileOf(page, 1).count()).toBe(0);
  });

  it('leave a page alone that was opened without them', async () => {
    const page = await open(1, {}, '?controls=0');
    await waitFor(
      'a picture',
      () => readFrameNumber(page),
      (frame) => frame !== undefined,
    );
    await page.mouse.move(300, 300);
    await page.keyboard.press('e');
    await expect.poll(() => page.locator('.tile-tools').count()).toBe(0);
    expect(gateway.requests.some((path) => path.includes('TileTools'))).toBe(false);
  });

  it('S-8.14: cost no picture when they do not load, and the page names what is missing', async () => {
    const page = await newPage(scene.browser(), { allowed: [{ url: /TileTools/, status: 'failed' }] });
    await page.route('**/TileTools-*.js', (route) => route.abort());
    await page.goto(`${gateway.origin}/live/DEV1@3/ann/secret1`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toMatch(/TileTools-[\w-]+\.js/);
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    const before = await waitFor(
      'a picture',
      () => readFrameNumber(page),
      (frame) => frame !== undefined,
    );
    await waitFor(
      'another picture',
      () => readFrameNumber(page),
      (frame) => frame !== undefined && frame !== before,
    );
    expect(gateway.openCount).toBe(2);
  });
});

describe('the tools of one of four channels', () => {
  it('enlarge it while the others rest, zoom into the whole picture, save a snapshot, ask for its sound when it is wanted, and have nothing that axe objects to', async () => {
    const page = await open(15, { timezoneId: 'Asia/Taipei' });
    await expectEnlarged(page);
    await expectWheel(page);
    await expectSnapshot(page);
    await expectSound(page);
    await expectNoFaults(page);
  });

  /** The other channels rest while one tile is enlarged, and Escape brings them back. */
  async function expectEnlarged(page: Page): Promise<void> {
    const others = [1, 3, 4].map((channel) => messagesOf(streamsOf(channel)[0]));
    const own = messagesOf(streamsOf(2)[0]);
    await focusOn(tileOf(page, 2));
    await page.keyboard.press('e');
    await waitFor(
      'a wide tile',
      async () => (await tileOf(page, 2).boundingBox())?.width,
      (width) => width === 1280,
    );
    await waitFor(
      'rest',
      () => others.map((messages) => messages.join()),
      (said) => said.every((text) => text === '{"type":"video","on":false}'),
    );
    expect(own).toEqual([]);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('Escape');
    await waitFor(
      'four tiles',
      () => page.locator('canvas:visible').count(),
      (count) => count === 4,
    );
    await waitFor(
      'all again',
      () => others.map((messages) => messages.at(-1)),
      (said) => said.every((text) => text === '{"type":"video","on":true}'),
    );
    expect(gateway.viewers).toHaveLength(4);
  }

  const canvasSize = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas');
      return [canvas?.width ?? 0, canvas?.height ?? 0];
    });

  /** The wheel enlarges the part under the pointer; 0 shows all of it again. */
  async function expectWheel(page: Page): Promise<void> {
    await page.setViewportSize({ width: 600, height: 400 });
    await waitFor(
      'narrow tiles',
      async () => (await tileOf(page, 1).boundingBox())?.width ?? 0,
      (width) => width < 310,
    );
    const box = await tileOf(page, 1).boundingBox();
    // The first pictures may be painted before the tiles have their last size.
    const whole = await waitFor(
      'the size of the tile',
      () => canvasSize(page),
      ([width]) => width === Math.round(box?.width ?? 0),
    );
    expect(whole[0]).toBeLessThan(310);
    // The pointer is at the top left corner, where the frame number stands.
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 2);
    const before = await waitFor(
      'a frame number',
      () => readFrameNumber(page),
      (frame) => frame !== undefined,
    );
    expect(before).toBeDefined();
    await page.mouse.wheel(0, -203);
    const mark = tileOf(page, 1).getByRole('button', { name: 'Reset zoom' });
    await waitFor(
      'half as large again',
      () => mark.textContent(),
      (text) => text?.startsWith('1.5×') === true,
    );
    // The strip's blocks are wider now: read as of a narrower picture, the number is whole and goes on.
    const enlarged = () => readFrameNumber(page, { pictureWidth: 640 / 1.5 });
    const first = await waitFor('the number, enlarged', enlarged, (frame) => frame !== undefined);
    await waitFor('the next one', enlarged, (frame) => frame !== undefined && frame !== first);
    // The canvas has as many pixels as before for a smaller part: it is drawn from the whole picture, not from what was seen of it.
    expect((await canvasSize(page))[0]).toBe(whole[0]);
    await focusOn(tileOf(page, 1));
    await page.keyboard.press('0');
    await mark.waitFor({ state: 'detached' });
    await waitFor(
      'the whole strip',
      () => readFrameNumber(page),
      (frame) => frame !== undefined,
    );
  }

  /** The file is named by device, channel and the time in the picture. */
  async function expectSnapshot(page: Page): Promise<void> {
    await waitFor('a picture', async () => (await readFrameNumber(page, { tile: 1 })) !== undefined);
    await focusOn(tileOf(page, 2));
    const waiting = page.waitForEvent('download');
    const requestedAtMs = Date.now();
    await page.keyboard.press('s');
    const download = await waiting;
    const [, day, time] =
      /^DEV1_ch2_(\d{4}-\d{2}-\d{2})_(\d{2}-\d{2}-\d{2})\.png$/.exec(download.suggestedFilename()) ?? [];
    const namedMs = Date.parse(`${day}T${time?.replaceAll('-', ':')}+08:00`);
    expect(Math.abs(namedMs - requestedAtMs)).toBeLessThan(3_000);
    const image = PNG.sync.read(await readFile(await download.path()));
    expect([image.width, image.height]).toEqual([640, 360]);
    expect(new Set(image.data).size).toBeGreaterThan(50);
    await tileOf(page, 2).getByText(`Snapshot saved as ${download.suggestedFilename()}.`).waitFor();
  }

  /** The tile's pictures go on while its sound is turned on. */
  async function expectSound(page: Page): Promise<void> {
    await page.setViewportSize({ width: 1280, height: 720 });
    await focusOn(tileOf(page, 2));
    await page.keyboard.press('m');
    const [, withSound] = await waitFor(
      'a stream with sound',
      () => streamsOf(2),
      (streams) => streams.length === 2,
    );
    expect(withSound?.query.get('audio')).toBe('1');
    await waitFor(
      'one stream',
      () => streamsOf(2).filter((stream) => stream.isOpen).length,
      (count) => count === 1,
    );
    expect(withSound?.isOpen).toBe(true);
    await expect
      .poll(() => toolsOf(page, 2).getByRole('button', { name: 'Sound' }).getAttribute('aria-pressed'))
      .toBe('true');
  }

  async function expectNoFaults(page: Page): Promise<void> {
    await focusOn(tileOf(page, 1));
    await page.keyboard.press('i');
    await page.keyboard.press('+');
    await toolsOf(page, 1).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'High quality' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page), colorScheme).toEqual([]);
    }
  }
});
