// The whole way of a command: a button in the built page, the built gateway, a simulated terminal over TCP. And of another
// quality: the terminal's own sub stream.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { loadClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { consoleGuard, sharedChromium } from '../../support/browser/chromium.ts';
import { focusOn } from '../../support/browser/keyboard.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { addWatchedVehicle } from '../../support/browser/watcher.ts';
import { type Product, startProduct } from '../../support/gateway/product.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

const VEHICLE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 1,
  lapShare: 0,
  ptzChannels: [1],
  talkChannels: [1],
};

describe('a vehicle whose camera turns and that can be talked to', () => {
  let product: Product;
  let browser: Browser;
  let terminal: SimulatedTerminal;
  let link: string;
  const orders: MessageBody[] = [];
  let speechPackets = 0;

  beforeAll(async () => {
    const clip = await loadClip(new URL('../../../simulator/clips/road.h264', import.meta.url));
    product = await startProduct(async (stores) => {
      link = await addWatchedVehicle(stores, VEHICLE, ['live', 'control'], { ptzchs: '1', talkchs: '1' });
    });
    browser = await sharedChromium(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']);
    terminal = new SimulatedTerminal({
      profile: VEHICLE,
      gateway: { host: '127.0.0.1', port: product.jt808Port },
      clip,
      onMessage: (body) => orders.push(body),
      onSpeech: () => speechPackets++,
    });
    terminal.start();
  });

  afterAll(async () => {
    terminal?.stop();
    await product?.stop();
  });

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en' });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    consoleGuard(page);
    await page.goto(`${product.address}/live/${link}`);
    await page.locator('.tile-toolbar').waitFor({ state: 'attached' });
    return page;
  }

  const rotations = () => orders.flatMap((body) => (body.kind === 'ptzRotate' ? [body.direction] : []));

  it('turns it while an arrow key is down, hears what is said while the button is held, has a picture that stands when it goes, and sends its sub stream alone when that is chosen', async () => {
    const page = await openPage();
    await expectTurns(page);
    await expectSpeech(page);
    await expectReturn(page);
    await expectSubStream(page);
  });

  /** It stops when the key comes up. */
  async function expectTurns(page: Page): Promise<void> {
    await focusOn(page.getByRole('region', { name: 'ch 1' }));
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Left' }).waitFor();
    await page.keyboard.down('ArrowLeft');
    await waitFor('a movement', rotations, (directions) => directions.length === 1);
    await page.keyboard.up('ArrowLeft');
    const [moved, stopped] = await waitFor('a stop', rotations, (directions) => directions.length === 2);
    expect(moved).not.toBe(0);
    expect(stopped).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Left' }).waitFor({ state: 'detached' });
  }

  async function expectSpeech(page: Page): Promise<void> {
    await focusOn(page.getByRole('region', { name: 'ch 1' }));
    await page.keyboard.press('t');
    const button = page.getByRole('button', { name: /Hold to talk/ });
    await button.hover();
    await waitFor('the line', () => terminal.streams.includes('1/talk'));
    await page.mouse.down();
    await waitFor(
      'speech at the vehicle',
      () => speechPackets,
      (count) => count > 10,
    );
    await page.mouse.up();
    await page.keyboard.press('Escape');
    await within(10_000, () => waitFor('no line', () => !terminal.streams.includes('1/talk')));
  }

  async function expectSubStream(page: Page): Promise<void> {
    await page.mouse.move(600, 300);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'Low quality' }).click();
    // The main stream ends some seconds after its last viewer has gone.
    const isSubAlone = (streams: readonly string[]) => streams.join() === '1/1';
    await within(10_000, () => waitFor('the sub stream alone', () => terminal.streams, isSubAlone));
    const before = await readFrameNumber(page);
    await waitFor(
      'pictures',
      () => readFrameNumber(page),
      (frame) => frame !== undefined && frame !== before,
    );
  }

  /** It moves again when the vehicle is back. */
  async function expectReturn(page: Page): Promise<void> {
    const aPicture = () =>
      waitFor(
        'a picture',
        () => readFrameNumber(page),
        (frame) => frame !== undefined,
      );
    const moves = async () => {
      const before = await aPicture();
      await waitFor('another picture', async () => (await aPicture()) !== before);
    };
    await moves();
    terminal.stop();
    const stood = await waitFor('a picture that stands still', async () => {
      const [first, later] = [await readFrameNumber(page), await afterFrames(page, 30)];
      return first === later ? { frame: first } : undefined;
    });
    terminal.start();
    await waitFor('a picture that moves again', async () => (await readFrameNumber(page)) !== stood?.frame);
    await moves();
  }
});

/** The frame number after so many of the page's own animation frames. */
async function afterFrames(page: Page, count: number): Promise<number | undefined> {
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
  }, count);
  return readFrameNumber(page);
}
