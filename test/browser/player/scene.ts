// What the player's browser tests share: one browser, the demo's clip, gateways and pages that end with their test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, onTestFinished } from 'vitest';
import type { TracedPicture } from '../../../shared/player/engine/engine.ts';
import type {} from '../../../shared/player/engine/trace.ts';
import { type Clip, loadClip } from '../../../simulator/clip/loadClip.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { FakeGateway, type FakeGatewayOptions } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

export interface Scene {
  readonly browser: () => Browser;
  readonly clip: () => Clip;
}

/** Call once a file. */
export function setScene(extraFlags: readonly string[] = []): Scene {
  let browser: Browser | undefined;
  let clip: Clip | undefined;
  beforeAll(async () => {
    clip = await loadClip(new URL('../../../simulator/clips/road.h264', import.meta.url));
    browser = await sharedChromium(extraFlags);
  });
  return { browser: () => given(browser), clip: () => given(clip) };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the scene is set in beforeAll');
  return value;
}

export async function startGateway(options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const gateway = new FakeGateway(options);
  await gateway.start();
  onTestFinished(() => gateway.stop());
  return gateway;
}

export interface PageOptions extends BrowserContextOptions {
  readonly allowed?: readonly AllowedNoise[];
}

/** A page in a browser profile of its own. */
export async function newPage(browser: Browser, { allowed, ...options }: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en', ...options });
  const page = await context.newPage();
  // What is registered last runs first: the page is still there when its console is looked at.
  onTestFinished(() => context.close());
  consoleGuard(page, allowed);
  return page;
}

/** The pictures that a page opened with `trace=1` has shown so far. */
export async function shownPictures(page: Page): Promise<TracedPicture[]> {
  return page.evaluate(() => globalThis.__fleetglassTrace ?? []);
}

/** Waits until so many pictures have been shown, and gives them. */
export async function waitForPictures(page: Page, count: number, deadlineMs?: number): Promise<TracedPicture[]> {
  const shown = () => page.evaluate(() => globalThis.__fleetglassTrace?.length ?? 0);
  await waitFor(`${count} pictures`, shown, (pictures) => pictures >= count, deadlineMs);
  return shownPictures(page);
}

/** Frame numbers, as they were sent. */
export function frameNumbers(pictures: readonly TracedPicture[]): number[] {
  return pictures.map((picture) => picture.mediaTimeUs / 40_000);
}
