import { describe, expect, it } from 'vitest';
import { type Report, ReportFeed } from '../../../../server/device/reportFeed.ts';

const REPORT: Report = {
  kind: 'presence',
  device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 },
  isOnline: true,
  atMs: 1_000,
};

describe('ReportFeed', () => {
  it('gives a report to all listeners, also beside one that throws', () => {
    const faults: Error[] = [];
    const feed = new ReportFeed((error) => faults.push(error));
    const cause = new Error('broken listener');
    const taken: string[] = [];
    feed.subscribe(() => taken.push('first'));
    feed.subscribe(() => {
      throw cause;
    });
    feed.subscribe(() => taken.push('last'));
    feed.publish(REPORT);
    expect(taken).toEqual(['first', 'last']);
    expect(faults).toEqual([new Error('a report of BUS1 could not be used', { cause })]);
  });

  it('gives nothing to a listener that has gone', () => {
    const feed = new ReportFeed(() => undefined);
    const taken: Report[] = [];
    const leave = feed.subscribe((report) => taken.push(report));
    feed.publish(REPORT);
    leave();
    feed.publish(REPORT);
    expect(taken).toEqual([REPORT]);
  });
});
