import { describe, expect, it } from 'vitest';
import { PackageWindow } from '../../../../../../server/device/jt808/packages/packageWindow.ts';

/** Sends as much as may be sent. */
function sendAll(window: PackageWindow): number[] {
  const sent: number[] = [];
  for (let number = window.next(); number !== undefined; number = window.next()) {
    window.sent(number);
    sent.push(number);
  }
  return sent;
}

describe('PackageWindow', () => {
  it('lets as many packages out as it is wide, and one more for each that is acknowledged', () => {
    const window = new PackageWindow(12, 8);
    expect(sendAll(window)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(window.acknowledge(3)).toBe(true);
    expect(sendAll(window)).toEqual([9]);
    expect(window.acknowledgedCount).toBe(1);
  });

  it('does not count what was not sent, or was counted before', () => {
    const window = new PackageWindow(4, 2);
    sendAll(window);
    expect([window.acknowledge(3), window.acknowledge(0), window.acknowledge(70_000)]).toEqual([false, false, false]);
    expect([window.acknowledge(1), window.acknowledge(1)]).toEqual([true, false]);
  });

  it('sends what is wanted again before what is new', () => {
    const window = new PackageWindow(6, 2);
    sendAll(window);
    window.acknowledge(1);
    expect(window.repeat(1)).toBe(true);
    expect(window.acknowledgedCount).toBe(0);
    expect(sendAll(window)).toEqual([1]);
    for (const number of [0, 3, 70_000, 1.5]) expect(window.repeat(number)).toBe(false);
  });

  it('sends the latest package again too, and none that has not been sent', () => {
    const window = new PackageWindow(4, 3);
    sendAll(window);
    expect([window.repeat(3), window.repeat(4)]).toEqual([true, false]);
    expect(sendAll(window)).toEqual([3]);
  });

  it('takes a late acknowledgement for what is about to be sent again', () => {
    const window = new PackageWindow(3, 3);
    sendAll(window);
    window.repeatAll();
    expect(window.isWaiting).toBe(false);
    expect(window.acknowledge(2)).toBe(true);
    expect(window.isWanted(2)).toBe(false);
    expect(sendAll(window)).toEqual([1, 3]);
    window.acknowledge(1);
    window.acknowledge(3);
    expect(window.isComplete).toBe(true);
  });
});
