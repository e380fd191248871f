import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pressOn } from '../../support/browser/keyboard.ts';
import { untilDrawn } from '../../support/browser/words.ts';
import { answerFrames, newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const opener = (page: Page) => page.locator('button[aria-expanded]').first();
const panel = (page: Page) => page.getByRole('dialog').or(page.locator('.MuiDrawer-paper'));
const navigation = (page: Page) => page.getByRole('navigation');
const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe('the tiles of the home page', () => {
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

  test('S-2.2.7, S-9.16, S-2.2.3 are 2, 3, 4 and 6 in a row by the width of the window, which never scrolls sideways; blue, those of administrators grey', async () => {
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
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectColors(page);
  });

  async function expectColors(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await untilDrawn(page);
      const picture = PNG.sync.read(await page.screenshot());
      const boxes = await page
        .getByRole('main')
        .getByRole('link')
        .evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes).toHaveLength(18);
      for (const [index, box] of boxes.entries()) {
        const { hue, saturation } = dominantColor(picture, box);
        const what = `tile ${index}, ${colorScheme}`;
        if (index < 8) {
          expect(hue, what).toBeGreaterThanOrEqual(195);
          expect(hue, what).toBeLessThanOrEqual(255);
          expect(saturation, what).toBeGreaterThan(0.25);
        } else {
          expect(saturation, what).toBeLessThan(0.12);
        }
      }
    }
  }
});

/** The most frequent colour of a part of a picture: of a tile, what is neither drawing nor text. */
function dominantColor(
  { data, width }: PNG,
  { left, right, top, bottom }: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>,
): { readonly hue: number; readonly saturation: number } {
  const counts = new Map<number, number>();
  for (let y = Math.ceil(top); y < Math.floor(bottom); y++) {
    for (let x = Math.ceil(left); x < Math.floor(right); x++) {
      const color = data.readUIntBE((y * width + x) * 4, 3);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const [color = 0] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
  const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  const sixth =
    max === red ? (green - blue) / range : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: range === 0 ? 0 : (sixth * 60 + 360) % 360, saturation: max === 0 ? 0 : range / max };
}

describe('on a narrow window', () => {
  const narrow = { width: 480, height: 800 };

  test('S-2.1.6, S-2.1.7, S-2.1.8, S-2.1.9, S-4.4, S-4.5, S-9.12, S-9.17 the menu is in a panel with a floating button, which shows and hides in every way', async () => {
    answerFrames(site.tap, '/innerpage/report.html');
    const page = await newPage(site, { user: 'chief', viewport: narrow, reducedMotion: 'no-preference' });
    await openShell(page, '/membership');
    await expect.poll(() => navigation(page).count()).toBe(0);
    await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false');
    await expectFloating(page);
    await expectTitleBesideButton(page);
    expect(await animationsAfterOpening(page)).toEqual([300]);
    await expectPanelWidth(page);
    await expectClosers(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await animationsAfterOpening(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await navigation(page).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
  });

  /** The button is round, at the top left, over everything. */
  async function expectFloating(page: Page): Promise<void> {
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

  /** The button does not lie over the title of a dialog that fills the frame. */
  async function expectTitleBesideButton(page: Page): Promise<void> {
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
    await pressOn(frame.getByRole('dialog'), 'Escape');
    await frame.getByRole('dialog').waitFor({ state: 'detached' });
  }

  const panelStands = (page: Page) =>
    waitFor(
      'the panel in place',
      () => panel(page).first().boundingBox(),
      (box) => box?.x === 0,
    );

  async function expectPanelWidth(page: Page): Promise<void> {
    for (const width of [360, 767]) {
      await page.setViewportSize({ ...narrow, width });
      expect((await panelStands(page))?.width).toBe(300);
      await expect.poll(() => panel(page).first().locator('a, button, select').count()).toBeGreaterThan(1);
    }
    await page.setViewportSize(narrow);
  }

  /** The panel is open at first, and closed afterwards. */
  async function expectClosers(page: Page): Promise<void> {
    const choose = (name: string) => navigation(page).getByRole('link', { name, exact: true }).click();
    const closers: readonly (() => Promise<unknown>)[] = [
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(narrow.width - 5, narrow.height / 2),
      () => page.keyboard.press('Escape'),
      () => choose('Home'),
      () => choose('Report'),
      () => page.goBack(),
    ];
    for (const [at, close] of closers.entries()) {
      if (at > 0) await opener(page).click();
      await panelStands(page);
      await close();
      await navigation(page).waitFor({ state: 'detached' });
      await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false');
    }
    expect(new URL(page.url()).pathname).toBe('/');
    await expectFloating(page);
  }

  /** The durations, each once, of what longer runs after the panel's button was pressed. */
  async function animationsAfterOpening(page: Page): Promise<number[]> {
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
