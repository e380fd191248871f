import { expect, it } from 'vitest';
import { killWhileRecording } from '../support/gateway/recordingCrash.ts';

it('killed fifty times while eight channels record, the gateway loses less than a second and nothing else', async () => {
  const report = await killWhileRecording(50);
  expect(report.faults).toEqual([]);
  expect(report.lostMs).toHaveLength(50 * 8);
  expect(report.pictures).toBeGreaterThan(50 * 8 * 25);
});
