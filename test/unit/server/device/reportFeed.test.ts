import { describe, expect, it } from 'vitest';
import { type Report, ReportFeed } from '../../../../server/device/reportFeed.ts';

const REPORT: Report = {
  kind: 'presence',
  device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 },
  isOnline: true,
  atMs: 1_000,
};

describe('ReportFeed', () => {
  it('gives a report to all listeners, also beside one that throws, which has kept nothing', async () => {
    const faults: Error[] = [];
    const feed = new ReportFeed((error) => faults.push(error));
    const cause = new Error('broken listener');
    const taken: string[] = [];
    feed.subscribe('attributes', () => void taken.push('first'));
    feed.subscribe('events', () => {
      throw cause;
    });
    feed.subscribe('tracks', () => void taken.push('last'));
    const kept = feed.publish(REPORT);
    expect(taken).toEqual(['first', 'last']);
    expect(await kept).toBe(false);
    expect(faults).toEqual([new Error('a report of BUS1 could not be used', { cause })]);
  });

  it('says when what a report brought is kept, and that it is not where a listener fails', async () => {
    const faults: Error[] = [];
    const feed = new ReportFeed((error) => faults.push(error));
    feed.subscribe('events', () => undefined);
    expect(feed.publish(REPORT)).toBeUndefined();
    feed.subscribe('events', () => Promise.resolve());
    expect(await feed.publish(REPORT)).toBe(true);
    const cause = new Error('the disk is full');
    feed.subscribe('events', () => Promise.reject(cause));
    expect(await feed.publish(REPORT)).toBe(false);
    expect(faults).toEqual([new Error('a report of BUS1 could not be used', { cause })]);
  });

  it('gives nothing to a listener that has gone', () => {
    const feed = new ReportFeed(() => undefined);
    const taken: Report[] = [];
    const leave = feed.subscribe('events', (report) => void taken.push(report));
    void feed.publish(REPORT);
    leave();
    void feed.publish(REPORT);
    expect(taken).toEqual([REPORT]);
  });
});
