import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectFrameFills } from '../../support/browser/framedPage.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { answerServer } from '../../support/fakes/fakeUsers.ts';
import { newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const opener = (page: Page) => page.locator('button[aria-expanded]').first();
const panel = (page: Page) => page.getByRole('dialog').or(page.locator('.MuiDrawer-paper'));
const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe('the tiles of a row', () => {
  const rows: readonly (readonly [number, number])[] = [
    [360, 2],
    [575, 2],
    [576, 2],
    [767, 2],
    [768, 3],
    [991, 3],
    [992, 4],
    [1199, 4],
    [1200, 6],
    [1400, 6],
    [2560, 6],
  ];

  test('S-2.2.7, S-9.16 are 2, 3, 4 and 6 by the width of the window, which never scrolls sideways', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    const tiles = page.getByRole('main').getByRole('link');
    await tiles.first().waitFor();
    const counted: [number, number, boolean][] = [];
    for (const [width] of rows) {
      await page.setViewportSize({ width, height: 900 });
      await waitFor(
        'the layout',
        () => page.evaluate(() => innerWidth),
        (now) => now === width,
      );
      const boxes = await tiles.evaluateAll((all) =>
        all.slice(0, 8).map((tile) => {
          const { left, right, top } = tile.getBoundingClientRect();
          return { left, right, top };
        }),
      );
      const row = boxes.filter(({ top }) => top === boxes[0]?.top);
      counted.push([width, row.length, await scrollsSideways(page)]);
      const ends = [...row.slice(1).map(({ left }) => left), width];
      expect(
        row.filter(({ right }, at) => right > (ends[at] ?? 0)),
        `tiles over others at ${width}`,
      ).toEqual([]);
    }
    expect(counted).toEqual(rows.map(([width, count]) => [width, count, false]));
  });

  test('S-2.2.3 are blue, those of administrators grey, light and dark', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    const tiles = page.getByRole('main').getByRole('link');
    await tiles.first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [index, isMain] of [
        [0, true],
        [7, true],
        [8, false],
        [17, false],
      ] as const) {
        const { hue, saturation } = dominantColor(await tiles.nth(index).screenshot());
        const what = `tile ${index}, ${colorScheme}`;
        if (isMain) {
          expect(hue, what).toBeGreaterThanOrEqual(195);
          expect(hue, what).toBeLessThanOrEqual(255);
          expect(saturation, what).toBeGreaterThan(0.25);
        } else {
          expect(saturation, what).toBeLessThan(0.12);
        }
      }
    }
  });
});

/** The most frequent colour of a picture: of a tile, what is neither drawing nor text. */
function dominantColor(png: Buffer): { readonly hue: number; readonly saturation: number } {
  const { data } = PNG.sync.read(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const color = data.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const [color = 0] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
  const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  const sixth =
    max === red ? (green - blue) / range : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: range === 0 ? 0 : (sixth * 60 + 360) % 360, saturation: max === 0 ? 0 : range / max };
}

describe('the frame', () => {
  test('S-2.1.12 fills the window beside the menu at every size, and follows it', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page, '/report');
    await page.locator('iframe').waitFor();
    await expectFrameFills(page);
  });
});

