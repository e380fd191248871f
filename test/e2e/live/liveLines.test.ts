// Lines from a live page to a vehicle: its cameras, its loudspeaker. And the page that frames the page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeALaw } from '../../../server/device/audio/g711.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { newPage, type PageOptions, setScene, startGateway } from '../../browser/player/scene.ts';
import { hostMessages, startHostPage } from '../../support/browser/hostPage.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import { axeFaults } from '../../support/browser/looks.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import {
  audioPacket,
  controlPacket,
  eventPacket,
  type FakeGateway,
  type FakeViewer,
} from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene([
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]);
let gateway: FakeGateway;
/** What pages said on lines, in text. */
let said: string[];
let speech: Buffer[];
let onLine: (line: FakeViewer) => void;

beforeEach(async () => {
  said = [];
  speech = [];
  onLine = (line) => {
    const isTalk = line.path.endsWith('/talk');
    line.send(controlPacket(isTalk ? { type: 'opened', sampleRate: 8_000 } : { type: 'held' }));
  };
  gateway = await startGateway({ device: { chn: 2, installchs: '', livechs: '', ptzchs: '10', talkchs: '10' } });
  gateway.onViewer = (viewer) => {
    if (!viewer.path.startsWith('/stream/control/')) return viewer.play(scene.clip().frames, { burst: 5 });
    viewer.socket.on('message', (data: Buffer, isBinary: boolean) =>
      isBinary ? speech.push(data) : said.push(String(data)),
    );
    onLine(viewer);
  };
});

const tileOf = (page: Page, channel = 1) => page.getByRole('region', { name: `ch ${channel}`, exact: true });

