// How old the pictures are in what the compositor put together: reads the strips in a screencast of the whole page.
import type { CDPSession, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';

/** A strip in a composited picture of the page. */
export interface ScreenReading {
  readonly channel: number;
  readonly frame: number;
  /** When the compositor made the picture, epoch milliseconds. */
  readonly at: number;
}

interface Screen {
  readonly data: string;
  readonly at: number;
}

/** Where the picture of a channel stands in the page, in CSS pixels. */
interface PictureBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** At 60 a second, some four screens a second: more would measure the making of screenshots. */
const EVERY_NTH_SCREEN = 15;

export async function recordScreens(
  page: Page,
  session: CDPSession,
  request: { readonly lengthMs: number; readonly picture: { readonly width: number; readonly height: number } },
): Promise<ScreenReading[]> {
  const screens: Screen[] = [];
  const boxes = await pictureBoxes(page, request.picture);
  const note = ({ data, metadata, sessionId }: ScreencastFrame): void => {
    if (metadata.timestamp !== undefined) screens.push({ data, at: metadata.timestamp * 1000 });
    void session.send('Page.screencastFrameAck', { sessionId });
  };
  session.on('Page.screencastFrame', note);
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: EVERY_NTH_SCREEN });
  await page.waitForTimeout(request.lengthMs);
  await session.send('Page.stopScreencast');
  session.off('Page.screencastFrame', note);
  return screens.flatMap((screen) => readScreen(screen, boxes, request.picture.width));
}

interface ScreencastFrame {
  readonly data: string;
  readonly metadata: { readonly timestamp?: number };
  readonly sessionId: number;
}

/** The pictures are as large as fits their elements, in the middle of them. */
function pictureBoxes(page: Page, picture: { readonly width: number; readonly height: number }): Promise<PictureBox[]> {
  return page.evaluate(({ width, height }) => {
    return [...document.querySelectorAll('canvas, video')].map((element) => {
      const box = element.getBoundingClientRect();
      const scale = Math.min(box.width / width, box.height / height);
      return {
        x: box.x + (box.width - width * scale) / 2,
        y: box.y + (box.height - height * scale) / 2,
        width: width * scale,
      };
    });
  }, picture);
}

function readScreen({ data, at }: Screen, boxes: readonly PictureBox[], pictureWidth: number): ScreenReading[] {
  const image = PNG.sync.read(Buffer.from(data, 'base64'));
  return boxes.flatMap((box, index) => {
    const scale = box.width / pictureWidth;
    const y = Math.round(box.y + (STRIP_BLOCK_PIXELS / 2) * scale);
    const blocks = Array.from({ length: STRIP_BLOCKS }, (_, block) => {
      const x = Math.round(box.x + (block + 0.5) * STRIP_BLOCK_PIXELS * scale);
      return lumaOf(image.data.subarray((y * image.width + x) * 4)) > 127;
    });
    const strip = decodeStrip(blocks);
    return strip?.channel === index + 1 ? [{ channel: strip.channel, frame: strip.frame, at }] : [];
  });
}

/** The strip is written into the luma alone: the test card's colours shine through it. */
function lumaOf([red = 0, green = 0, blue = 0]: Uint8Array): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
