import { describe, expect, it } from 'vitest';
import { isFramed, layoutOf, type TileLayout } from '../../../../../shared/player/page/layout.ts';

const grid = (columns: number, rows: number): TileLayout => ({ kind: 'grid', columns, rows });

describe('layoutOf', () => {
  it.each<[string, number, TileLayout]>([
    ['S-2.5.9', 1, { kind: 'single' }],
    ['S-2.5.10', 2, grid(2, 1)],
    ['S-2.5.11', 3, grid(2, 2)],
    ['S-2.5.11', 4, grid(2, 2)],
    ['S-2.5.12', 5, grid(3, 2)],
    ['S-2.5.12', 6, grid(3, 2)],
    ['S-2.5.13', 7, grid(4, 2)],
    ['S-2.5.13', 8, grid(4, 2)],
  ])('%s: lays out %i channels', (_id, channels, layout) => {
    expect(layoutOf({ channels, preferred: '', fillsContainer: false })).toEqual(layout);
  });

  it.each([
    [7, grid(3, 3)],
    [8, grid(3, 3)],
    [6, grid(3, 2)],
    [4, grid(2, 2)],
    [1, { kind: 'single' }],
  ])('S-2.5.14: 3x3 changes seven and eight channels only (%i)', (channels, layout) => {
    expect(layoutOf({ channels, preferred: '3x3', fillsContainer: false })).toEqual(layout);
  });

  it('S-2.5.15: fills the frame with one channel, not with two', () => {
    expect(layoutOf({ channels: 1, preferred: null, fillsContainer: true })).toEqual({ kind: 'fill' });
    expect(layoutOf({ channels: 2, preferred: null, fillsContainer: true })).toEqual(grid(2, 1));
  });
});

describe('isFramed', () => {
  it('is true when another window stands around this one, of whatever site', () => {
    // What a window of another site gives away is nothing but its identity.
    const foreign = new Proxy({}, { get: () => expect.unreachable('the window of another site was touched') });
    const framed = { top: foreign } as unknown as Window;
    Object.assign(framed, { self: framed });
    expect(isFramed(framed)).toBe(true);
    const alone = {} as unknown as Window;
    Object.assign(alone, { self: alone, top: alone });
    expect(isFramed(alone)).toBe(false);
  });
});
