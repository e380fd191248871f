import { describe, expect, it } from 'vitest';
import {
  draftOfShape,
  emptyDraft,
  placedIn,
  type ShapeDraft,
  shapeOfDraft,
  withoutVertex,
  withVertexAfter,
  withVertexMoved,
} from '../../../../pages/innerpage/fencesetting/edit/shapeDraft.ts';
import { draftOfSketch, sketchOf } from '../../../../pages/innerpage/fencesetting/map/sketchShapes.ts';
import { FENCE_KINDS } from '../../../../shared/protocol/fences/fenceWords.ts';
import { faultsOfShape } from '../../../../shared/protocol/fences/geometryFaults.ts';

const VIEW = { west: 121, south: 23, east: 122, north: 24 };
const placed = (kind: ShapeDraft['kind']) => placedIn(emptyDraft(kind), VIEW);

describe('the outline of a geofence while it is edited', () => {
  it.each(FENCE_KINDS)('begins as a whole %s in the middle of the map, for who has no pointer', (kind) => {
    const shape = shapeOfDraft(placed(kind));
    expect(shape?.kind).toBe(kind);
    expect(shape && faultsOfShape(shape)).toEqual([]);
  });

  it.each(FENCE_KINDS)('is the same after it was saved: %s', (kind) => {
    const draft = placed(kind);
    const shape = shapeOfDraft(draft);
    if (shape === undefined) throw new Error('nothing is drawn');
    const again = draftOfShape(shape);
    expect(shapeOfDraft(again)).toEqual(shape);
    expect(again.positions).toEqual(draft.positions);
  });

  it.each(FENCE_KINDS)('is the same after the drawing tool had it: %s', (kind) => {
    const draft = placed(kind);
    const sketch = sketchOf(draft);
    if (sketch === undefined) throw new Error('nothing is drawn');
    const again = draftOfSketch(sketch, draft);
    expect(again.positions.length).toBe(draft.positions.length);
    for (const [at, [lng, lat]] of again.positions.entries()) {
      expect(Math.abs(lng - (draft.positions[at]?.[0] ?? 0))).toBeLessThan(1e-3);
      expect(Math.abs(lat - (draft.positions[at]?.[1] ?? 0))).toBeLessThan(1e-3);
    }
    const [before, after] = [draft.radiusMeters ?? 0, again.radiusMeters ?? 0];
    expect(Math.abs(after - before) / before).toBeLessThan(2e-3);
    expect(again.widthMeters).toBe(draft.widthMeters);
  });

  it('is nothing until something is drawn', () => {
    for (const kind of FENCE_KINDS) {
      expect(shapeOfDraft(emptyDraft(kind))).toBeUndefined();
      expect(sketchOf(emptyDraft(kind))).toBeUndefined();
    }
  });

  it('takes a vertex between two others, and beyond the end of a corridor', () => {
    const corridor: ShapeDraft = {
      ...emptyDraft('corridor'),
      positions: [
        [121, 23],
        [121.2, 23],
      ],
    };
    expect(withVertexAfter(corridor, 0).positions).toEqual([
      [121, 23],
      [121.1, 23],
      [121.2, 23],
    ]);
    expect(withVertexAfter(corridor, 1).positions).toEqual([
      [121, 23],
      [121.2, 23],
      [121.4, 23],
    ]);
    const polygon: ShapeDraft = {
      ...emptyDraft('polygon'),
      positions: [
        [121, 23],
        [122, 23],
        [122, 24],
      ],
    };
    expect(withVertexAfter(polygon, 2).positions[3]).toEqual([121.5, 23.5]);
  });

  it('moves vertices by a hundred-millionth of a degree at least, and keeps as many as it needs', () => {
    const polygon: ShapeDraft = {
      ...emptyDraft('polygon'),
      positions: [
        [121, 23],
        [122, 23],
        [122, 24],
      ],
    };
    expect(withVertexMoved(polygon, 1, [122.123456789, 23]).positions[1]).toEqual([122.1234568, 23]);
    expect(withoutVertex(polygon, 1)).toBe(polygon);
    expect(withoutVertex(withVertexAfter(polygon, 0), 1)).toEqual(polygon);
  });
});