async function open(key: 'c' | 't', options: PageOptions = {}, mask = 1): Promise<Page> {
  const page = await newPage(scene.browser(), options);
  await page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1`);
  await page.locator('.tile-toolbar').first().waitFor({ state: 'attached' });
  await focusOn(tileOf(page));
  await page.keyboard.press(key);
  return page;
}

const lines = () => gateway.viewers.filter((viewer) => viewer.path.startsWith('/stream/control/'));
const heard = (count: number) =>
  waitFor(
    `${count} messages`,
    () => said,
    (messages) => messages.length >= count,
  );

describe('a camera', () => {
  const left = '{"type":"move","direction":"left","speed":96}';
  const stop = '{"type":"stop"}';

  it('is offered where it can be moved, moves while a button or an arrow key is held, and stops once when something comes between; who holds it is named, with a way on', async () => {
    const page = await open('c', {}, 3);
    await expectOffer(page);
    await expectMovements(page);
    await expectHolder(page);
  });

  /** Where the device says that it can be moved; asked for with the stream’s own credential. */
  async function expectOffer(page: Page): Promise<void> {
    await page.locator('.tile-toolbar').nth(1).waitFor({ state: 'attached' });
    const offers = (channel: number) =>
      tileOf(page, channel).getByRole('button', { name: 'PTZ', includeHidden: true }).count();
    expect([await offers(1), await offers(2)]).toEqual([1, 0]);
    await page.getByRole('button', { name: 'Left' }).waitFor();
    expect(lines().map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/stream/control/ptz', { username: 'ann', credential: 'secret1', deviceid: 'DEV1', channel: '1' }],
    ]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await switchLanguage(page, 'jp');
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await switchLanguage(page, 'en');
    await page.keyboard.press('Escape');
    await waitFor('no line', () => lines().every((line) => !line.isOpen));
  }

  async function expectMovements(page: Page): Promise<void> {
    await focusOn(tileOf(page));
    await page.keyboard.press('c');
    said.length = 0;
    const button = page.getByRole('button', { name: 'Left' });
    await button.hover();
    await page.mouse.down();
    await heard(1);
    await page.mouse.up();
    await heard(2);
    await focusOn(page.getByRole('button', { name: 'Zoom in' }));
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.getByRole('button', { name: 'Wiper' }).click();
    expect(await heard(5)).toEqual([
      left,
      stop,
      '{"type":"zoom","direction":"in"}',
      stop,
      '{"type":"wiper","on":true}',
    ]);
    // One movement a press, however often the key repeats itself.
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.up('ArrowLeft');
    expect((await heard(7)).slice(5)).toEqual([left, stop]);
    for (const interrupt of [
      () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
      () => button.dispatchEvent('pointercancel', { pointerId: 1 }),
      () => page.keyboard.press('Escape'),
    ]) {
      const before = await settled(() => said.length);
      await button.hover();
      await page.mouse.down();
      await heard(before + 1);
      await interrupt();
      expect((await heard(before + 2)).slice(before, before + 2)).toEqual([left, stop]);
      await page.mouse.up();
    }
  }

  /** One that another person holds, or that does not answer. */
  async function expectHolder(page: Page): Promise<void> {
    onLine = (line) => {
      line.send(eventPacket({ type: 'error', code: 'E-9', message: 'somebody else moves it' }));
      line.socket.close();
    };
    await focusOn(tileOf(page));
    await page.keyboard.press('c');
    await page.getByText('somebody else moves it').waitFor();
    onLine = (line) => {
      line.send(controlPacket({ type: 'held' }));
      line.send(controlPacket({ type: 'failed', code: 'E-8', message: 'the camera said no' }));
    };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('the camera said no').waitFor();
    await page.getByRole('button', { name: 'Left' }).waitFor();
  }

  it('moves by a finger', async () => {
    const page = await open('c', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Left' }).tap();
    expect(await heard(2)).toEqual([left, stop]);
  });
});

describe('talking', () => {
  const button = (page: Page) => page.getByRole('button', { name: /Hold to talk|Speaking/ });
  const spokenMs = () => speech.reduce((sum, part) => sum + part.length, 0) / 16;

  it('sends the microphone while the button is held, or from a short press to the next, lets the vehicle be heard meanwhile, and says why there is no microphone', async () => {
    const page = await open('t');
    await expectHeld(page);
    await expectShortPress(page);
    await expectVehicle(page);
    await expectNoMicrophone(page);
  });

  /** At the rate that was told, and not before or after. */
  async function expectHeld(page: Page): Promise<void> {
    await button(page).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await switchLanguage(page, 'zh-TW');
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await switchLanguage(page, 'en');
    await button(page).hover();
    expect(speech).toEqual([]);
    const startedMs = performance.now();
    await page.mouse.down();
    await waitFor('a second of speech', spokenMs, (ms) => ms >= 1_000);
    await page.mouse.up();
    const tookMs = performance.now() - startedMs;
    // Speech cannot outrun time; what came late is not made up for.
    expect(spokenMs()).toBeLessThan(tookMs + 100);
    await waitFor(
      'quiet',
      () => button(page).textContent(),
      (text) => text?.startsWith('Hold') === true,
    );
    const before = await settled(() => speech.length);
    expect(before).toBe(await settled(() => speech.length));
    expect(new Set(speech.map((part) => part.length))).toEqual(new Set([640]));
    const samples = speech.flatMap((part) =>
      Array.from({ length: part.length / 2 }, (_, at) => Math.abs(part.readInt16LE(at * 2))),
    );
    // The browser's stand-in for a microphone beeps once a second.
    expect(Math.max(...samples)).toBeGreaterThan(1_000);
  }

  /** Speech goes on after it, and ends with the panel. */
  async function expectShortPress(page: Page): Promise<void> {
    speech.length = 0;
    await button(page).click();
    await waitFor('half a second of speech', spokenMs, (ms) => ms >= 500);
    await page.keyboard.press('Escape');
    await waitFor('no line', () => lines().every((line) => !line.isOpen));
    await expect.poll(() => page.locator('.tile-talk').count()).toBe(0);
  }

  /** The channel is silent meanwhile. */
  async function expectVehicle(page: Page): Promise<void> {
    onLine = (line) => {
      line.send(controlPacket({ type: 'opened', sampleRate: 8_000 }));
      let index = 0;
      const timer = setInterval(() => {
        const tone = Uint8Array.from({ length: 320 }, (_, at) => encodeALaw(Math.sin(at / 3) * 8_000));
        line.send(audioPacket(Codec.G711A, tone, index++ * 40_000));
      }, 40);
      line.socket.on('close', () => clearInterval(timer));
    };
    await focusOn(tileOf(page));
    await page.keyboard.press('t');
    const sound = tileOf(page).getByRole('button', { name: 'Sound', includeHidden: true });
    await waitFor('the sound’s parts', () =>
      gateway.requests.some((path) => path.startsWith('/workers/audio.worklet')),
    );
    await expect.poll(() => sound.getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('Escape');
    await waitFor(
      'the channel’s sound',
      () => sound.getAttribute('aria-pressed'),
      (pressed) => pressed === 'true',
    );
  }

  /** No vehicle is called. */
  async function expectNoMicrophone(page: Page): Promise<void> {
    const before = lines().length;
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('', (globalThis as unknown as { microphoneError: string }).microphoneError));
    });
    for (const [microphoneError, text] of [
      ['NotFoundError', 'No microphone found. Connect one and try again.'],
      ['NotAllowedError', 'The browser blocks the microphone. Allow this page to use it, then try again.'],
      ['NotReadableError', 'Another program is using the microphone. Close it and try again.'],
    ]) {
      await page.evaluate((name) => Object.assign(globalThis, { microphoneError: name }), microphoneError);
      await focusOn(tileOf(page));
      await page.keyboard.press('t');
      await page.getByText(text ?? '').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.tile-talk').waitFor({ state: 'detached' });
    }
    expect(lines()).toHaveLength(before);
  }
});

/** A count that stands still for a quarter of a second. */
async function settled(read: () => number): Promise<number> {
  let last = read();
  let sinceMs = performance.now();
  return waitFor('a count that stands still', () => {
    if (read() !== last) [last, sinceMs] = [read(), performance.now()];
    return performance.now() - sinceMs >= 250 ? { last } : undefined;
  }).then((found) => found?.last ?? -1);
}

describe('picture in picture', () => {
  it('goes on showing pictures when the page is out of sight', async () => {
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1@1/ann/secret1?trace=1`);
    await page.locator('.tile-toolbar').waitFor({ state: 'attached' });
    const messages: string[] = [];
    gateway.viewers[0]?.socket.on('message', (data) => messages.push(String(data)));
    await tileOf(page).hover();
    await tileOf(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Picture in picture' }).click();
    const played = () =>
      page.evaluate(() => {
        const video = document.pictureInPictureElement as HTMLVideoElement | null;
        return video === null ? -1 : video.getVideoPlaybackQuality().totalVideoFrames;
      });
    await waitFor('a window that plays', played, (frames) => frames > 5);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const before = await played();
    await waitFor('more pictures', played, (frames) => frames > before + 25);
    expect(messages).toEqual([]);
    await page.evaluate(() => document.exitPictureInPicture());
    await waitFor(
      'sound alone',
      () => messages.join(),
      (text) => text === '{"type":"video","on":false}',
    );
  });
});

