import { describe, expect, it } from 'vitest';
import { nextStep, resultOf } from '../../../../../server/device/orders/orderSteps.ts';

describe('what an order has come to', () => {
  it.each([
    ['the terminal obeyed', { ok: true }, { state: 'done' }],
    ['it said no', { ok: false, reason: 'refused', result: 3 }, { state: 'refused', result: 3 }],
    ['it said nothing', { ok: false, reason: 'timeout' }, { state: 'no-answer' }],
    ['its connection ended before the answer', { ok: false, reason: 'closed' }, { state: 'unknown' }],
    ['its connection was over', { ok: false, reason: 'closed', isUnsent: true }, 'unsent'],
    ['too many commands were under way', { ok: false, reason: 'timeout', isUnsent: true }, 'unsent'],
  ] as const)('when %s', (_when, result, expected) => {
    expect(resultOf(result)).toEqual(expected);
  });
});

describe('what a queue does next', () => {
  const first = { id: 1, expiresAtMs: 100 };
  const second = { id: 2, expiresAtMs: 200 };

  it.each([
    ['nothing waits', 'here', [], 0, { kind: 'rest' }],
    ['the terminal is away', 'away', [first], 0, { kind: 'rest' }],
    ['the terminal is here', 'here', [first, second], 99, { kind: 'send', order: first }],
    ['the time of the first is over', 'here', [first, second], 100, { kind: 'send', order: second }],
    ['the time of all is over', 'here', [first, second], 200, { kind: 'rest' }],
    ['the terminal has left a command unanswered', 'doubtful', [first], 0, { kind: 'probe' }],
    ['nothing waits for a terminal that answers nothing', 'doubtful', [], 0, { kind: 'rest' }],
  ] as const)('when %s', (_when, terminal, waiting, nowMs, step) => {
    expect(nextStep({ terminal, waiting, nowMs })).toEqual(step);
  });
});
