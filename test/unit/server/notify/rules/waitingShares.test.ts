import { describe, expect, it } from 'vitest';
import { WaitingShares } from '../../../../../server/notify/rules/waitingShares.ts';

describe('the bound of waiting messages', () => {
  it('is shared by all member groups until it is reached', () => {
    const shares = new WaitingShares(10, new Map([[1, 9]]));
    expect(shares.hasRoom(1)).toBe(true);
    shares.add(1);
    expect(shares.hasRoom(1)).toBe(false);
  });

  it('leaves each member group its equal share, whatever another one has heaped up', () => {
    const shares = new WaitingShares(10, new Map([[1, 10]]));
    for (let at = 0; at < 5; at++) {
      expect(shares.hasRoom(2)).toBe(true);
      shares.add(2);
    }
    expect(shares.hasRoom(2)).toBe(false);
    expect(shares.hasRoom(3)).toBe(true);
  });

  it('is counted apart in a copy, which a batch that is not stored is planned in', () => {
    const shares = new WaitingShares(1);
    const copy = shares.copy();
    copy.add(1);
    expect([copy.hasRoom(1), shares.hasRoom(1)]).toEqual([false, true]);
  });
});
