import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripsOf } from '../../../../../workers/video/paint/pictureStrips.ts';

describe('stripsOf', () => {
  it('leaves a small picture whole', () => {
    expect(stripsOf({ width: 352, height: 288 }, 144)).toEqual([
      { fromRow: 0, rows: 288, sourceY: 0, sourceHeight: 288, targetY: 0, targetHeight: 144 },
    ]);
  });

  it('leaves a picture whole that is shown at less than half its size', () => {
    expect(stripsOf({ width: 1920, height: 1080 }, 539)).toHaveLength(1);
    expect(stripsOf({ width: 1920, height: 1080 }, 540)).toHaveLength(20);
  });

  it('cuts a large one between rows of the canvas', () => {
    expect(stripsOf({ width: 704, height: 576 }, 384)).toEqual([
      { fromRow: 0, rows: 144, sourceY: 0, sourceHeight: 144, targetY: 0, targetHeight: 96 },
      { fromRow: 144, rows: 144, sourceY: 0, sourceHeight: 144, targetY: 96, targetHeight: 96 },
      { fromRow: 288, rows: 144, sourceY: 0, sourceHeight: 144, targetY: 192, targetHeight: 96 },
      { fromRow: 432, rows: 144, sourceY: 0, sourceHeight: 144, targetY: 288, targetHeight: 96 },
    ]);
  });

  it('covers any canvas once, with the rows of the picture that belong there', () => {
    const size = fc.integer({ min: 1, max: 4096 });
    fc.assert(
      fc.property(size, size, size, (width, height, canvasHeight) => {
        let drawnTo = 0;
        let shownTo = 0;
        for (const strip of stripsOf({ width, height }, canvasHeight)) {
          expect(strip.targetY).toBe(drawnTo);
          expect(strip.fromRow % 2).toBe(0);
          expect(strip.fromRow + strip.sourceY).toBeCloseTo(shownTo, 6);
          expect(strip.sourceY).toBeGreaterThanOrEqual(0);
          expect(strip.sourceY + strip.sourceHeight).toBeLessThanOrEqual(strip.rows + 1e-6);
          expect(strip.fromRow + strip.rows).toBeLessThanOrEqual(height);
          drawnTo += strip.targetHeight;
          shownTo = strip.fromRow + strip.sourceY + strip.sourceHeight;
        }
        expect(drawnTo).toBe(canvasHeight);
        expect(shownTo).toBeCloseTo(height, 6);
      }),
    );
  });
});
