import { describe, expect, it } from 'vitest';
import { requestOutcome } from '../../../../../server/sync/requests/requestOutcome.ts';
import type { SyncItemState } from '../../../../../shared/protocol/sync/syncWords.ts';

describe('what becomes of a request', () => {
  it.each<[readonly SyncItemState[], boolean, string]>([
    [['planned', 'lost', 'skipped'], true, 'planned'],
    [['planned'], false, 'planned'],
    [['skipped', 'lost'], true, 'queued'],
    [[], true, 'queued'],
    [['skipped', 'lost'], false, 'lost'],
    [['skipped', 'skipped'], false, 'here'],
    // No piece of what is missing is worth an item.
    [[], false, 'here'],
  ])('%j, in the queue before: %s, is %s', (states, isQueued, outcome) => {
    expect(
      requestOutcome(
        states.map((state) => ({ state })),
        isQueued,
      ),
    ).toBe(outcome);
  });
});
