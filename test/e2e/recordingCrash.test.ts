// The gateway as users run it, killed at random moments while it records. Fifty times: test/long.
import { expect, it } from 'vitest';
import { killWhileRecording } from '../support/recordingCrash.ts';

it('killed five times while eight channels record, it loses less than a second and nothing else', {
  timeout: 240_000,
}, async () => {
  const report = await killWhileRecording(5);
  expect(report.faults).toEqual([]);
  expect(report.lostMs).toHaveLength(5 * 8);
  expect(report.segments).toBeGreaterThanOrEqual(6 * 8);
  expect(report.pictures).toBeGreaterThan(5 * 8 * 25);
});
