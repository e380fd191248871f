import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDismissCleanup } from '../../../shared/ui/dismissCleanup.ts';

const NESTED =
  '<div id="k"><div id="d"><div id="c"><div id="b"><button class="x dismissButton"></button></div></div></div></div>';

let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '';
  stop = startDismissCleanup(document);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the cleanup (S-9.15)', () => {
  test('removes the fourth ancestor each second, and not its siblings', () => {
    document.body.innerHTML = `<p id="before"></p>${NESTED}<p id="after"></p>`;
    vi.advanceTimersByTime(999);
    expect(document.getElementById('k')).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(document.body.innerHTML).toBe('<p id="before"></p><p id="after"></p>');
    document.body.insertAdjacentHTML('beforeend', NESTED);
    vi.advanceTimersByTime(1_000);
    expect(document.getElementById('k')).toBeNull();
  });

  test('removes all of them at once', () => {
    document.body.innerHTML = NESTED.replaceAll('id="k"', 'class="k"').repeat(3);
    vi.advanceTimersByTime(1_000);
    expect(document.body.childElementCount).toBe(0);
  });

  test.each([0, 1, 2, 3])('leaves the page alone when the button lies %i levels below its body', (levels) => {
    document.body.innerHTML = `${'<div>'.repeat(levels)}<button class="dismissButton"></button>${'</div>'.repeat(levels)}`;
    const before = document.body.innerHTML;
    vi.advanceTimersByTime(3_000);
    expect(document.body.innerHTML).toBe(before);
  });

  test('ends when it is told to', () => {
    stop();
    document.body.innerHTML = NESTED;
    vi.advanceTimersByTime(5_000);
    expect(document.getElementById('k')).not.toBeNull();
  });
});
