import { describe, expect, it } from 'vitest';
import { fitPicture } from '../../../../../workers/video/decode/pictureSize.ts';

describe('fitPicture', () => {
  it.each([
    [
      'shrinks to the box, keeping the shape',
      { width: 704, height: 576 },
      { width: 400, height: 225 },
      { width: 275, height: 225 },
    ],
    [
      'keeps a small picture as it is',
      { width: 352, height: 288 },
      { width: 1600, height: 900 },
      { width: 352, height: 288 },
    ],
    [
      'takes the picture as it is while the box has no size',
      { width: 640, height: 360 },
      { width: 0, height: 0 },
      { width: 640, height: 360 },
    ],
    ['never comes to nothing', { width: 1000, height: 10 }, { width: 20, height: 20 }, { width: 20, height: 1 }],
  ])('%s', (_name, picture, box, fitted) => {
    expect(fitPicture(picture, box)).toEqual(fitted);
  });
});
