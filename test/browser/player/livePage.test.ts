// The live page on the built product, with a gateway of the test's own making.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Clip, loadClip } from '../../../server/demo/clip/loadClip.ts';
import { consoleGuard, launchChromium } from '../../support/chromium.ts';
import { FakeGateway, type FakeGatewayOptions } from '../../support/fakeStream.ts';
import { firstPictureMs, noteFirstPicture, readFrameNumber, recordFrameNumbers } from '../../support/stripReader.ts';
import { waitFor } from '../../support/waitFor.ts';

let browser: Browser;
let clip: Clip;

beforeAll(async () => {
  clip = await loadClip(new URL('../../../server/demo/clips/road.h264', import.meta.url));
  browser = await launchChromium();
});

afterAll(() => browser.close());

async function startGateway(options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const gateway = new FakeGateway(options);
  await gateway.start();
  onTestFinished(() => gateway.stop());
  return gateway;
}

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: 'en' });
  const page = await context.newPage();
  consoleGuard(page);
  onTestFinished(() => context.close());
  return page;
}

describe('one channel', () => {
  let gateway: FakeGateway;
  let page: Page;

  beforeEach(async () => {
    gateway = await startGateway();
    gateway.onViewer = (viewer) => viewer.play(clip.frames);
    page = await newPage();
  });

  it('shows its first picture within a second of the navigation', async () => {
    await noteFirstPicture(page);
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`, { waitUntil: 'commit' });
    expect(await waitFor('the first picture', () => firstPictureMs(page))).toBeLessThan(1_000);
  });

  it('shows every frame in order', async () => {
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    await waitFor('a picture', () => readFrameNumber(page), (frame) => frame !== undefined);
    const seen = await recordFrameNumbers(page, 3_000);
    expect(seen.length).toBeGreaterThan(70);
    expect(seen.slice(1).map((frame, index) => frame - (seen[index] ?? 0))).toEqual(seen.slice(1).map(() => 1));
  });
});
