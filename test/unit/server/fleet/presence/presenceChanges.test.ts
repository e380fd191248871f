import { describe, expect, it } from 'vitest';
import { type PresenceChange, sessionsOf } from '../../../../../server/fleet/presence/presenceChanges.ts';

const come = (incarnation: number, atMs: number): PresenceChange => ({ incarnation, isOnline: true, atMs });
const go = (incarnation: number, atMs: number): PresenceChange => ({ incarnation, isOnline: false, atMs });

describe('sessions made of comings and goings', () => {
  it('begin and end', () => {
    expect(sessionsOf([come(1, 10), go(2, 20)])).toEqual({
      ended: [
        { incarnation: 1, atMs: 10, reason: 'replaced' },
        { incarnation: 2, atMs: 20, reason: 'closed' },
      ],
      added: [{ incarnation: 1, fromMs: 10, toMs: 0, reason: 'lasts' }],
    });
  });

  it('are over at once when their terminal goes again meanwhile, or signs in anew', () => {
    const { ended, added } = sessionsOf([go(1, 5), come(1, 10), come(1, 20), go(1, 30), come(1, 40)]);
    expect(ended).toEqual([{ incarnation: 1, atMs: 5, reason: 'closed' }]);
    expect(added).toEqual([
      { incarnation: 1, fromMs: 10, toMs: 20, reason: 'replaced' },
      { incarnation: 1, fromMs: 20, toMs: 30, reason: 'closed' },
      { incarnation: 1, fromMs: 40, toMs: 0, reason: 'lasts' },
    ]);
  });

  it('never end before they began, when the clock was set back', () => {
    expect(sessionsOf([come(1, 10), go(1, 4)]).added).toMatchObject([{ fromMs: 10, toMs: 10 }]);
  });
});
