// The live page's address, channels and streams, seen from the proxy before the built gateway.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket as NodeSocket } from 'ws';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import type { AllowedNoise } from '../../support/browser/consoleNoise.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { startTap, type Tap } from '../../support/browser/tap.ts';
import { addWatchedVehicle } from '../../support/browser/watcher.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { waitFor } from '../../support/waitFor.ts';

const VEHICLE = {
  deviceId: 'DEV1',
  name: 'Device 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 8,
  lapShare: 0,
} as const;
const LIVE = '/stream/liveview/video.fuho';
const LOOKUP = '/api/device/device';

let product: Product;
let tap: Tap;
let browser: Browser;
let username: string;
let credential: string;

beforeAll(async () => {
  let link = '';
  product = await startProduct(async (stores) => {
    link = await addWatchedVehicle(stores, VEHICLE);
  });
  [, username = '', credential = ''] = link.split('/');
  tap = await startTap(product.address);
  browser = await sharedChromium();
});

afterAll(async () => {
  await tap?.close();
  await product?.stop();
});

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

/** The device as the lookup gives it from now on. */
const device = (info: DeviceInfo) => tap.when({ path: LOOKUP }, { kind: 'answer', body: { error: false, data: info } });
const upgrades = () => tap.requests({ path: /^\/stream\// }).filter(({ kind }) => kind === 'upgrade');
const channelsAsked = () => upgrades().map(({ query }) => Number(query.get('channel')));
const labels = (page: Page) => page.locator('section').evaluateAll((tiles) => tiles.map((tile) => tile.ariaLabel));
const openPlain = (page: Page, ref = 'DEV1') => page.goto(`/live/${ref}/${username}/${credential}`);
const streams = (count: number) =>
  waitFor(
    `${count} streams`,
    () => upgrades().length,
    (length) => length >= count,
  );

describe('the address of a live page', () => {
  it('S-2.5.1, S-2.5.2: is sealed in place, keeps no name, does not loop, and opens elsewhere in either case', async () => {
    const page = await newPage();
    await page.goto('/healthz');
    await openPlain(page, 'DEV1@3');
    await page.waitForURL(/\/live\/[0-9a-f]+$/);
    expect(page.url()).not.toContain(credential);
    expect(page.url()).not.toContain(username);
    const sealed = new URL(page.url()).pathname;
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/healthz');
    for (const path of [sealed, sealed.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase())]) {
      tap.reset();
      const other = await newPage();
      await other.goto(path);
      await streams(2);
      expect(await labels(other)).toEqual(['ch 1', 'ch 2']);
      expect(await other.title()).toBe('DEV1 liveview');
    }
  });

  it('S-2.5.2, S-5.7: gives a red alert, the title error and no stream where it does not open', async () => {
    const page = await newPage();
    await openPlain(page);
    await page.waitForURL(/\/live\/[0-9a-f]+$/);
    const hex = new URL(page.url()).pathname.slice('/live/'.length);
    // Its streams must not count as those of the pages below; on a slow machine it would connect them again meanwhile.
    await page.close();
    const oneDigitOff = hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');
    for (const path of [oneDigitOff, hex.slice(0, -1), 'zz', 'ab'.repeat(60), 'DEV1/ann', 'DEV1/ann/x/more']) {
      const other = await newPage();
      await other.goto('/healthz');
      tap.reset();
      await other.goto(`/live/${path}`);
      await other.getByRole('alert').waitFor();
      expect(await other.title()).toBe('error');
      expect(await rednessOf(other)).toBeGreaterThan(2);
      expect(upgrades()).toEqual([]);
    }
  });

  it('leaves room at both sides of the alert on a phone', async () => {
    const page = await newPage();
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto('/live/zz');
    const box = await page.getByRole('alert').boundingBox();
    expect(box?.x).toBe(16);
    expect(box?.width).toBe(360 - 32);
  });

  it('S-2.5.3, S-7.16: names device, user and credential, decoded, to the lookup and to each stream', async () => {
    tap.when(
      { path: LOOKUP },
      { kind: 'answer', body: { error: false, data: { chn: 2, installchs: '', livechs: '' } } },
    );
    const page = await newPage();
    await page.goto('/live/A%26B%3D1@3/%C3%BC%20%2B/secret1');
    await streams(2);
    const requests = [...tap.requests({ path: LOOKUP }), ...upgrades()].map(({ query }) =>
      ['deviceid', 'username', 'credential'].map((name) => query.get(name)),
    );
    expect(requests).toEqual(Array(3).fill(['A&B=1', 'ü +', 'secret1']));
  });

  it('S-2.5.4: opens though the server information holds no key', async () => {
    tap.when({ path: '/api/system/server' }, { kind: 'answer', body: { error: false, data: {} } });
    const page = await newPage();
    await openPlain(page, 'DEV1@1');
    await page.waitForURL(/\/live\/[0-9a-f]+$/);
    await page.reload();
    await waitFor('the tile', async () => (await labels(page)).length === 1);
  });

  it.each(['en', 'zh-TW', 'ja'])('S-2.5.16, S-2.5.18: labels and title are the same in %s', async (locale) => {
    const page = await newPage({ locale });
    await openPlain(page, 'DEV1@10');
    await streams(2);
    expect(await page.locator('.video-tile-label').allTextContents()).toEqual(['ch 2', 'ch 4']);
    expect(await page.title()).toMatch(/^DEV1\W*liveview$/);
  });
});

const ONES = '1'.repeat(8);

describe('the channels of a live page', () => {
  it.each([
    ['S-2.5.5, S-9.2: no mask is 255', 'DEV1', { chn: 8, installchs: ONES, livechs: ONES }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['S-2.5.6: the mask', 'DEV1@10', { chn: 4, installchs: '1111', livechs: '1111' }, [2, 4]],
    ['S-2.5.6: the channel count', 'DEV1@10', { chn: 3, installchs: '1111', livechs: '1111' }, [2]],
    ['S-2.5.6: the installed ones', 'DEV1@255', { chn: 4, installchs: '1011', livechs: '1111' }, [1, 3, 4]],
    ['S-2.5.6: the live ones', 'DEV1@255', { chn: 4, installchs: '1111', livechs: '0111' }, [2, 3, 4]],
    ['S-2.5.7, S-9.1: at most eight', 'DEV1@65535', { chn: 16, installchs: '', livechs: '' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['S-2.5.8: numbered from 1', 'DEV1@1', { chn: 4, installchs: '', livechs: '' }, [1]],
  ] as const)('%s', async (_name, ref, info, expected) => {
    device(info);
    const page = await newPage();
    await openPlain(page, ref);
    await streams(expected.length);
    expect(channelsAsked().sort((left, right) => left - right)).toEqual(expected);
    expect(await labels(page)).toEqual(expected.map((channel) => `ch ${channel}`));
  });

  it.each([
    ['DEV1@7', ['1', '0', '0']],
    ['DEV1@6', ['0', '0']],
  ] as const)('S-2.5.17: of %s, sound is asked for channel 1 alone', async (ref, expected) => {
    const page = await newPage();
    await openPlain(page, ref);
    await streams(expected.length);
    const byChannel = [...upgrades()].sort((a, b) => Number(a.query.get('channel')) - Number(b.query.get('channel')));
    expect(byChannel.map(({ query }) => query.get('audio'))).toEqual(expected);
  });

  it.each([
    ['no bit set', 'DEV1@0'],
    ['bits above the channel count', 'DEV1@256'],
  ])('S-5.5: %s shows nothing', async (_name, ref) => {
    const page = await newPage();
    await openPlain(page, ref);
    await waitFor('the lookup', () => tap.requests({ path: LOOKUP }).length > 0);
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await page.locator('canvas, [role=alert]').count()).toBe(0);
    expect(upgrades()).toEqual([]);
  });
});

describe('the lookup of a live page', () => {
  it("S-4.15, S-8.8, S-8.1: loads, then shows the server's message as text, whatever the status", async () => {
    for (const status of [200, 403]) {
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const page = await newPage({ allowed: [{ url: /device\/device/, status: 403 }] });
      await page.route(/device\/device/, async (route) => {
        await held;
        await route.fulfill({ status, json: { error: true, message: '<i>E-77</i>' } });
      });
      await openPlain(page);
      await page.getByRole('progressbar').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      answer();
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('<i>E-77</i>');
      expect(await rednessOf(page)).toBeGreaterThan(2);
      expect(await page.title()).toBe('error');
      expect(upgrades()).toEqual([]);
    }
  });

  it('S-8.2, S-8.3: shows address, status and its text where the answer has no message, and logs it once', async () => {
    const teapot = { status: 418, statusText: "I'm a teapot", body: { error: true } };
    tap.when({ path: LOOKUP }, { kind: 'answer', ...teapot });
    const page = await newPage({ allowed: [{ url: /device\/device/, status: 418 }] });
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning' && message.text().includes(LOOKUP)) logged.push(message.text());
    });
    await openPlain(page);
    await page.getByRole('alert').waitFor();
    const text = (await page.getByRole('alert').textContent()) ?? '';
    for (const part of [LOOKUP, '418', "I'm a teapot"]) expect(text).toContain(part);
    expect(logged).toHaveLength(1);
    for (const seen of [text, ...logged]) expect(seen).not.toContain(credential);
    expect(await page.title()).toBe('error');
  });

  it('S-7.6: is answered alike for an unknown device, an unknown user and a wrong credential', async () => {
    const page = await newPage();
    const good = { username, credential, deviceid: 'DEV1' };
    const lookUp = async (change: Partial<typeof good>) => {
      const answer = await page.request.get(`${LOOKUP}?${new URLSearchParams({ ...good, ...change })}`);
      return [answer.status(), await answer.text()];
    };
    const [status, body] = await lookUp({});
    expect([status, JSON.parse(String(body))]).toMatchObject([200, { error: false, data: { chn: 8 } }]);
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

  it('S-8.9: shows the text of a network failure', async () => {
    tap.when({ path: LOOKUP }, { kind: 'cut' });
    const page = await newPage({ allowed: [{ url: /device\/device/, status: 'failed' }] });
    await openPlain(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Failed to fetch');
    expect(await page.title()).toBe('error');
  });
});

describe('the streams of a live page', () => {
  it('S-7.8: are one upgrade a channel at the fixed path, with exactly these names', async () => {
    const page = await newPage();
    await openPlain(page, 'DEV1@3');
    await streams(2);
    expect(upgrades().map(({ path }) => path)).toEqual([LIVE, LIVE]);
    for (const { query } of upgrades()) {
      expect([...query.keys()].sort()).toEqual(['audio', 'channel', 'credential', 'deviceid', 'username']);
    }
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

  it('S-7.13, S-7.17: run in a worker, to the host that the page came from', async () => {
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
  });

  it('S-7.17: are encrypted when the page is', async () => {
    let link = '';
    const secure = await startProduct(
      async (stores) => {
        link = await addWatchedVehicle(stores, VEHICLE);
      },
      { TLS: 'self-signed' },
    );
    onTestFinished(() => secure.stop());
    const page = await newPage({ ignoreHTTPSErrors: true });
    const addresses: string[] = [];
    page.on('websocket', (socket) => addresses.push(socket.url()));
    await page.goto(`${secure.address}/live/${link.replace('DEV1', 'DEV1@1')}`);
    await waitFor('the socket', () => addresses.length > 0);
    expect(new URL(addresses[0] ?? '').origin).toBe(secure.address.replace('https', 'wss'));
  });

  it('S-7.14: come by workers that are static files without a hash, revalidated', async () => {
    const page = await newPage();
    await openPlain(page, 'DEV1@1');
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
});

/** How many times the alert's red outweighs its other colours. */
function rednessOf(page: Page): Promise<number> {
  return page.getByRole('alert').evaluate((element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).map(Number);
    return red / Math.max(green, blue, 1);
  });
}
