import { describe, expect, it } from 'vitest';
import type { ShownFence } from '../../../../../../shared/protocol/api/fences/fences.ts';
import { drawFences } from '../../../../../../shared/ui/map/fences/drawFences.ts';
import { boxOf, fenceAt, isInWindow, pathOf } from '../../../../../../shared/ui/map/fences/fencePaths.ts';
import { LIGHT_MAP } from '../../../../../../shared/ui/map/mapScheme.ts';

const square = (id: number, [lng, lat]: readonly [number, number], half: number): ShownFence => ({
  id,
  name: `Fence ${id}`,
  kind: 'polygon',
  color: '#1a5fb4',
  radiusMeters: 0,
  widthMeters: 0,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [lng - half, lat - half],
        [lng + half, lat - half],
        [lng + half, lat + half],
        [lng - half, lat + half],
        [lng - half, lat - half],
      ],
    ],
  },
});
const VIEW = { lat: 23, lng: 121, zoom: 12, width: 800, height: 600 };
const DEPOT = square(1, [121, 23], 0.05);
const YARD = square(2, [121, 23], 0.01);
const FAR = square(3, [10, 50], 0.05);

/** What is written and filled. */
function recordingContext() {
  const texts: string[] = [];
  const dots: unknown[] = [];
  let fills = 0;
  const noop = () => undefined;
  const context = {
    texts,
    dots,
    get fills() {
      return fills;
    },
    save: noop,
    restore: noop,
    beginPath: noop,
    lineTo: noop,
    closePath: noop,
    stroke: noop,
    strokeText: noop,
    fill: () => {
      fills++;
    },
    fillRect: (...place: unknown[]) => dots.push(place),
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length * 7 }),
  };
  return context as typeof context & CanvasRenderingContext2D;
}

describe('geofences on a map', () => {
  it('lie where the map has their corners', () => {
    const box = boxOf(pathOf(DEPOT), VIEW);
    expect((box.left + box.right) / 2).toBeCloseTo(400, 3);
    expect(box.right - box.left).toBeCloseTo((0.1 / 360) * 512 * 2 ** 12, 3);
    expect(isInWindow(boxOf(pathOf(FAR), VIEW), VIEW)).toBe(false);
    expect(pathOf(DEPOT)).toBe(pathOf(DEPOT));
  });

  it('are found under the pointer, the smallest first', () => {
    const at = (left: number, top: number) => fenceAt([DEPOT, YARD, FAR], VIEW, { left, top })?.id;
    expect(at(400, 300)).toBe(2);
    expect(at(550, 300)).toBe(1);
    expect(at(799, 300)).toBeUndefined();
  });

  it('are drawn where they are in the window, with names that do not cover one another', () => {
    const context = recordingContext();
    drawFences(context, [DEPOT, YARD, FAR], VIEW, { scheme: LIGHT_MAP });
    expect(context.fills).toBe(2);
    expect(context.texts).toHaveLength(1);
  });

  it('are dots without names from afar, but for the one that is looked at', () => {
    const context = recordingContext();
    const afar = { ...VIEW, zoom: 2 };
    drawFences(context, [DEPOT, YARD], afar, { scheme: LIGHT_MAP, selectedId: 2 });
    expect(context.dots).toHaveLength(2);
    expect(context.texts).toEqual(['Fence 2']);
  });
});
