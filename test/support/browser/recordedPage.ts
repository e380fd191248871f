// The playback page of a gateway that has recordings.
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { RECORDED_DEVICE, RECORDED_OWNER } from '../gateway/recordedGateway.ts';
import { consoleGuard } from './chromium.ts';
import type { AllowedNoise } from './consoleNoise.ts';

export interface RecordedOpening {
  /** Origin of the gateway, or of a tap before it. */
  readonly address: string;
  /** Secret of the owner's link. */
  readonly credential: string;
  /** Whole seconds, epoch milliseconds. */
  readonly atMs: number;
  /** Bit n: channel n + 1. Left out: the first channel alone. */
  readonly mask?: number;
  readonly locale?: string;
  readonly allowed?: readonly AllowedNoise[];
  /** Runs before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Opens the page in a context of its own, which ends with the test; its pictures are traced. */
export async function openRecordedPage(browser: Browser, opening: RecordedOpening): Promise<Page> {
  const { address, credential, atMs, mask = 1, locale = 'en', allowed = [], prepare } = opening;
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, locale, timezoneId: 'UTC' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  consoleGuard(page, allowed);
  await prepare?.(page);
  const link = `${RECORDED_OWNER}/${credential}`;
  await page.goto(`${address}/playback/${RECORDED_DEVICE}@${mask}/0/${atMs / 1_000}/${link}?trace=1`);
  await page.getByRole('slider').waitFor();
  return page;
}
