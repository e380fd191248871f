import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TALLY_MS, useNewTally } from '../../../../pages/innerpage/todayevent/useNewTally.ts';
import { eventRow } from '../../../support/eventRow.ts';

test('new events are said at once after a quiet time, and then together, each once', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { result } = renderHook(useNewTally);
  const come = (...events: readonly Parameters<typeof eventRow>[0][]) =>
    act(() => result.current.note(events.map(eventRow)));
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const said = () => [result.current.said.count, result.current.said.critical];
  come({ id: 1, severity: 'critical' });
  expect(said()).toEqual([1, 1]);
  come({ id: 2 });
  come({ id: 3, severity: 'critical' }, { id: 4 });
  pass(TALLY_MS - 1);
  expect(said()).toEqual([1, 1]);
  pass(1);
  expect(said()).toEqual([3, 1]);
  pass(TALLY_MS);
  expect(said()).toEqual([0, 0]);
  come({ id: 5 });
  expect(said()).toEqual([1, 0]);
});
