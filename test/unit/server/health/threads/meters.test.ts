import { beforeEach, describe, expect, it } from 'vitest';
import { BusyMeter } from '../../../../../server/health/threads/busyMeter.ts';
import { LoopMeter } from '../../../../../server/health/threads/loopMeter.ts';
import { PauseWindow } from '../../../../../server/health/threads/pauseWindow.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const MINUTE_MS = 60_000;
let timers: ManualTimers;
beforeEach(() => {
  timers = new ManualTimers();
});

describe('the pauses of the last hour', () => {
  it('are forgotten minute by minute', () => {
    const window = new PauseWindow(timers.now);
    expect(window.longestMs()).toBe(null);
    window.note(500);
    window.note(100);
    timers.advance(MINUTE_MS);
    window.note(300);
    expect(window.longestMs()).toBe(500);
    timers.advance(58 * MINUTE_MS);
    expect(window.longestMs()).toBe(500);
    timers.advance(MINUTE_MS);
    expect(window.longestMs()).toBe(300);
    timers.advance(MINUTE_MS);
    expect(window.longestMs()).toBe(null);
  });
});

describe('a thread that is asked', () => {
  it('has been busy for as long as its longest answer took', () => {
    const meter = new BusyMeter(timers.now);
    expect(meter.longestMs()).toBe(null);
    const end = meter.begin();
    timers.advance(200);
    end();
    timers.advance(5_000);
    end();
    expect(meter.longestMs()).toBe(200);
  });

  it('is busy while it does not answer', () => {
    const meter = new BusyMeter(timers.now);
    const endFirst = meter.begin();
    timers.advance(1_000);
    const endSecond = meter.begin();
    timers.advance(1_000);
    expect(meter.longestMs()).toBe(2_000);
    endFirst();
    timers.advance(500);
    expect(meter.longestMs()).toBe(2_000);
    timers.advance(1_000);
    expect(meter.longestMs()).toBe(2_500);
    endSecond();
    expect(meter.longestMs()).toBe(2_500);
  });
});

describe('the main thread', () => {
  const histogram = {
    max: 0,
    count: 0,
    isOn: false,
    enable: () => {
      histogram.isOn = true;
    },
    disable: () => {
      histogram.isOn = false;
    },
    reset: () => {
      histogram.max = 0;
      histogram.count = 0;
    },
    pause: (ms: number) => {
      histogram.max = Math.max(histogram.max, (ms + 10) * 1_000_000);
      histogram.count++;
    },
  };

  it('has paused as long as a timer came late', () => {
    const meter = new LoopMeter({ now: timers.now, runAfter: timers.runAfter, histogram });
    expect(histogram.isOn).toBe(true);
    expect(meter.longestMs()).toBe(null);
    histogram.pause(0);
    expect(meter.longestMs()).toBe(0);
    histogram.pause(250);
    timers.advance(10_000);
    histogram.pause(40);
    timers.advance(10_000);
    expect(meter.longestMs()).toBe(250);
    timers.advance(60 * MINUTE_MS);
    expect(meter.longestMs()).toBe(null);
    meter.close();
    expect(histogram.isOn).toBe(false);
    expect(timers.pending).toBe(0);
  });
});
