import { describe, expect, it } from 'vitest';
import { areaBody } from '../../../server/device/areas/areaBodies.ts';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import type { FenceContent, LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { AreaTable } from '../../../simulator/answers/areaTable.ts';
import { aCircle, aCorridor, aFenceContent, aPolygon, aRectangle, squareAround } from '../../support/aFence.ts';

function tableWith(...fences: readonly Partial<FenceContent>[]): AreaTable {
  const table = new AreaTable('2019');
  for (const [at, change] of fences.entries()) {
    const made = areaBody({ id: at + 1, content: aFenceContent(change) });
    if (made.ok) table.obey(made.body);
  }
  return table;
}

const at = ([longitude, latitude]: LngLat) => ({ latitude, longitude });

describe('areas that a simulated terminal watches', () => {
  it.each([
    ['a circle', aCircle(1_000), 1],
    ['a rectangle', aRectangle(), 2],
    ['a polygon', aPolygon(), 3],
    ['a route', aCorridor(200), 4],
  ])('are told of when it comes in and when it goes: %s', (_what, shape, areaType) => {
    const table = tableWith(shape);
    const places: LngLat[] = [
      [121.3, 25],
      [121.5, 25],
      [121.5, 25.0001],
      [121.3, 25],
    ];
    expect(places.map((place) => table.crossing(at(place)))).toEqual([
      undefined,
      { areaType, areaId: 1, isLeaving: false },
      undefined,
      { areaType, areaId: 1, isLeaving: true },
    ]);
  });

  it('lie in the south and the west as well', () => {
    const table = tableWith(aPolygon(squareAround([-70, -33], 0.1)));
    expect(table.crossing(at([70, 33]))).toBeUndefined();
    expect(table.crossing(at([-70, -33]))).toMatchObject({ isLeaving: false });
  });

  it('are told of only where the platform wants to know', () => {
    const rules = { ...aFenceContent().rules, enter: false };
    const table = tableWith({ rules });
    expect(table.crossing(at([121.5, 25]))).toBeUndefined();
    expect(table.crossing(at([121, 25]))).toMatchObject({ isLeaving: true });
  });

  it('are told of one at a time', () => {
    const table = tableWith(aCircle(500), aCircle(600));
    const inside = at([121.5, 25]);
    expect([table.crossing(inside)?.areaId, table.crossing(inside)?.areaId, table.crossing(inside)?.areaId]).toEqual([
      1,
      2,
      undefined,
    ]);
  });

  it('are 24 of each kind', () => {
    const table = tableWith(...Array.from({ length: 24 }, () => aPolygon()));
    const more = areaBody({ id: 99, content: aFenceContent() });
    const again = areaBody({ id: 1, content: aFenceContent() });
    expect(more.ok && table.obey(more.body)).toBe(GeneralResult.Failed);
    expect(again.ok && table.obey(again.body)).toBe(GeneralResult.Ok);
  });
});
