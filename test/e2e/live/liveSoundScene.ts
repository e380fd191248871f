// A live page with two channels whose streams the test sends: tones, as a terminal's microphone gives them.
import type { Page } from 'playwright-core';
import { beforeEach, onTestFinished } from 'vitest';
import { encodeALaw } from '../../../server/device/audio/g711.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { newPage, setScene, startGateway } from '../../browser/player/scene.ts';
import { spyOnSound } from '../../support/browser/soundSpy.ts';
import { audioPacket, type FakeGateway, type FakeViewer } from '../../support/fakes/fakeStream.ts';
import { waitFor } from '../../support/waitFor.ts';

export const CHUNK_MS = 40;
const CHUNK_SAMPLES = 8 * CHUNK_MS;

export interface SoundScene {
  readonly scene: ReturnType<typeof setScene>;
  /** The gateway of the running test. */
  gateway(): FakeGateway;
  /** Shows the channels of a mask, with a spy on what reaches the loudspeaker. */
  openPage(mask?: number): Promise<Page>;
  streamOf(channel: number): Promise<FakeViewer>;
}

/** Call it where a file begins: it sets up each test of the file. */
export function setSoundScene(): SoundScene {
  const scene = setScene(['--autoplay-policy=no-user-gesture-required']);
  let gateway: FakeGateway;
  beforeEach(async () => {
    gateway = await startGateway({ device: { chn: 2, installchs: '', livechs: '' } });
  });
  return {
    scene,
    gateway: () => gateway,
    openPage: async (mask = 1) => {
      const page = await newPage(scene.browser());
      await spyOnSound(page);
      await page.goto(`${gateway.origin}/live/DEV1@${mask}/ann/secret1?trace=1`);
      return page;
    },
    streamOf: async (channel) =>
      (await waitFor(`channel ${channel}`, () =>
        gateway.viewers.find((viewer) => viewer.channel === channel),
      )) as FakeViewer,
  };
}

/** A-law chunk number `index` of an endless tone. */
export function toneChunk(index: number, peak: number, hertz = 1_000): Uint8Array {
  return Uint8Array.from({ length: CHUNK_SAMPLES }, (_, at) => {
    const time = (index * CHUNK_SAMPLES + at) / 8_000;
    return encodeALaw(Math.round(Math.sin(time * 2 * Math.PI * hertz) * peak * 32_767));
  });
}

export function sendChunk(to: FakeViewer, index: number, bytes: Uint8Array): void {
  to.send(audioPacket(Codec.G711A, bytes, index * CHUNK_MS * 1_000));
}

/** Sends a chunk when its time is over, as a terminal does; the result ends it. */
export function playTone(to: FakeViewer, chunkAt: (index: number) => Uint8Array): () => void {
  const startedMs = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = (performance.now() - startedMs) / CHUNK_MS;
    for (; next + 1 <= due && to.isOpen; next++) sendChunk(to, next, chunkAt(next));
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => clearInterval(timer);
}
