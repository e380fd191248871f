import { describe, expect, it } from 'vitest';
import { DeviceTurns } from '../../../../../server/sync/engine/turns.ts';

describe('the devices that are looked at', () => {
  it('are one of each member group after another, however many one of them has', () => {
    const turns = new DeviceTurns((incarnation) => Math.floor(incarnation / 1_000));
    for (let device = 1_000; device < 1_900; device++) turns.kick(device);
    turns.kick(2_000);
    turns.add(3_000);
    expect(turns.take(3)).toEqual([1_000, 2_000, 1_001]);
    expect(turns.take(2)).toEqual([1_002, 1_003]);
  });

  it('are first those about which something is new, then those that were not looked at for longest', () => {
    const turns = new DeviceTurns(() => 1);
    for (const device of [1, 2, 3]) turns.add(device);
    turns.kick(3);
    expect([turns.take(2), turns.take(2), turns.size]).toEqual([[3, 1], [2, 3], 3]);
    turns.remove(2);
    expect(turns.take(9)).toEqual([1, 3]);
  });
});
