import { describe, expect, test } from 'vitest';
import { hasEnded, mayAct, shareOf } from '../../../../pages/innerpage/datasync/queue/itemState.ts';
import { SYNC_ITEM_ACTS, SYNC_ITEM_STATES, type SyncItemState } from '../../../../shared/protocol/sync/syncWords.ts';
import { aSyncItem } from '../../../support/sync/syncAnswers.ts';

const OPEN = ['pause', 'cancel', 'first', 'last'];
const ALLOWED: Readonly<Record<SyncItemState, readonly string[]>> = {
  planned: OPEN,
  waiting: OPEN,
  requested: OPEN,
  running: OPEN,
  checking: OPEN,
  paused: ['resume', 'cancel', 'first', 'last'],
  done: [],
  skipped: [],
  lost: [],
  failed: ['retry'],
  canceled: ['retry'],
};

describe('what can be done with an item', () => {
  test.each(SYNC_ITEM_STATES.map((state) => [state, ALLOWED[state]] as const))('%s: %j', (state, allowed) => {
    expect(SYNC_ITEM_ACTS.filter((act) => mayAct({ state }, act))).toEqual(
      SYNC_ITEM_ACTS.filter((act) => allowed.includes(act)),
    );
  });

  test('only what has ended is not moved or canceled', () => {
    const ended = SYNC_ITEM_STATES.filter((state) => hasEnded({ state }));
    expect(ended).toEqual(SYNC_ITEM_STATES.filter((state) => !mayAct({ state }, 'cancel')));
    expect(ended).toEqual(['done', 'skipped', 'lost', 'failed', 'canceled']);
  });
});

describe('how far an item is', () => {
  test.each([
    ['running', 25, 100, 0.25],
    ['paused', 25, 100, 0.25],
    // Devices announce less than they send.
    ['running', 120, 100, 1],
    ['running', 25, 0, undefined],
    ['requested', 25, 100, undefined],
    ['done', 100, 100, undefined],
  ] as const)('%s with %i of %i bytes: %s', (state, receivedBytes, totalBytes, share) => {
    expect(shareOf(aSyncItem({ state, receivedBytes, totalBytes }))).toBe(share);
  });
});
