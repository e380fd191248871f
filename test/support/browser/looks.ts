// What nobody sees at a glance of a page: faults that keep people out, and parts that are wider than the window.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { IS_LONG } from '../runner/long.ts';
import { waitFor } from '../waitFor.ts';
import { type AxeLook, runAxe } from './axe.ts';
import { expectWords, hasScriptOf, type Locale, showLanguage, untilDrawn } from './words.ts';

/**
 * Fails when axe finds a fault in the page, or in the part that a selector names, and when the page is wider than its
 * window. Where there is a dialog it stands alone: what lies behind it was looked at before.
 */
export async function expectAccessible(page: Page, what: string, part?: string): Promise<void> {
  await expectNoFaults(page, what, { part });
}

async function expectNoFaults(page: Page, what: string, look: AxeLook): Promise<void> {
  expect(await axeFaults(page, look), what).toEqual([]);
  await expectFits(page, what);
}

/** What axe finds in a page once its tables are laid out, a line for each rule. */
export async function axeFaults(page: Page, look: AxeLook = {}): Promise<string[]> {
  await tablesAreLaidOut(page);
  return runAxe(page, look);
}

const LAID_OUT_FRAMES = 10;

/** A table shows its rows without cells until it knows its width, some 50 ms after it came: they have to have them for a while. */
async function tablesAreLaidOut(page: Page): Promise<void> {
  await page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        let laidOut = 0;
        const look = (): void => {
          const rows = [...document.querySelectorAll('[role=grid] [role=row][data-id]')];
          laidOut = rows.every((row) => row.querySelector('[role=gridcell]')) ? laidOut + 1 : 0;
          if (laidOut < frames) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
    LAID_OUT_FRAMES,
  );
}

/** Nothing scrolls sideways. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${what} is wider than the window`).toBeLessThanOrEqual(0);
}

export interface Look {
  /** A selector of the dialog, which is looked at alone: what lies behind it was looked at before. */
  readonly part?: string;
  /** Rules of axe that are not asked for. */
  readonly off?: readonly string[];
  /** Reads what is said, where that is not all of the text: names of files, for one, look like keys without a text. */
  readonly read?: (page: Page) => Promise<string>;
  /** What else holds for the words of each language. */
  readonly check?: (text: string, locale: Locale) => Promise<void> | void;
  /** The language that Japanese words are judged by; texts of a few words may have no kana. */
  readonly japanese?: Locale;
}

/**
 * Looks at a page, or a dialog of it, as it stands in English, light, in a window as wide as a computer's: with axe at once; in a
 * phone's width and dark with axe again; and there in the other languages, which the page follows without being loaded
 * anew. A page that is in a phone's width already stays in it. All is as before afterwards.
 */
export async function lookAt(page: Page, what: string, look: Look = {}): Promise<void> {
  const before = sizeOf(page);
  await lookAtFirst(page, what, look);
  await page.emulateMedia({ colorScheme: 'light' });
  if (before.width !== NARROW_PX) await resize(page, before);
}

/**
 * The same for the first state of a page, which stays dark and in a phone's width: that is how `lookOnceAt` looks at the others.
 */
export async function lookAtFirst(page: Page, what: string, look: Look = {}): Promise<void> {
  const asked: AxeLook = { part: look.part, off: look.off ?? [] };
  await expectNoFaults(page, `${what}, light`, asked);
  if (sizeOf(page).width !== NARROW_PX) await expectLanguage(page, 'en', look);
  await toNarrowAndDark(page);
  await expectNoFaults(page, `${what}, dark, ${NARROW_PX} px`, asked);
  const english = await expectLanguage(page, 'en', look);
  for (const locale of OTHERS) {
    await showLanguage(page, locale);
    await expectLanguage(page, locale, { ...look, english });
    await expectFits(page, `${what}, ${locale}, ${NARROW_PX} px`);
  }
  await showLanguage(page, 'en');
}

/**
 * Looks at another state of a page that `lookAtFirst` has looked at where most is at stake: dark and in a phone's width, in which it stays. A long
 * run looks at it in Japanese, too, and at its contrasts in light: component tests hold the words of each language.
 */
export async function lookOnceAt(page: Page, what: string, look: Look = {}): Promise<void> {
  const { part, off = [] } = look;
  if (IS_LONG && !off.includes(CONTRAST)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await untilDrawn(page);
    expect(await axeFaults(page, { part, only: [CONTRAST] }), `${what}, light`).toEqual([]);
  }
  await toNarrowAndDark(page);
  const english = await expectLanguage(page, 'en', look);
  await expectNoFaults(page, `${what}, dark, ${NARROW_PX} px`, { part, off });
  if (!IS_LONG) return;
  await showLanguage(page, 'jp');
  await expectLanguage(page, 'jp', { ...look, english });
  await expectFits(page, `${what}, jp, ${NARROW_PX} px`);
  await showLanguage(page, 'en');
}

const OTHERS = ['zh-TW', 'jp'] as const;
/** The one rule of axe that light and dark differ in. */
const CONTRAST = 'color-contrast';

const sizeOf = (page: Page) => page.viewportSize() ?? { width: WIDE_PX, height: 720 };

async function toNarrowAndDark(page: Page): Promise<void> {
  const before = sizeOf(page);
  if (before.width !== NARROW_PX) await page.setViewportSize({ ...before, width: NARROW_PX });
  await page.emulateMedia({ colorScheme: 'dark' });
  await untilDrawn(page);
}

/** Gives what is said, which must differ from what the page says in English. */
async function expectLanguage(
  page: Page,
  locale: Locale,
  { part = 'body', read = textOf(part), check, japanese = 'jp', english }: Look & { readonly english?: string },
): Promise<string> {
  const judged = locale === 'jp' ? japanese : locale;
  const text = await waitFor(
    `words in ${locale}`,
    () => read(page),
    (said) => said !== english && hasScriptOf(said, judged),
  );
  expectWords(text, judged);
  await check?.(text, locale);
  return text;
}

const textOf = (part: string) => (page: Page) => page.locator(part).innerText();

const STILL_FRAMES = 30;

/** How much of what the selector finds is in view, once it has stood still: 0 to 1. Scrolling may be animated. */
export function shareInView(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate(
    (element, stillFrames) =>
      new Promise<number>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect();
          resolve(entry?.intersectionRatio ?? 0);
        });
        let left = Number.NaN;
        let still = 0;
        const look = (): void => {
          const now = element.getBoundingClientRect().left;
          still = now === left ? still + 1 : 0;
          left = now;
          if (still < stillFrames) requestAnimationFrame(look);
          else observer.observe(element);
        };
        look();
      }),
    STILL_FRAMES,
  );
}

export const NARROW_PX = 360;
const WIDE_PX = 1280;

/**
 * Looks at a page in its window as it is, then in one of the other width, a phone's or a computer's; the window is as before
 * afterwards. Tables are laid out anew for each width, so one change of it should serve all that is looked at.
 */
export async function atBothWidths(page: Page, look: (isOther: boolean) => Promise<void>): Promise<void> {
  await look(false);
  const before = page.viewportSize() ?? { width: WIDE_PX, height: 720 };
  await resize(page, { ...before, width: before.width === NARROW_PX ? WIDE_PX : NARROW_PX });
  await look(true);
  await resize(page, before);
}

async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await untilDrawn(page);
}
