// The live page's address, channels and streams, seen from the proxy before the built gateway.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket as NodeSocket } from 'ws';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { sealLink } from '../../../shared/protocol/videoLink.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { startSecureFront } from '../../support/browser/secureFront.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import type { Product } from '../../support/gateway/product.ts';
import { sharedWatchedProduct, VEHICLE } from '../../support/gateway/watchedProduct.ts';
import { waitFor } from '../../support/waitFor.ts';

const LIVE = '/stream/liveview/video.fuho';
const LOOKUP = '/api/device/device';

let product: Product;
let tap: Tap;
let browser: Browser;
let username: string;
let credential: string;

beforeAll(async () => {
  const watched = await sharedWatchedProduct();
  ({ product } = watched);
  [username = '', credential = ''] = watched.credentialOf(VEHICLE).split('/');
  tap = await startTap(product.address);
  browser = await sharedChromium();
});

afterAll(() => tap?.close());

afterEach(() => tap.reset());

interface Options extends BrowserContextOptions {
  readonly allowed?: readonly AllowedNoise[];
}

async function newPage({ allowed, ...options }: Options = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1600, height: 900 },
    locale: 'en',
    baseURL: tap.address,
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  consoleGuard(page, allowed);
  return page;
}

/** Has the lookup give this device from now on. */
const device = (info: DeviceInfo) => tap.when({ path: LOOKUP }, { kind: 'answer', body: { error: false, data: info } });
const upgrades = () => tap.requests({ path: /^\/stream\// }).filter(({ kind }) => kind === 'upgrade');
const labels = (page: Page) => page.locator('section').evaluateAll((tiles) => tiles.map((tile) => tile.ariaLabel));
const openPlain = (page: Page, ref = 'DEV1') => page.goto(`/live/${ref}/${username}/${credential}`);
const streams = (count: number) =>
  waitFor(
    `${count} streams`,
    () => upgrades().length,
    (length) => length >= count,
  );

// What an address may hold, and the channels that it then means: test/unit/pages/live/liveView.test.ts.
describe('the address of a live page', () => {
  it('S-2.5.1, S-2.5.2, S-2.5.16, S-2.5.18: is sealed in place, keeps no name, does not loop, and opens in either case', async () => {
    const page = await newPage();
    await page.goto('/healthz');
    await openPlain(page, 'DEV1@10');
    await page.waitForURL(/\/live\/[0-9a-f]+$/);
    expect(page.url()).not.toContain(credential);
    expect(page.url()).not.toContain(username);
    const sealed = new URL(page.url()).pathname;
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/healthz');
    tap.reset();
    // The address as it was sealed is opened in test/browser/player/livePage.test.ts.
    await page.goto(sealed.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase()));
    await streams(2);
    expect(await labels(page)).toEqual(['ch 2', 'ch 4']);
    expect(await page.title()).toBe('DEV1 liveview');
    await switchLanguage(page, 'jp');
    await expect.poll(() => page.locator('.video-tile-label').allTextContents()).toEqual(['ch 2', 'ch 4']);
    expect(await page.title()).toBe('DEV1 liveview');
  });

  it('S-2.5.2, S-5.7: gives a red alert, the title error and no stream where it does not open, with room beside it on a phone', async () => {
    const page = await newPage({ viewport: { width: 360, height: 640 } });
    const answer = await page.request.get('/api/system/server');
    const { data } = (await answer.json()) as { data: { linkKey?: string } };
    const hex = sealLink({ device: 'DEV1', username, credential }, data.linkKey);
    const oneDigitOff = hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');
    for (const path of [oneDigitOff, 'DEV1/ann']) {
      await page.goto('/healthz');
      await page.goto(`/live/${path}`);
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await page.title()).toBe('error');
      expect(await rednessOf(page)).toBeGreaterThan(2);
      expect(await alert.boundingBox()).toMatchObject({ x: 16, width: 360 - 32 });
    }
    expect(upgrades()).toEqual([]);
  });
});

// Other failures, and those without an answer, are tested in test/dom/player/livePage.test.tsx.
describe('the lookup of a live page', () => {
  it("S-4.15, S-8.8, S-8.1: loads, then shows the server's message as text, also where the status says that all is well", async () => {
    const page = await newPage();
    let answer = () => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/device\/device/, async (route) => {
      await until;
      await route.fulfill({ status: 200, json: { error: true, message: '<i>E-77</i>' } });
    });
    await openPlain(page);
    await page.getByRole('progressbar').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    answer();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('<i>E-77</i>');
    expect(await rednessOf(page)).toBeGreaterThan(2);
    expect(await page.title()).toBe('error');
    expect(upgrades()).toEqual([]);
  });

  it('S-8.2, S-8.3, S-8.9: shows address, status and its text where the answer has no message, and logs it once', async () => {
    const page = await newPage({
      allowed: [{ url: /device\/device/, status: 418 }],
    });
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning' && message.text().includes(LOOKUP)) logged.push(message.text());
    });
    tap.when({ path: LOOKUP }, { kind: 'answer', status: 418, statusText: "I'm a teapot", body: { error: true } });
    await openPlain(page);
    await page.getByRole('alert').waitFor();
    const text = (await page.getByRole('alert').textContent()) ?? '';
    for (const part of [LOOKUP, '418', "I'm a teapot"]) expect(text).toContain(part);
    expect(logged).toHaveLength(1);
    for (const seen of [text, ...logged]) expect(seen).not.toContain(credential);
    expect(await page.title()).toBe('error');
  });

  it('S-7.6: is answered alike for an unknown device, an unknown user and a wrong credential', async () => {
    const good = { username, credential, deviceid: 'DEV1' };
    const lookUp = async (change: Partial<typeof good>) => {
      const answer = await fetch(`${tap.address}${LOOKUP}?${new URLSearchParams({ ...good, ...change })}`);
      return [answer.status, await answer.text()];
    };
    const [status, body] = await lookUp({});
    expect([status, JSON.parse(String(body))]).toMatchObject([200, { error: false, data: { chn: VEHICLE.channels } }]);
    const refused = await lookUp({ deviceid: 'NOBODY' });
    expect(refused).toMatchObject([403, expect.stringContaining('"error":true')]);
    expect(await lookUp({ username: 'nobody' })).toEqual(refused);
    expect(await lookUp({ credential: 'wrong1' })).toEqual(refused);
  });

  it('S-7.1, S-7.15: asks once for the server information, and sends the address’s frame token with every call', async () => {
    const page = await newPage();
    const address = `${tap.address}/live/DEV1@1/${username}/${credential}?sid=Ab_9&amp;nontop=1`;
    await page.goto(await startHostPage(`<iframe src="${address}" width="1200" height="800"></iframe>`));
    await streams(1);
    expect(page.frames()[1]?.url()).toMatch(/\/live\/[0-9a-f]+\?nontop=1$/);
    const calls = tap.requests({ path: /^\/(api|locales)\// });
    expect(calls.filter(({ path }) => path === '/api/system/server')).toHaveLength(1);
    expect(calls.filter(({ path }) => path.startsWith('/locales/')).length).toBeGreaterThan(0);
    expect(calls.filter(({ headers }) => headers['connect-sid'] !== 'Ab_9').map(({ path }) => path)).toEqual([]);
  });
});

