import { expect, it } from 'vitest';
import { mediaUs } from '../../../../../shared/protocol/time.ts';
import { LATE_MS, paintIntervalMs, TurnLog } from '../../../../../workers/video/paint/turnLog.ts';

it('tells how long after the turn of its unit a picture comes out', () => {
  const turns = new TurnLog();
  turns.note(mediaUs(40_000), 1_000);
  turns.note(mediaUs(80_000), 1_040);
  expect(turns.lateness(mediaUs(40_000), 1_030)).toBe(30);
  expect(turns.lateness(mediaUs(80_000), 1_500)).toBe(460);
});

it('knows nothing of a picture whose unit it has not seen, and says that it is in time', () => {
  const turns = new TurnLog();
  turns.note(mediaUs(40_000), 1_000);
  turns.clear();
  expect(turns.lateness(mediaUs(40_000), 9_000)).toBe(0);
});

it('forgets units that no picture came of', () => {
  const turns = new TurnLog();
  for (let number = 0; number < 10_000; number++) turns.note(mediaUs(number), 0);
  expect(turns.lateness(mediaUs(0), 9_000)).toBe(0);
  expect(turns.lateness(mediaUs(9_999), 9_000)).toBe(9_000);
});

it('has late pictures painted the less often the later they are, and at least twice a second', () => {
  expect([0, LATE_MS, LATE_MS + 1, 400, 9_000].map(paintIntervalMs)).toEqual([0, 0, LATE_MS + 1, 400, 500]);
});
