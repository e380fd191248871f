import { describe, expect, it } from 'vitest';
import { recordedTime } from '../../../../../server/sync/plan/places.ts';

const WINDOW = { fromMs: 100, toMs: 200 };

describe('the time in which a recording can be missing', () => {
  it.each([
    ['is all of what is past', { addedAtMs: 5, firstMs: 10, nowMs: 500 }, WINDOW],
    ['ends now', { addedAtMs: 5, firstMs: 10, nowMs: 150 }, { fromMs: 100, toMs: 150 }],
    ['begins when the device was added', { addedAtMs: 120, firstMs: 10, nowMs: 500 }, { fromMs: 120, toMs: 200 }],
    ['begins with the first recording', { addedAtMs: 5, firstMs: 130, nowMs: 500 }, { fromMs: 130, toMs: 200 }],
    ['is none before anything was recorded', { addedAtMs: 5, firstMs: undefined, nowMs: 500 }, undefined],
    ['is none for a device that was added later', { addedAtMs: 200, firstMs: 10, nowMs: 500 }, undefined],
    ['is none in the future', { addedAtMs: 5, firstMs: 10, nowMs: 100 }, undefined],
  ] as const)('%s', (_what, since, expected) => {
    expect(recordedTime(WINDOW, since)).toEqual(expected);
  });
});
