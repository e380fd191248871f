import { describe, expect, it } from 'vitest';
import type { BucketResult } from '../../../../../server/backup/copy/bucket/bucketAnswer.ts';
import { COPY_PARTS_LIMIT, countParts, PART_BYTES } from '../../../../../server/backup/copy/parts.ts';
import { Backoff, retried, waitAfter } from '../../../../../server/backup/copy/retries.ts';

const AWAY = { ok: false, fault: 'copy-unreachable', detail: '' } as const;
const REFUSED = { ok: false, fault: 'copy-refused', detail: '' } as const;
const DONE = { ok: true, value: 1 } as const;

async function tried(answers: readonly BucketResult<number>[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  let calls = 0;
  const work = async () => answers[calls++] ?? AWAY;
  const result = await retried(work, async (delayMs) => void pauses.push(delayMs), signal);
  return { result, calls, pauses };
}

describe('retried', () => {
  it('tries again what can pass, a few times', async () => {
    expect(await tried([AWAY, AWAY, DONE])).toEqual({ result: DONE, calls: 3, pauses: [1_000, 5_000] });
    expect(await tried([])).toEqual({ result: AWAY, calls: 4, pauses: [1_000, 5_000, 25_000] });
  });

  it('takes a refusal at once', async () => {
    expect(await tried([AWAY, REFUSED, DONE])).toEqual({ result: REFUSED, calls: 2, pauses: [1_000] });
  });

  it('ends with its signal', async () => {
    await expect(tried([AWAY, DONE], AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});

it('waits longer after each failure, an hour at most', () => {
  expect([1, 2, 3, 6, 7, 1_000].map(waitAfter)).toEqual([60_000, 120_000, 240_000, 1_920_000, 3_600_000, 3_600_000]);
});

it('begins anew with its waits after a success', () => {
  let nowMs = 0;
  const backoff = new Backoff({ monotonicMs: () => nowMs });
  expect(backoff.isWaiting).toBe(false);
  backoff.failed();
  backoff.failed();
  nowMs = 119_999;
  expect(backoff.isWaiting).toBe(true);
  nowMs = 120_000;
  expect(backoff.isWaiting).toBe(false);
  backoff.succeeded();
  backoff.failed();
  nowMs = 180_000;
  expect(backoff.isWaiting).toBe(false);
});

it('counts the parts of a backup', () => {
  expect([0, 1, PART_BYTES, PART_BYTES + 1].map(countParts)).toEqual([1, 1, 1, 2]);
  expect(countParts(COPY_PARTS_LIMIT.max * PART_BYTES)).toBe(10_000);
  expect(countParts(COPY_PARTS_LIMIT.max * PART_BYTES + 1)).toBeUndefined();
});
