import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZoomed, pictureIn, pushed, WHOLE_PICTURE, zoomAt } from '../../../../../shared/player/tools/zoom.ts';
import { visiblePart } from '../../../../../workers/video/paint/pictureView.ts';

const picture = { width: 1920, height: 1080 };

describe('digital zoom', () => {
  it('keeps what lies under the pointer there', () => {
    const at = { x: 0.25, y: 0.6 };
    const seen = (view: typeof WHOLE_PICTURE) => {
      const part = visiblePart(picture, view);
      return [part.x + at.x * part.width, part.y + at.y * part.height];
    };
    const once = zoomAt(WHOLE_PICTURE, 2, at);
    const [x = 0, y = 0] = seen(zoomAt(once, 1.7, at));
    expect(x).toBeCloseTo(0.25 * 1920, 6);
    expect(y).toBeCloseTo(0.6 * 1080, 6);
  });

  it('goes from the whole picture to eight times and back', () => {
    const most = zoomAt(WHOLE_PICTURE, 100, { x: 1, y: 1 });
    expect(most).toEqual({ scale: 8, centerX: 1 - 1 / 16, centerY: 1 - 1 / 16 });
    expect(zoomAt(most, 0.001, { x: 0, y: 0 })).toEqual(WHOLE_PICTURE);
    expect([isZoomed(most), isZoomed(WHOLE_PICTURE)]).toEqual([true, false]);
  });

  it('moves with the hand, by what is seen, and stops at the edge', () => {
    const view = zoomAt(WHOLE_PICTURE, 2, { x: 0.5, y: 0.5 });
    expect(pushed(view, { x: 0.5, y: 0 })).toEqual({ scale: 2, centerX: 0.25, centerY: 0.5 });
    expect(pushed(view, { x: 9, y: -9 })).toEqual({ scale: 2, centerX: 0.25, centerY: 0.75 });
    expect(pushed(WHOLE_PICTURE, { x: 0.3, y: 0.3 })).toEqual(WHOLE_PICTURE);
  });

  it('never shows what is not of the picture, whatever is done', () => {
    const places = fc.record({
      x: fc.double({ min: -2, max: 3, noNaN: true }),
      y: fc.double({ min: -2, max: 3, noNaN: true }),
    });
    const steps = fc.array(fc.tuple(fc.double({ min: 0.1, max: 5, noNaN: true }), places, places), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (done) => {
        const view = done.reduce((was, [factor, at, by]) => pushed(zoomAt(was, factor, at), by), WHOLE_PICTURE);
        const part = visiblePart(picture, view);
        expect(part.x).toBeGreaterThanOrEqual(0);
        expect(part.x + part.width).toBeLessThanOrEqual(picture.width + 1e-6);
        expect(part.y + part.height).toBeLessThanOrEqual(picture.height + 1e-6);
        expect(part.width / part.height).toBeCloseTo(16 / 9, 6);
      }),
    );
  });

  it('knows where the picture lies between its black bars', () => {
    expect(pictureIn({ width: 400, height: 400 }, { width: 640, height: 320 })).toEqual({
      x: 0,
      y: 100,
      width: 400,
      height: 200,
    });
    expect(pictureIn({ width: 400, height: 300 }, undefined)).toEqual({ x: 0, y: 0, width: 400, height: 300 });
  });
});
