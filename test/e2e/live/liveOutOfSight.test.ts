// A page that nobody sees asks for sound alone, and shows pictures that move when it is seen again, without a reload.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  frameNumbers,
  newPage,
  setScene,
  shownPictures,
  startGateway,
  waitForPictures,
} from '../../browser/player/scene.ts';
import { startHostPage } from '../../support/browser/hostPage.ts';
import { type FakeGateway, type FakeViewer, videoPacket } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

const scene = setScene();
let gateway: FakeGateway;
let page: Page;

beforeEach(async () => {
  gateway = await startGateway();
  page = await newPage(scene.browser());
});

const open = () => page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`);
const stream = async (): Promise<FakeViewer> => (await waitFor('the stream', () => gateway.viewers[0])) as FakeViewer;
const setHidden = (isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

describe('a page out of sight', () => {
  it('asks for sound alone, and shows moving pictures again from the next key frame on', async () => {
    const said: string[] = [];
    gateway.onViewer = (viewer) => {
      viewer.socket.on('message', (data) => said.push(String(data)));
      viewer.play(scene.clip().frames);
    };
    await open();
    await waitForPictures(page, 10);
    await setHidden(true);
    await waitFor('the request', () => said.includes('{"type":"video","on":false}'));
    (await stream()).stop();
    await setHidden(false);
    await waitFor('the request', () => said.includes('{"type":"video","on":true}'));
    // What comes first is the middle of a group: it must not be decoded, whatever the server sends.
    const { frames } = scene.clip();
    const key = frames.findIndex((picture, index) => index > 10 && picture.isKey);
    const before = (await shownPictures(page)).length;
    for (let frame = key - 5; frame < key + 20; frame++) {
      const picture = frames[frame];
      if (picture !== undefined) (await stream()).send(videoPacket(picture, frame));
    }
    (await stream()).play(frames, { startFrame: key + frames.length });
    const shown = frameNumbers(await waitForPictures(page, before + 10));
    expect(shown.filter((frame) => frame >= key - 5 && frame < key)).toEqual([]);
    expect(gateway.viewers).toHaveLength(1);
  });
});

describe('a page in a frame that is scrolled away', () => {
  it('asks for sound alone, and shows moving pictures again when it is scrolled back', async () => {
    const said: string[] = [];
    gateway.onViewer = (viewer) => {
      viewer.socket.on('message', (data) => said.push(String(data)));
      viewer.play(scene.clip().frames, { burst: 5 });
    };
    const address = `${gateway.origin}/live/DEV1@1/ann/secret1?trace=1`;
    const frame = `<iframe name=video width=640 height=360 src="${address}"></iframe>`;
    await page.goto(await startHostPage(`${frame}<div style="height: 5000px"></div>`));
    const pictures = () =>
      page.frame({ name: 'video' })?.evaluate(() => globalThis.__fleetglassTrace?.length ?? 0) ?? Promise.resolve(0);
    await waitFor('pictures', pictures, (count) => count > 5);
    await page.evaluate(() => window.scrollTo(0, 4_000));
    await waitFor('the request', () => said.at(-1) === '{"type":"video","on":false}');
    await page.evaluate(() => window.scrollTo(0, 0));
    await waitFor('the request', () => said.at(-1) === '{"type":"video","on":true}');
    const before = await pictures();
    await waitFor('more pictures', pictures, (count) => count > before + 10);
    expect(gateway.viewers).toHaveLength(1);
  });
});
