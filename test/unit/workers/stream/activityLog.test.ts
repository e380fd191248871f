import { describe, expect, it } from 'vitest';
import { ActivityLog } from '../../../../workers/stream/activityLog.ts';

describe('ActivityLog', () => {
  it('names only the streams where something came since the last time', () => {
    const log = new ActivityLog();
    log.add(1, { packets: 1, bytes: 100 }, 0);
    log.add(2, { packets: 1, bytes: 10 }, 0);
    log.take(0);
    log.add(2, { packets: 2, bytes: 20 }, 50);
    expect(log.take(80)).toEqual([{ streamId: 2, packets: 3, bytes: 30, newestAgeMs: 30 }]);
    expect(log.take(90)).toEqual([]);
  });

  it('forgets a stream that was closed', () => {
    const log = new ActivityLog();
    log.add(1, { packets: 1, bytes: 100 }, 0);
    log.forget(1);
    expect(log.take(0)).toEqual([]);
  });
});
