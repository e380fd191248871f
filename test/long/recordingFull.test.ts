import { expect, it, onTestFinished } from 'vitest';
import { killWhileRecording } from '../support/gateway/recordingCrash.ts';
import { mountSmallDisk } from '../support/gateway/smallDisk.ts';

const KILLS = 20;

it('killed twenty times with its disk full, the gateway has nothing unreadable and records again once there is room', async ({
  skip,
}) => {
  const disk = await mountSmallDisk(160);
  if (disk === undefined) return skip('this user may mount no file system');
  onTestFinished(() => disk.close());
  const report = await killWhileRecording(KILLS, disk);
  expect(report.faults).toEqual([]);
  expect(report.lostMs).toHaveLength(KILLS * 8);
  expect(report.segments).toBeGreaterThan(8);
});
