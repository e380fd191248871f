// How the live page lays its tiles out, alone and in frames of other sites.
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPage, setScene, startGateway } from '../../browser/player/scene.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import type { FakeGateway, FakeGatewayOptions } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();

async function playingGateway(options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const started = await startGateway(options);
  started.onViewer = (viewer) => viewer.play(scene.clip().frames);
  return started;
}

const device = (channels: number) => ({ device: { chn: channels, installchs: '', livechs: '' } });

interface TileBox {
  readonly label: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const tileBoxes = (page: Page): Promise<TileBox[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('canvas')].map((canvas) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return { label: canvas.closest('section')?.textContent ?? '', left, top, width, height };
    }),
  );

/** Shows so many channels of a device, laid out as the server wants; what the page had before goes. */
async function showChannels(page: Page, gateway: FakeGateway, channels: number, layout = ''): Promise<TileBox[]> {
  const answers = {
    '**/api/device/device?*': device(channels).device,
    '**/api/system/server': { simpleLive: { layout } },
  };
  for (const [address, data] of Object.entries(answers)) {
    await page.unroute(address);
    await page.route(address, (route) => route.fulfill({ json: { error: false, data } }));
  }
  await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
  return waitFor(
    'all tiles',
    () => tileBoxes(page),
    (boxes) => boxes.length === Math.min(channels, 8),
  );
}

const columnsOf = (boxes: readonly TileBox[]) => new Set(boxes.map((box) => Math.round(box.left))).size;

describe('the layout', () => {
  // Every count: test/unit/shared/player/page/layout.test.ts.
  it('S-2.5.7, S-2.5.9, S-2.5.10, S-2.5.12, S-2.5.13, S-2.5.14: one channel is one wide centred tile, more stand in rows', async () => {
    const gateway = await startGateway();
    const page = await newPage(scene.browser(), { viewport: { width: 1600, height: 900 } });
    const [box] = await showChannels(page, gateway, 1);
    expect(Math.abs((box?.left ?? 0) + (box?.width ?? 0) / 2 - 800)).toBeLessThanOrEqual(4);
    expect(box?.width).toBeGreaterThan(800);
    for (const [channels, columns, layout] of [
      [2, 2, ''],
      [5, 3, ''],
      [8, 3, '3x3'],
      [16, 4, ''],
    ] as const) {
      const boxes = await showChannels(page, gateway, channels, layout);
      expect(boxes.map(({ label }) => /ch \d+/.exec(label)?.[0])).toEqual(boxes.map((_, index) => `ch ${index + 1}`));
      expect(columnsOf(boxes), `${channels} channels`).toBe(columns);
      // Row by row: those of a row share its upper edge, and each row stands below the one before.
      const tops = boxes.map(({ top }) => Math.round(top));
      expect(tops.every((top, index) => index % columns === 0 || top === tops[index - 1])).toBe(true);
      expect(new Set(tops).size).toBe(Math.ceil(boxes.length / columns));
      expect(tops).toEqual([...tops].sort((left, right) => left - right));
      for (const { width } of boxes) expect(Math.abs(width - 1600 / columns)).toBeLessThan((1600 / columns) * 0.05);
      expect(await page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true);
    }
    // The same columns on a narrow screen.
    await page.setViewportSize({ width: 360, height: 640 });
    const narrow = await waitFor(
      'narrow tiles',
      () => tileBoxes(page),
      (boxes) => boxes.every(({ left, width }) => left + width <= 361),
    );
    expect(columnsOf(narrow)).toBe(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  it('S-2.5.15: one channel fills a frame of another site without scroll bars; two do not', async () => {
    const gateway = await startGateway(device(2));
    const frames = [
      { id: 'wide', size: 'width=640 height=360', mask: 1 },
      { id: 'tall', size: 'width=300 height=400', mask: 1 },
      { id: 'two', size: 'width=640 height=360', mask: 3 },
    ];
    const body = frames.map(
      ({ id, size, mask }) =>
        `<iframe name=${id} ${size} style="border:0" allow=fullscreen src="${gateway.origin}/live/DEV1@${mask}/ann/secret1"></iframe>`,
    );
    const page = await newPage(scene.browser());
    await page.goto(await startHostPage(body.join('')));
    const measure = async (name: string) => {
      const frame = page.frame({ name });
      if (frame === null) throw new Error(`no frame ${name}`);
      await frame.locator('canvas').first().waitFor();
      return measured(frame);
    };
    const measured = (frame: Frame | Page) =>
      frame.evaluate(() => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
        const { width, height } = document.querySelector('canvas')?.getBoundingClientRect() ?? { width: 0, height: 0 };
        return { width, height, scrolls: scrollWidth > clientWidth || scrollHeight > clientHeight };
      });
    expect(await measure('wide')).toEqual({ width: 640, height: 360, scrolls: false });
    expect(await measure('tall')).toEqual({ width: 300, height: 400, scrolls: false });
    expect((await measure('two')).width).toBeLessThan(330);
    const alone = await newPage(scene.browser(), { viewport: { width: 300, height: 400 } });
    await alone.goto(`${gateway.origin}/live/DEV1@1/ann/secret1`);
    await alone.locator('canvas').waitFor();
    const { width, height } = await measured(alone);
    expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.02);
  });
});

describe('full screen', () => {
  // A double click of which one half meets the spinner and the other the picture is none.
  const BESIDE_SPINNER = { x: 100, y: 100 } as const;
  const hasPicture = async (page: Page | Frame, tile: number) => (await readFrameNumber(page, { tile })) !== undefined;

  it('S-2.8.1: shows one video on the whole screen by a double click, and goes back by another', async () => {
    const gateway = await playingGateway(device(2));
    const page = await newPage(scene.browser(), { viewport: { width: 1600, height: 900 } });
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    const onScreen = () =>
      page.evaluate(() => [...(document.fullscreenElement?.querySelectorAll('canvas') ?? [])].length);
    await waitFor('a picture', () => hasPicture(page, 1));
    await page.locator('canvas').nth(1).dblclick({ force: true, position: BESIDE_SPINNER });
    await waitFor('full screen', onScreen, (canvases) => canvases === 1);
    expect(await page.evaluate(() => document.fullscreenElement?.textContent)).toContain('ch 2');
    await page.locator('canvas').nth(1).dblclick({ force: true, position: BESIDE_SPINNER });
    await waitFor('the page again', () => page.evaluate(() => document.fullscreenElement === null));
  });

  it('S-2.8.1: works in a frame of another site that allows it', async () => {
    const gateway = await playingGateway(device(1));
    const page = await newPage(scene.browser());
    const address = `${gateway.origin}/live/DEV1@1/ann/secret1`;
    await page.goto(await startHostPage(`<iframe name=video width=640 height=360 allow=fullscreen src="${address}">`));
    const frame = page.frame({ name: 'video' });
    if (frame === null) throw new Error('no frame');
    await waitFor('a picture', () => hasPicture(frame, 0));
    await page.mouse.dblclick(BESIDE_SPINNER.x, BESIDE_SPINNER.y);
    await waitFor('full screen', () =>
      frame.evaluate(() => document.fullscreenElement?.querySelectorAll('canvas').length === 1),
    );
    await page.mouse.dblclick(BESIDE_SPINNER.x, BESIDE_SPINNER.y);
    await waitFor('the frame again', () => frame.evaluate(() => document.fullscreenElement === null));
  });
});
