// The remote playback page's address, calls and failures, seen from the proxy before the built gateway.
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket as NodeSocket } from 'ws';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { readTranslation } from '../../support/fakes/fakeGateway.ts';
import { VEHICLE } from '../../support/gateway/watchedProduct.ts';
import { waitFor } from '../../support/waitFor.ts';
import { LOOKUP, MOMENT, PLAY, REMOTE, setRemoteScene } from './remoteScene.ts';

const scene = setRemoteScene();
const { newPage, plays, upgrades } = scene;

const device = (chn: number) =>
  scene.tap.when(
    { path: LOOKUP },
    { kind: 'answer', body: { error: false, data: { chn, installchs: '', livechs: '' } } },
  );
/** The play request succeeds without a device. */
const goodPlay = () => scene.tap.when({ path: PLAY }, { kind: 'answer', body: { error: false, data: {} } });
const open = (page: Page, parts = `60/${MOMENT}`, ref = 'DEV1') =>
  page.goto(`/remote/${ref}/${parts}/${scene.credentialOf(VEHICLE)}`);
const bodies = (): Record<string, unknown>[] => plays().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const upgrade = () => waitFor('the stream', () => upgrades().length > 0);
const alertText = async (page: Page): Promise<string | null> => {
  await page.getByRole('alert').waitFor();
  return page.getByRole('alert').textContent();
};
const rednessOf = (page: Page): Promise<number> =>
  page.getByRole('alert').evaluate((alert) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(alert).backgroundColor.match(/\d+/g) ?? []).map(Number);
    return red / Math.max(1, green, blue);
  });
const refused = [{ url: /playback\/remote\/play/, status: 409 }];

describe('the address of a remote playback page', () => {
  it('S-2.7.1, S-7.7, S-7.10, S-7.16: names device, duration, time, user and credential, decoded', async () => {
    device(2);
    goodPlay();
    const page = await newPage();
    await page.goto('/remote/A%26B%3D1@3/90/2026-11-20T16%3A03%3A05+02%3A00/%C3%BC%20%2B/secret1');
    await upgrade();
    const named = { username: 'ü +', credential: 'secret1' };
    expect(Object.fromEntries(scene.tap.requests({ path: LOOKUP })[0]?.query ?? [])).toEqual({
      ...named,
      deviceid: 'A&B=1',
    });
    expect(Object.fromEntries(plays()[0]?.query ?? [])).toEqual(named);
    const [body] = bodies();
    expect(body).toEqual({
      deviceid: 'A&B=1',
      streamid: expect.any(Number),
      spbtime: MOMENT,
      duration: 90,
      chs: 1,
      main: 0,
    });
    expect(upgrades()[0]?.path).toBe(REMOTE);
    expect(Object.fromEntries(upgrades()[0]?.query ?? [])).toEqual({
      ...named,
      deviceid: 'A&B=1',
      channel: '1',
      audio: '1',
      streamid: String(body?.streamid),
    });
  });

  it('S-2.7.2, S-2.7.3, S-2.7.5, S-5.3, S-9.3, S-9.4: means the first channel of the mask and 1 to 1800 seconds, under a stream id of its own, in every language alike', async () => {
    device(4);
    goodPlay();
    const page = await newPage();
    for (const [ref, seconds, channel] of [
      ['DEV1', '1801', 1],
      ['DEV1@12', '1800', 3],
    ] as const) {
      const before = upgrades().length;
      await open(page, `${seconds}/${MOMENT}`, ref);
      await waitFor('the stream', () => upgrades().length > before);
      expect(
        upgrades()
          .slice(before)
          .map(({ query }) => query.get('channel')),
      ).toEqual([String(channel)]);
      const tiles = page.locator('section');
      expect(await tiles.evaluateAll((all) => all.map((tile) => tile.ariaLabel))).toEqual([`ch ${channel}`]);
    }
    expect(bodies().map(({ chs, duration }) => [chs, duration])).toEqual([
      [1, 60],
      [4, 1800],
    ]);
    const ids = bodies().map(({ streamid }) => Number(streamid));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => Number.isInteger(id) && id >= 1 && id < 100_000_000)).toBe(true);
    for (const locale of ['en', 'zh-TW', 'jp'] as const) {
      await switchLanguage(page, locale);
      expect(await page.title()).toBe('DEV1 Playback');
    }
  });

  it('S-5.4, S-5.5, S-2.7.4: shows and plays nothing without a date or a channel, and with too few parts is told to be no link', async () => {
    device(2);
    const page = await newPage();
    for (const [parts, ref] of [
      ['60/notadate', 'DEV1'],
      [`60/${MOMENT}`, 'DEV1@8'],
    ] as const) {
      await open(page, parts, ref);
      await waitFor('the page', async () => (await page.title()) === 'DEV1 Playback');
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.locator('canvas').count()).toBe(0);
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
    }
    await page.goto('/remote/DEV1');
    expect(await alertText(page)).toMatch(/Can't open this link/);
    expect(await page.title()).toBe('error');
    expect(plays()).toEqual([]);
    expect(upgrades()).toEqual([]);
  });
});

