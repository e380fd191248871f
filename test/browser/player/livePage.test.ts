// The live page around its pictures: addresses, layouts, errors, frames.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../../support/browser/chromium.ts';
import { axeFaults } from '../../support/browser/looks.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import type { FakeGateway, FakeGatewayOptions } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';
import { newPage, setScene, startGateway } from './scene.ts';

const scene = setScene();
let gateway: FakeGateway;

async function playingGateway(options: FakeGatewayOptions = {}): Promise<FakeGateway> {
  const started = await startGateway(options);
  started.onViewer = (viewer) => viewer.play(scene.clip().frames);
  return started;
}

const aPicture = (page: Page) =>
  waitFor(
    'a picture',
    () => readFrameNumber(page),
    (frame) => frame !== undefined,
  );
const device = (channels: number) => ({ device: { chn: channels, installchs: '', livechs: '' } });
/** Streams asked for so far, as `channel=1&audio=1`. */
const streams = () =>
  gateway.viewers.map(({ query }) => `channel=${query.get('channel')}&audio=${query.get('audio')}`).sort();

describe('the address', () => {
  beforeEach(async () => {
    gateway = await playingGateway({ device: { chn: 2, installchs: '11', livechs: '11' } });
  });

  it('S-2.5.1, S-2.5.2, S-2.5.18: is sealed in place, and opens again', async () => {
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1@3/ann%20b/secret1?x=a%20b`);
    await page.waitForURL(/\/live\/[0-9a-f]+\?x=a%20b$/);
    expect(page.url()).not.toMatch(/ann|secret1/);
    expect(await page.evaluate(() => window.history.length)).toBe(2);
    await page.reload();
    await aPicture(page);
    expect(await page.title()).toBe('DEV1 liveview');
    const lookups = gateway.requests.filter((request) => request.startsWith('/api/device/device'));
    expect(lookups).toEqual(Array(2).fill('/api/device/device?username=ann%20b&credential=secret1&deviceid=DEV1'));
  });

  it('S-2.5.17: asks for each channel of the mask once, sound on channel 1 alone', async () => {
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1@255/ann/secret1`);
    await aPicture(page);
    await waitFor('both streams', () => streams().length >= 2);
    expect(streams()).toEqual(['channel=1&audio=1', 'channel=2&audio=0']);
    expect([...(gateway.viewers[0]?.query.keys() ?? [])].sort()).toEqual([
      'audio',
      'channel',
      'credential',
      'deviceid',
      'username',
    ]);
  });
});

describe('the page', () => {
  it('plays where storage is forbidden and the page is out of sight', async () => {
    gateway = await playingGateway();
    const page = await newPage(scene.browser());
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('storage is blocked', 'SecurityError');
        },
      });
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    await aPicture(page);
  });

  it('does not wait for translations', async () => {
    gateway = await playingGateway();
    const page = await newPage(scene.browser());
    await page.route('**/locales/**', () => {});
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`, { waitUntil: 'commit' });
    await aPicture(page);
  });

  it('S-7.13: opens no socket in the page itself', async () => {
    gateway = await playingGateway();
    const page = await newPage(scene.browser());
    await page.addInitScript(() => {
      Object.assign(window, {
        WebSocket: class {
          constructor() {
            throw new Error('a socket in the page');
          }
        },
      });
    });
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    await aPicture(page);
    const workers = page.workers().map((worker) => new URL(worker.url()).pathname);
    expect(workers.sort()).toEqual(['/workers/stream.worker.js', '/workers/video.worker.js']);
  });

  it('over plain HTTP says what is wrong, in the language of the user', async () => {
    gateway = await playingGateway();
    const insecure = await launchChromium(['--host-resolver-rules=MAP gateway.example 127.0.0.1']);
    onTestFinished(() => insecure.close());
    const page = await newPage(insecure, { locale: 'ja' });
    await page.goto(`${gateway.origin.replace('127.0.0.1', 'gateway.example')}/live/DEV1/ann/secret1`);
    await waitFor(
      'the notice',
      () => page.getByRole('alert').textContent(),
      (text) => text?.includes('安全な接続') === true,
    );
    await expect.poll(() => page.locator('canvas').count()).toBe(0);
    expect(gateway.viewers).toHaveLength(0);
  });

  it('loads at most 120 KB of scripts up to its first picture, and 16 KB a worker', async () => {
    gateway = await playingGateway();
    const page = await newPage(scene.browser());
    // A body is read below, and only of what counts: others may still be on their way when the page closes.
    const loaded: { readonly path: string; readonly body: () => Promise<Buffer> }[] = [];
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname;
      if (path.endsWith('.js')) loaded.push({ path, body: () => response.body() });
    });
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`);
    await aPicture(page);
    const isWorker = ({ path }: { readonly path: string }) => path.startsWith('/workers/');
    // The tools are asked for right after the first picture, which is read some time later.
    const isTools = ({ path }: { readonly path: string }) => path.includes('/TileTools-');
    const scripts = await Promise.all(
      loaded
        .filter((script) => !isWorker(script) && !isTools(script))
        .map(async ({ body }) => gzipSync(await body()).length),
    );
    const workers = await Promise.all(
      gateway.requests.filter((path) => path.startsWith('/workers/')).map((path) => workerBytes(path)),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(120 * 1024);
    expect(workers).toHaveLength(2);
    expect(Math.max(...workers)).toBeLessThan(16 * 1024);
  });
});

describe('to those who cannot see or use a mouse', () => {
  it.each([
    ['en', 'DEV1@15/ann/secret1'],
    ['zh-TW', 'DEV1@15/ann/secret1'],
    ['ja', 'DEV1@15/ann/secret1'],
    ['en', 'zz'],
  ])('the page (%s, /live/%s) has nothing that axe objects to', async (locale, path) => {
    gateway = await playingGateway(device(4));
    const page = await newPage(scene.browser(), { locale });
    await page.goto(`${gateway.origin}/live/${path}`);
    await (path === 'zz' ? page.getByRole('alert').waitFor() : aPicture(page));
    expect(await axeFaults(page)).toEqual([]);
  });
});

async function workerBytes(path: string): Promise<number> {
  const response = await fetch(gateway.origin + path);
  return gzipSync(Buffer.from(await response.arrayBuffer())).length;
}