describe('the example of a framing page', () => {
  it('frames a vehicle from another site, without tools, silences it and gets a snapshot', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../docs/framing-example.html'), 'utf8');
    const page = await newPage(scene.browser());
    await page.goto(await startHostPage(text.replace('GATEWAY', gateway.origin).replace('LINK', 'DEV1@1/ann/secret1')));
    const frame = page.frames()[1];
    await waitFor(
      'pictures',
      () => frame?.locator('canvas').count(),
      (count) => count === 1,
    );
    const ask = (what: string) => page.getByRole('combobox').selectOption(what);
    await waitFor(
      'a snapshot',
      async () => {
        await ask('mute');
        await ask('snapshot');
        return page.evaluate(() => (document.getElementById('image') as HTMLImageElement).naturalWidth);
      },
      (width) => width === 640,
    );
    expect(await frame?.locator('.tile-toolbar').count()).toBe(0);
    const answers = (await hostMessages(page)).map(({ data }) => data as Record<string, unknown>);
    expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['fleetglass:answer']));
    expect(JSON.stringify(answers)).not.toMatch(/"ann"|secret1/);
  });

  it('is answered nothing that it did not ask in words that are known, nor is any other window', async () => {
    const page = await newPage(scene.browser());
    const address = `${gateway.origin}/live/DEV1@1/ann/secret1`;
    await page.goto(await startHostPage(`<iframe src="${address}"></iframe><iframe srcdoc="<p>other</p>"></iframe>`));
    const video = page.frames().find((frame) => frame.url().startsWith(gateway.origin));
    await waitFor(
      'a picture',
      async () => video && readFrameNumber(video as unknown as Page),
      (number) => number !== undefined,
    );
    await page.evaluate(() => {
      const [live, other] = [window.frames[0], window.frames[1]];
      live?.postMessage({ type: 'fleetglass:reboot', version: 1, id: 'unknown' }, '*');
      live?.postMessage({ type: 'fleetglass:snapshot', version: 99, id: 'version' }, '*');
      const script = other?.document.createElement('script');
      if (script === undefined || other === undefined) return;
      script.textContent = `parent.frames[0].postMessage({ type: 'fleetglass:snapshot', version: 1, id: 'sibling' }, '*')`;
      other.document.body.append(script);
    });
    await page.evaluate(() => window.frames[0]?.postMessage({ type: 'fleetglass:mute', version: 1, id: 'last' }, '*'));
    const answers = await waitFor(
      'the last answer',
      async () => (await hostMessages(page)).map(({ data }) => data as { id?: string; type: string }),
      (messages) => messages.some(({ id }) => id === 'last'),
    );
    expect(answers.filter(({ type }) => type === 'fleetglass:answer').map(({ id }) => id)).toEqual(['last']);
  });
});