// What its failures are called, one by one and in each language: test/dom/player/remoteFailures.test.ts.
describe('a remote playback page that loads', () => {
  it('S-4.16: opens no stream before the play request has succeeded', async () => {
    device(1);
    let answer = () => {};
    const page = await newPage();
    await page.clock.install();
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/remote\/play/, async (route) => {
      await held;
      await route.fulfill({ json: { error: false, data: {} } });
    });
    await open(page);
    await page.getByRole('progressbar').waitFor();
    await page.clock.runFor(3_000);
    expect(upgrades()).toEqual([]);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    answer();
    await upgrade();
  });

  it('S-4.16, S-8.10, S-8.11: shows why the device does not play, in the language of the page, and opens no stream', async () => {
    device(1);
    const page = await newPage({ allowed: [...refused, { url: /remote\/play/, status: 'failed' }] });
    await page.clock.install();
    const says = (wanted: string | undefined) =>
      waitFor(
        `the text "${wanted}"`,
        () => alertText(page),
        (text) => text === wanted,
      );
    const failures = [
      { action: { kind: 'answer', body: { error: true, message: 'busy-9' } }, text: () => 'busy-9' },
      {
        action: { kind: 'answer', status: 409, body: { error: true, code: 'busy', message: 'not for users' } },
        text: (locale: string) => readTranslation(locale, 'Errors').busy,
      },
      { action: { kind: 'cut' }, text: (locale: string) => readTranslation(locale, 'Common')['connect failed'] },
    ] as const;
    for (const [index, { action, text }] of failures.entries()) {
      const remove = scene.tap.when({ path: PLAY }, action);
      await open(page);
      for (const locale of ['zh-TW', 'jp', 'en'] as const) {
        await switchLanguage(page, locale);
        await says(text(locale));
      }
      expect(await rednessOf(page)).toBeGreaterThan(2);
      expect(await page.title()).toBe('error');
      await page.clock.runFor(10_000);
      // A browser sends a request whose connection was cut again by itself.
      if (action.kind === 'answer') expect(plays()).toHaveLength(index + 1);
      remove();
    }
    expect(upgrades()).toEqual([]);
  });
});

describe("the gateway's side of remote playback", () => {
  const post = (query: Record<string, string>, body: Record<string, unknown>) =>
    fetch(`${scene.product.address}${PLAY}?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: scene.product.address },
      body: JSON.stringify(body),
    });
  const good = { deviceid: 'DEV1', streamid: 7, spbtime: MOMENT, duration: 60, chs: 1, main: 0 };
  const link = () => {
    const [username = '', credential = ''] = scene.credentialOf(VEHICLE).split('/');
    return { username, credential };
  };
  const codeOf = async (answer: Promise<Response>): Promise<unknown> => {
    const response = await answer;
    const { code } = (await response.json()) as { code?: string };
    return [response.status, code];
  };

  it('S-7.7: takes exactly what the call names, as mask or as bits, and says what is wrong with the rest', async () => {
    for (const chs of [1, '1', '1000'])
      expect(await codeOf(post(link(), { ...good, chs }))).toEqual([409, 'device-offline']);
    const { main: _, ...withoutMain } = good;
    expect(await codeOf(post(link(), withoutMain))).toEqual([409, 'device-offline']);
    for (const bad of [
      { duration: 0 },
      { duration: 1801 },
      { duration: 1.5 },
      { duration: '60' },
      { streamid: 0 },
      { streamid: 100_000_000 },
      { spbtime: 0 },
      { spbtime: '2026' },
      { chs: 0 },
      { chs: '' },
      { chs: '0000' },
      { chs: '12' },
      { chs: -1 },
      { main: 3 },
      { deviceid: undefined },
    ])
      expect((await post(link(), { ...good, ...bad })).status, JSON.stringify(bad)).toBeGreaterThanOrEqual(400);
    expect(await codeOf(post(link(), { ...good, chs: 2 ** 4 }))).toEqual([404, 'no-such-channel']);
  });

  it('S-7.7: is opened by a link to the device and by none else', async () => {
    expect(await codeOf(post({ ...link(), credential: 'wrong1' }, good))).toEqual([403, 'link-refused']);
    expect(await codeOf(post({ ...link(), username: 'other' }, good))).toEqual([403, 'link-refused']);
    expect(await codeOf(post(link(), { ...good, deviceid: 'DEV2' }))).toEqual([403, 'link-refused']);
    // A device in the query is not the one that would be played.
    expect(await codeOf(post({ ...link(), deviceid: 'DEV1' }, { ...good, deviceid: 'DEV2' }))).toEqual([
      403,
      'link-refused',
    ]);
  });

  it('S-7.10: tells a stream that was not asked for, or of a wrong credential, why, then closes', async () => {
    const wanted = { ...link(), deviceid: 'DEV1', channel: '1', audio: '0', streamid: '7' };
    expect(await refusalOf(wanted)).toEqual(['not-playing', 1008]);
    expect(await refusalOf({ ...wanted, credential: 'wrong1' })).toEqual(['link-refused', 1008]);
    expect(await refusalOf({ ...wanted, streamid: '0' })).toEqual(['bad-request', 1008]);
  });

  async function refusalOf(query: Record<string, string>): Promise<readonly [string | undefined, number]> {
    const address = scene.product.address.replace('http', 'ws');
    const socket = new NodeSocket(`${address}${REMOTE}?${new URLSearchParams(query)}`, {
      origin: scene.product.address,
    });
    onTestFinished(() => socket.terminate());
    socket.binaryType = 'arraybuffer';
    let code: string | undefined;
    socket.on('message', (data: ArrayBuffer) => {
      const [packet] = readMessage(new Uint8Array(data)).packets;
      const event = packet && parseStreamEvent(packet.payload);
      if (event?.type === 'error') code = event.code;
    });
    return new Promise((resolve) => socket.on('close', (closedWith) => resolve([code, closedWith])));
  }
});
