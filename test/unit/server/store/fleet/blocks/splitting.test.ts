import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_EXTRA, MAX_BLOCK_POSITIONS } from '../../../../../../server/store/fleet/blocks/blockCodec.ts';
import { MAX_BLOCK_SPAN_MS, splitPositions } from '../../../../../../server/store/fleet/blocks/splitting.ts';
import { drivenPositions } from '../../../../../support/storedPositions.ts';

const lengths = (blocks: readonly (readonly unknown[])[]): number[] => blocks.map(({ length }) => length);

describe('positions share a block', () => {
  it('until it is full, when more will follow', () => {
    const positions = drivenPositions(MAX_BLOCK_POSITIONS + 1);
    expect(lengths(splitPositions(positions, true))).toEqual([MAX_BLOCK_POSITIONS, 1]);
    expect(splitPositions(positions, true).flat()).toEqual(positions);
  });

  it('half and half, when a late one did not fit', () => {
    const positions = drivenPositions(MAX_BLOCK_POSITIONS + 1);
    expect(lengths(splitPositions(positions, false))).toEqual([2_049, 2_048]);
  });

  it('within a day', () => {
    const [first, second, third] = drivenPositions(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
    const atMs = (deviceTimeMs: number) => ({ ...second, deviceTimeMs });
    const positions = [atMs(0), atMs(MAX_BLOCK_SPAN_MS), atMs(MAX_BLOCK_SPAN_MS + 1), atMs(4e12)];
    expect(lengths(splitPositions(positions, true))).toEqual([2, 1, 1]);
  });

  it('while their items are not very long', () => {
    const [position] = drivenPositions(1);
    if (position === undefined) throw new Error('there is one');
    const long = { ...position, extra: JSON.stringify({ a: 'x'.repeat(MAX_BLOCK_EXTRA / 4) }) };
    expect(lengths(splitPositions([long, long, long, long, long], true))).toEqual([3, 2]);
    const longest = { ...position, extra: 'x'.repeat(2 * MAX_BLOCK_EXTRA) };
    expect(lengths(splitPositions([longest, longest], true))).toEqual([1, 1]);
  });

  it('or there is none', () => {
    expect(splitPositions([], true)).toEqual([]);
  });
});
