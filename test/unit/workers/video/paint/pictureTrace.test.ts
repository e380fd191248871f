import { expect, it } from 'vitest';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { PictureTrace } from '../../../../../workers/video/paint/pictureTrace.ts';

const picture = (number: number, at: number) => ({
  streamId: 1,
  mediaTimeUs: mediaUs(number),
  deviceTimeMs: wallMs(0),
  at,
});

function setUp() {
  const waiting: ((at: number) => void)[] = [];
  const trace = new PictureTrace({ onNextFrame: (run) => waiting.push(run) });
  const frame = (at: number) => {
    for (const run of waiting.splice(0)) run(at);
  };
  return { trace, frame, waiting };
}

const told = (pictures: readonly { readonly mediaTimeUs: number; readonly committedAt?: number | undefined }[]) =>
  pictures.map(({ mediaTimeUs, committedAt }) => [mediaTimeUs, committedAt]);

it('tells of pictures once the next animation frame has taken them along', () => {
  const { trace, frame, waiting } = setUp();
  trace.add(picture(1, 100));
  trace.add(picture(2, 105));
  expect(waiting).toHaveLength(1);
  expect(trace.take(110)).toEqual([]);
  frame(116);
  trace.add(picture(3, 120));
  expect(told(trace.take(121))).toEqual([
    [1, 116],
    [2, 116],
  ]);
  frame(133);
  expect(told(trace.take(140))).toEqual([[3, 133]]);
  expect(trace.take(150)).toEqual([]);
});

it('does not wait for ever for an animation frame that does not come', () => {
  const { trace, frame } = setUp();
  trace.add(picture(1, 100));
  trace.add(picture(2, 180));
  expect(told(trace.take(210))).toEqual([[1, undefined]]);
  frame(216);
  expect(told(trace.take(217))).toEqual([[2, 216]]);
});
