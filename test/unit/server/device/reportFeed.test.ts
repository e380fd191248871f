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
    feed.subscribe(() => void taken.push('first'));
    feed.subscribe(() => {
      throw cause;
    });
    feed.subscribe(() => void taken.push('last'));
    expect(feed.publish(REPORT)).toBeUndefined();
    expect(taken).toEqual(['first', 'last']);
    expect(faults).toEqual([new Error('a report of BUS1 could not be used', { cause })]);
  });

  it('waits for all that keep what a report brought, and says when one of them could not', async () => {
    const faults: Error[] = [];
    const feed = new ReportFeed((error) => faults.push(error));
    let isKept = false;
    feed.subscribe(async () => {
      await Promise.resolve();
      isKept = true;
    });
    feed.subscribe(() => undefined);
    expect(await feed.publish(REPORT)).toBe(true);
    expect(isKept).toBe(true);
    feed.subscribe(() => Promise.reject(new Error('no room')));
    expect(await feed.publish(REPORT)).toBe(false);
    expect(faults.map(({ cause }) => cause)).toEqual([new Error('no room')]);
  });

  it('gives nothing to a listener that has gone', () => {
    const feed = new ReportFeed(() => undefined);
    const taken: Report[] = [];
    const leave = feed.subscribe((report) => void taken.push(report));
    feed.publish(REPORT);
    leave();
    feed.publish(REPORT);
    expect(taken).toEqual([REPORT]);
  });
});