describe('the streams of a live page', () => {
  it('S-2.5.3, S-7.16, S-7.8, S-2.5.17: are one upgrade a channel at the fixed path, with exactly what the address names, decoded', async () => {
    device({ chn: 2, installchs: '', livechs: '' });
    const page = await newPage();
    await page.goto('/live/A%26B%3D1@3/%C3%BC%20%2B/secret1');
    await streams(2);
    const link = { deviceid: 'A&B=1', username: 'ü +', credential: 'secret1' };
    expect(tap.requests({ path: LOOKUP }).map(({ query }) => Object.fromEntries(query))).toEqual([link]);
    expect(upgrades().map(({ path }) => path)).toEqual([LIVE, LIVE]);
    const asked = upgrades().map(({ query }) => Object.fromEntries(query));
    expect(asked.toSorted((one, other) => Number(one.channel) - Number(other.channel))).toEqual([
      { ...link, channel: '1', audio: '1' },
      { ...link, channel: '2', audio: '0' },
    ]);
  });

  it('S-7.8: say why a wrong credential is refused, then close', async () => {
    const query = new URLSearchParams({ username, credential: 'wrong1', deviceid: 'DEV1', channel: '1', audio: '0' });
    const socket = new NodeSocket(`${product.address.replace('http', 'ws')}${LIVE}?${query}`);
    const messages: Buffer[] = [];
    socket.on('message', (data: Buffer) => messages.push(data));
    const code = await new Promise((resolve) => socket.on('close', resolve));
    expect(code).toBe(1008);
    const [packet] = readMessage(new Uint8Array(messages[0] ?? [])).packets;
    expect(parseStreamEvent(packet?.payload ?? new Uint8Array())).toMatchObject({
      type: 'error',
      code: 'link-refused',
    });
  });

  it('S-7.13, S-7.14, S-7.17: run in a worker, to the host that the page came from; workers are files without a hash, revalidated', async () => {
    const page = await newPage();
    await page.addInitScript(() => {
      const Native = WebSocket;
      Object.assign(globalThis, { opened: 0 });
      globalThis.WebSocket = class extends Native {
        constructor(...parts: ConstructorParameters<typeof Native>) {
          super(...parts);
          (globalThis as unknown as { opened: number }).opened++;
        }
      };
    });
    const order: string[] = [];
    const addresses: string[] = [];
    page.on('worker', () => order.push('worker'));
    page.on('websocket', (socket) => {
      order.push('socket');
      addresses.push(socket.url());
    });
    await openPlain(page, 'DEV1@1');
    await waitFor('the socket', () => addresses.length > 0);
    expect(order[0]).toBe('worker');
    expect(new URL(addresses[0] ?? '').origin).toBe(tap.address.replace('http', 'ws'));
    expect(await page.evaluate(() => (globalThis as unknown as { opened: number }).opened)).toBe(0);
    await waitFor('workers', () => page.workers().length >= 2);
    for (const worker of page.workers()) {
      expect(worker.url()).toMatch(/^http:\/\/[^/]+\/workers\/[a-z]+\.worker\.js$/);
      expect(new URL(worker.url()).origin).toBe(tap.address);
      const response = await page.request.get(worker.url());
      expect(response.status()).toBe(200);
      expect(response.headers()['content-type']).toContain('javascript');
      expect(response.headers()['cache-control']).toContain('no-cache');
    }
  });

  it('S-7.17: are encrypted when the page is', async () => {
    const secure = await startSecureFront(tap.address);
    onTestFinished(secure.close);
    const page = await newPage({ ignoreHTTPSErrors: true });
    const addresses: string[] = [];
    page.on('websocket', (socket) => addresses.push(socket.url()));
    await page.goto(`${secure.address}/live/DEV1@1/${username}/${credential}`);
    await waitFor('the socket', () => addresses.length > 0);
    expect(new URL(addresses[0] ?? '').origin).toBe(secure.address.replace('https', 'wss'));
  });
});

/** How many times the alert's red outweighs its other colors. */
function rednessOf(page: Page): Promise<number> {
  return page.getByRole('alert').evaluate((element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).map(Number);
    return red / Math.max(green, blue, 1);
  });
}
