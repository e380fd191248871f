// Pages of signed-in people for the tests of a file. A user has one session and one cache for all of them: passwords are
// slow to look at, and so is a page that is loaded for the first time.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { consoleGuard } from '../browser/chromium.ts';
import type { AllowedNoise } from '../browser/consoleNoise.ts';
import { signIn } from './site.ts';

export interface PageOptions {
  readonly locale?: 'en' | 'zh-TW' | 'jp';
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** What the browser may complain of. */
  readonly allowed?: readonly AllowedNoise[];
  /** A browser of its own with the same session: for a test that leaves something behind in it, or finds it empty. */
  readonly fresh?: boolean;
}

export interface People {
  /** What a user's browser keeps, until `close`. */
  contextOf(username: string): Promise<BrowserContext>;
  /** An empty page, closed when the test has finished. */
  openPage(username: string, options?: PageOptions): Promise<Page>;
  /** The browser of somebody who is not signed in, closed when the test has finished. */
  strangersContext(): Promise<BrowserContext>;
  /** Closes what users' browsers keep. */
  close(): Promise<void>;
}

export function peopleAt(browser: Browser, address: string): People {
  const contexts = new Map<string, Promise<BrowserContext>>();
  const create = () => browser.newContext({ ...BROWSER, baseURL: address });
  const strangersContext = async (): Promise<BrowserContext> => {
    const context = await create();
    onTestFinished(() => context.close());
    return context;
  };
  const begin = async (username: string): Promise<BrowserContext> => {
    const context = await create();
    await signIn(context, address, username);
    return context;
  };
  const contextOf = (username: string): Promise<BrowserContext> => {
    const context = contexts.get(username) ?? begin(username);
    contexts.set(username, context);
    return context;
  };
  const openPage = async (username: string, options: PageOptions = {}): Promise<Page> => {
    const shared = await contextOf(username);
    if (options.fresh !== true) return newPage(shared, options);
    const fresh = await strangersContext();
    await fresh.addCookies(await shared.cookies());
    return newPage(fresh, options);
  };
  const close = async (): Promise<void> => {
    for (const context of contexts.values()) await (await context).close();
  };
  return { contextOf, openPage, strangersContext, close };
}

const BROWSER = { locale: 'en-US', timezoneId: 'Asia/Taipei', reducedMotion: 'reduce' } as const;

/** A page in a context, closed when the test has finished. */
export async function newPage(context: BrowserContext, options: PageOptions = {}): Promise<Page> {
  const { locale = 'en', colorScheme = 'light', width = 1280, height = 800, allowed = [] } = options;
  const page = await context.newPage();
  onTestFinished(() => page.close());
  consoleGuard(page, allowed);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.addInitScript((language) => {
    // A sandboxed frame, such as the preview of a mail, may store nothing.
    if (window.origin !== 'null') localStorage.setItem('language', language);
  }, locale);
  return page;
}
