import { expect, test } from 'vitest';
import { explainedOrder } from '../../../../pages/innerpage/eventnotifyconfig/explain/explainedOrder.ts';
import {
  cancelable,
  newestMessages,
  resendable,
  selectedMessages,
} from '../../../../pages/innerpage/eventnotifyconfig/messages/messageSelection.ts';
import { previewDay } from '../../../../pages/innerpage/eventnotifyconfig/rule/previewDay.ts';
import { shortList } from '../../../../pages/innerpage/eventnotifyconfig/rules/shortList.ts';
import { notifyMessage } from '../../../support/notify/notifyRecords.ts';

test('a long list is cut, and says how much', () => {
  expect([shortList([]), shortList(['a', 'b']), shortList(['a', 'b', 'c', 'd'])]).toEqual(['', 'a, b', 'a, b +2']);
});

test('messages stay selected on other pages of the list, each as it is known last', () => {
  const [first, second] = [notifyMessage({ id: 1, state: 'waiting' }), notifyMessage({ id: 2 })];
  const selected = selectedMessages([1, 2, 3], [second], [first]);
  expect(selected).toEqual([first, second]);
  const sent = { ...first, state: 'sent' as const };
  expect(newestMessages(selected, [sent])).toEqual([sent, second]);
});

test('only messages that wait are canceled, and only others are sent again', () => {
  const messages = (['waiting', 'sent', 'failed', 'canceled'] as const).map((state, at) =>
    notifyMessage({ id: at + 1, state }),
  );
  expect([cancelable(messages), resendable(messages)]).toEqual([[1], [2, 3, 4]]);
});

test('rules that tell of an event come first', () => {
  const rule = (id: number, misses: readonly 'disabled'[]) => ({
    rule: id,
    name: '',
    misses: [...misses],
    recipients: [],
  });
  const ordered = explainedOrder([rule(1, ['disabled']), rule(2, []), rule(3, ['disabled']), rule(4, [])]);
  expect(ordered.map((each) => each.rule)).toEqual([2, 4, 1, 3]);
});

test('days of a preview are those of the zone that they are counted in', () => {
  const taipeiMidnightMs = Date.UTC(2026, 10, 23, 16);
  expect(previewDay(taipeiMidnightMs, 'Asia/Taipei', 'America/New_York')).toBe('2026-11-24');
  expect(previewDay(taipeiMidnightMs, '', 'UTC')).toBe('2026-11-24');
  expect(previewDay(Date.UTC(2026, 10, 24), '', 'Asia/Taipei')).toBe('2026-11-24');
});
