import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followSmtpSteps } from '../../../../../server/notify/senders/smtp/smtpSteps.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';

const TIMES = { stepMs: 60_000, acceptMs: 600_000, slowMs: 15_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const allowed: number[] = [];
  const slow = vi.fn();
  const note = vi.fn();
  const attempt = { note, allow: (ms: number) => void allowed.push(ms), onSlowAnswer: slow };
  return { steps: followSmtpSteps(attempt, TIMES, noFaults), allowed, slow, note };
}

describe('the steps of a mail', () => {
  it('each have their own time, and the answer to the whole message has ten minutes', () => {
    const { steps, allowed, note } = begin();
    steps.note('server', '220 mail');
    steps.note('gateway', 'DATA');
    expect(steps.isUnanswered).toBe(false);
    steps.note('note', '<900 bytes encoded>');
    expect([allowed.at(-1), steps.isUnanswered]).toEqual([600_000, true]);
    steps.note('server', '250 queued');
    expect([allowed.at(-1), steps.isUnanswered]).toEqual([60_000, false]);
    expect(allowed.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
    expect(note).toHaveBeenCalledTimes(4);
  });

  it('tell of a slow answer once, and not of one that came', () => {
    const quick = begin();
    quick.steps.note('note', 'sent');
    quick.steps.note('server', '250 queued');
    const slow = begin();
    slow.steps.note('note', 'sent');
    const ended = begin();
    ended.steps.note('note', 'sent');
    ended.steps.stop();
    vi.advanceTimersByTime(600_000);
    expect([quick.slow, slow.slow, ended.slow].map((each) => each.mock.calls.length)).toEqual([0, 1, 0]);
  });
});
