import { describe, expect, it } from 'vitest';
import { PictureMirror } from '../../../../../workers/video/paint/pictureMirror.ts';

function makeFrame() {
  const copies: { isClosed: boolean; close: () => void }[] = [];
  const frame = {
    clone: () => {
      const copy = {
        isClosed: false,
        close: () => {
          copy.isClosed = true;
        },
      };
      copies.push(copy);
      return copy;
    },
  };
  return { frame: frame as unknown as VideoFrame, copies };
}

describe('PictureMirror', () => {
  it('gives copies away, and none to a reader that is behind', async () => {
    const taken: unknown[] = [];
    let release = () => {};
    const sink = {
      write: (copy: unknown) => {
        taken.push(copy);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    };
    const { frame, copies } = makeFrame();
    const mirror = new PictureMirror(new WritableStream<VideoFrame>(sink));
    await Promise.resolve();
    mirror.show(frame);
    mirror.show(frame);
    expect(copies).toHaveLength(1);
    release();
    await new Promise((resolve) => setTimeout(resolve));
    mirror.show(frame);
    expect(copies).toHaveLength(2);
    expect(taken[0]).toBe(copies[0]);
  });

  it('takes back what a broken reader refuses', async () => {
    const sink = { write: () => Promise.reject(new Error('gone')) };
    const { frame, copies } = makeFrame();
    const mirror = new PictureMirror(new WritableStream<VideoFrame>(sink));
    await new Promise((resolve) => setTimeout(resolve));
    mirror.show(frame);
    await new Promise((resolve) => setTimeout(resolve));
    mirror.show(frame);
    expect(copies.map((copy) => copy.isClosed)).toEqual([true]);
    mirror.close();
    mirror.close();
  });
});
