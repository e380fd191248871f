import { describe, expect, it } from 'vitest';
import { Throttle } from '../../../workers/throttle.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';

function setUp() {
  const timers = new ManualTimers();
  const reportedAtMs: number[] = [];
  const throttle = new Throttle(200, () => reportedAtMs.push(timers.now()), timers);
  return { timers, reportedAtMs, throttle };
}

describe('Throttle', () => {
  it('reports the first request at once', () => {
    const { throttle, reportedAtMs } = setUp();
    throttle.request();
    expect(reportedAtMs).toEqual([0]);
  });

  it('reports all requests of an interval together at its end', () => {
    const { throttle, timers, reportedAtMs } = setUp();
    for (let step = 0; step < 12; step++) {
      throttle.request();
      timers.advance(40);
    }
    expect(reportedAtMs).toEqual([0, 200, 400]);
  });

  it('reports at once again after a quiet interval', () => {
    const { throttle, timers, reportedAtMs } = setUp();
    throttle.request();
    timers.advance(1_000);
    throttle.request();
    expect(reportedAtMs).toEqual([0, 1_000]);
  });

  it('reports at once what is asked for before something else is told, and nothing twice', () => {
    const { throttle, timers, reportedAtMs } = setUp();
    throttle.flush();
    throttle.request();
    timers.advance(50);
    throttle.request();
    throttle.flush();
    throttle.flush();
    timers.advance(1_000);
    expect(reportedAtMs).toEqual([0, 50]);
  });

  it('reports nothing more once closed', () => {
    const { throttle, timers, reportedAtMs } = setUp();
    throttle.request();
    throttle.request();
    throttle.close();
    timers.advance(1_000);
    expect(reportedAtMs).toEqual([0]);
    expect(timers.pending).toBe(0);
  });
});
