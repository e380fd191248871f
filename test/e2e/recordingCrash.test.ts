// The gateway as users run it, killed at a random moment while it records. Fifty times: test/long.
import { expect, it } from 'vitest';
import { killWhileRecording } from '../support/gateway/recordingCrash.ts';

const KILLS = 1;

it('killed while eight channels record, it loses less than a second and nothing else', {
  timeout: 240_000,
}, async () => {
  const report = await killWhileRecording(KILLS);
  expect(report.faults).toEqual([]);
  expect(report.lostMs).toHaveLength(KILLS * 8);
  expect(report.segments).toBeGreaterThanOrEqual((KILLS + 1) * 8);
  expect(report.pictures).toBeGreaterThan(KILLS * 8 * 25);
});