describe('on a narrow window', () => {
  const narrow = { width: 480, height: 800 };

  test('the button does not lie over the title of a dialog that fills the frame', async () => {
    const page = await newPage(site, { user: 'chief', viewport: narrow });
    await openShell(page, '/membership');
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Add member' }).click();
    const title = await frame
      .getByRole('dialog')
      .getByRole('heading')
      .first()
      .evaluate((heading) => {
        const { paddingLeft } = getComputedStyle(heading);
        return heading.getBoundingClientRect().left + Number.parseFloat(paddingLeft);
      });
    const button = await opener(page).boundingBox();
    expect(title).toBeGreaterThanOrEqual((button?.x ?? 0) + (button?.width ?? 1_000));
  });

  test('S-2.1.7 a round button floats at the top left, over everything', async () => {
    const page = await newPage(site, { user: 'chief', viewport: narrow });
    for (const path of ['/', '/report']) {
      await openShell(page, path);
      const style = await opener(page).evaluate((button) => {
        const { position, borderRadius } = getComputedStyle(button);
        const { x, y, width, height } = button.getBoundingClientRect();
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        const radius = borderRadius.endsWith('%')
          ? (Number.parseFloat(borderRadius) / 100) * width
          : Number.parseFloat(borderRadius);
        return { position, radius, x, y, width, height, isTopmost: button.contains(top) };
      });
      expect(['fixed', 'absolute']).toContain(style.position);
      expect(style.radius).toBeGreaterThanOrEqual(style.width / 2);
      expect(Math.abs(style.width - style.height)).toBeLessThanOrEqual(1);
      expect(style.x + style.width / 2).toBeLessThan(80);
      expect(style.y + style.height / 2).toBeLessThan(80);
      expect(style.isTopmost).toBe(true);
    }
  });

  test('S-2.1.6 the menu shows and hides with its control; on a wide window it is there', async () => {
    const page = await newPage(site, { user: 'chief', viewport: narrow });
    await openShell(page);
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false');
    await opener(page).click();
    expect((await page.getByRole('navigation').boundingBox())?.width).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('navigation').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('navigation').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
  });

  test('S-2.1.8, S-9.12 the panel is 300 px wide at any width', async () => {
    const page = await newPage(site, { user: 'chief', viewport: { width: 360, height: 800 } });
    await openShell(page);
    await opener(page).click();
    for (const width of [360, 767]) {
      await page.setViewportSize({ width, height: 800 });
      await waitFor(
        `the panel in place at ${width}`,
        () => panel(page).first().boundingBox(),
        (box) => box?.x === 0,
      );
      expect((await panel(page).first().boundingBox())?.width).toBe(300);
      await expect.poll(() => panel(page).first().locator('a, button, select').count()).toBeGreaterThan(1);
    }
  });

  test('S-2.1.9, S-4.4, S-4.5 close button, backdrop, Escape and choosing a page close it', async () => {
    const page = await newPage(site, { user: 'chief', viewport: narrow });
    await openShell(page);
    const closers: readonly (() => Promise<unknown>)[] = [
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(narrow.width - 5, narrow.height / 2),
      () => page.keyboard.press('Escape'),
      () => page.getByRole('navigation').getByRole('link', { name: 'Report' }).click(),
    ];
    for (const close of closers) {
      await opener(page).click();
      await waitFor(
        'the panel in place',
        () => panel(page).first().boundingBox(),
        (box) => box?.x === 0,
      );
      await close();
      await page.getByRole('navigation').waitFor({ state: 'detached' });
      await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false');
    }
    await opener(page).click();
    await page.getByRole('navigation').waitFor();
    await page.goBack();
    await page.getByRole('navigation').waitFor({ state: 'detached' });
  });

  test('S-9.17 the panel and its backdrop take 300 ms, and none where motion is not wanted', async () => {
    const page = await newPage(site, { user: 'chief', viewport: narrow, reducedMotion: 'no-preference' });
    await openShell(page);
    expect(await animationsAfter(page)).toEqual([300]);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openShell(page);
    expect(await animationsAfter(page)).toEqual([]);
  });

  /** The durations, each once, of what longer runs after the panel's button was pressed. */
  async function animationsAfter(page: Page): Promise<number[]> {
    return opener(page).evaluate(async (button) => {
      (button as HTMLElement).click();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const parts = [...document.querySelectorAll('.MuiDrawer-root *')];
      const running = parts.flatMap((part) => part.getAnimations());
      const durations = running.map((animation) => Number(animation.effect?.getTiming().duration));
      // The library watches for filled-in passwords by an animation of 10 ms, which moves nothing.
      return [...new Set(durations)].filter((duration) => duration > 10);
    });
  }
});

describe('every page', () => {
  const addresses = ['/', '/report', '/nothing', '/innerpage/login.html', '/innerpage/topbar.html'];
  const widths = [360, 390, 576, 1000, 2560];

  test('has no scroll bar sideways at any width, in any language', async () => {
    answerServer(site.tap, { web_title: 'A fleet with quite a long name, as customers like them' });
    const page = await newPage(site, { user: 'chief' });
    for (const address of addresses) {
      await page.goto(address);
      await page.locator('img').or(page.locator('button')).first().waitFor();
      for (const locale of ['en', 'zh-TW', 'jp'] as const) {
        await switchLanguage(page, locale);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 700 });
          await page.evaluate(
            () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
          );
          expect(await scrollsSideways(page), `${address} at ${width}, ${locale}`).toBe(false);
        }
      }
    }
  });
});
