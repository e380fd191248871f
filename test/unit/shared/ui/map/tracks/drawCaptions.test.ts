import { describe, expect, it } from 'vitest';
import { LIGHT_MAP } from '../../../../../../shared/ui/map/mapScheme.ts';
import { drawCaptions } from '../../../../../../shared/ui/map/tracks/drawCaptions.ts';
import { LIGHT_SPEEDS } from '../../../../../../shared/ui/map/tracks/speedColors.ts';

const STYLE = { scheme: LIGHT_MAP, speeds: LIGHT_SPEEDS, font: 'sans-serif' };

function written(captions: Parameters<typeof drawCaptions>[1]): readonly string[] {
  const texts: string[] = [];
  const noop = () => undefined;
  const context = {
    save: noop,
    restore: noop,
    strokeText: noop,
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  drawCaptions(context as typeof context & CanvasRenderingContext2D, captions, STYLE);
  return texts;
}

describe('captions of marks', () => {
  it('stand where there is room', () => {
    const captions = [
      { left: 50, top: 50, text: '10:00 – 10:20' },
      { left: 50, top: 200, text: '11:00 – 11:20' },
    ];
    expect(written(captions)).toEqual(['10:00 – 10:20', '11:00 – 11:20']);
  });

  it('cover neither another mark nor another caption', () => {
    const captions = [
      { left: 50, top: 50, text: '10:00 – 10:20' },
      { left: 60, top: 58, text: '11:00 – 11:20' },
      { left: 100, top: 200, text: '12:00 – 12:20' },
      { left: 140, top: 200, text: '' },
    ];
    expect(written(captions)).toEqual(['11:00 – 11:20']);
  });

  it('are left out where there are too many', () => {
    expect(written(Array.from({ length: 61 }, (_each, at) => ({ left: 0, top: 40 * at, text: '10:00' })))).toEqual([]);
  });
});
