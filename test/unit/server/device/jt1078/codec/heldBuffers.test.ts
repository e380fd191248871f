import { expect, it } from 'vitest';
import { HeldBuffers } from '../../../../../../server/device/jt1078/codec/heldBuffers.ts';

it('a buffer counts from its first view to its last, whole and once', () => {
  const held = new HeldBuffers();
  const chunk = new Uint8Array(1_000);
  const [first, second] = [chunk.subarray(0, 10), chunk.subarray(10, 20)];
  expect([held.add(first), held.add(second), held.add(new Uint8Array(30))]).toEqual([1_000, 0, 30]);
  expect([held.remove(second), held.remove(first)]).toEqual([0, 1_000]);
  expect(held.add(second)).toBe(1_000);
});

it('a view that is not held frees nothing', () => {
  expect(new HeldBuffers().remove(new Uint8Array(10))).toBe(0);
});
