import { expect, it } from 'vitest';
import { mediaUs } from '../../../../shared/protocol/time.ts';
import { LATE_MS, TurnLog } from '../../../../workers/video/turnLog.ts';

it('calls a picture late that comes out long after the turn of its unit', () => {
  const turns = new TurnLog();
  turns.note(mediaUs(40_000), 1_000);
  turns.note(mediaUs(80_000), 1_040);
  expect(turns.isLate(mediaUs(40_000), 1_000 + LATE_MS)).toBe(false);
  expect(turns.isLate(mediaUs(80_000), 1_040 + LATE_MS + 1)).toBe(true);
});

it('knows nothing of a picture whose unit it has not seen, and says that it is in time', () => {
  const turns = new TurnLog();
  turns.note(mediaUs(40_000), 1_000);
  turns.clear();
  expect(turns.isLate(mediaUs(40_000), 9_000)).toBe(false);
});

it('forgets units that no picture came of', () => {
  const turns = new TurnLog();
  for (let number = 0; number < 10_000; number++) turns.note(mediaUs(number), 0);
  expect(turns.isLate(mediaUs(0), 9_000)).toBe(false);
  expect(turns.isLate(mediaUs(9_999), 9_000)).toBe(true);
});
