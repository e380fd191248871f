import { describe, expect, it } from 'vitest';
import { bytesPerDay, forecastDisk } from '../../../../../server/http/fleet/forecast.ts';
import { createGauges } from '../../../../../server/http/fleet/gauges.ts';
import { mapOriginsOf } from '../../../../../server/http/fleet/mapSource.ts';
import { securityHeaders } from '../../../../../server/http/kernel/headers.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the forecast of the disk', () => {
  const use = { freeBytes: 700, floorBytes: 100, maximumBytes: 0, recordedBytes: 400, bytesPerDay: 100 };

  it('says how many days fit, and when the oldest begin to make room', () => {
    expect(forecastDisk(use)).toEqual({ daysOfRoom: 10, daysUntilFull: 6 });
    expect(forecastDisk({ ...use, freeBytes: 50 })).toEqual({ daysOfRoom: 4, daysUntilFull: 0 });
  });

  it('keeps to the limit of all recordings, whichever is the narrower', () => {
    expect(forecastDisk({ ...use, maximumBytes: 600 })).toEqual({ daysOfRoom: 6, daysUntilFull: 2 });
    expect(forecastDisk({ ...use, maximumBytes: 5_000 })).toEqual({ daysOfRoom: 10, daysUntilFull: 6 });
  });

  it('says nothing when nothing is recorded', () => {
    expect(forecastDisk({ ...use, bytesPerDay: 0 })).toEqual({ daysOfRoom: null, daysUntilFull: null });
    expect(bytesPerDay(0, 0, undefined, DAY_MS)).toBe(0);
  });

  it('takes an hour of recordings for an hour, not for a day', () => {
    expect(bytesPerDay(100, 0, DAY_MS - 3_600_000, DAY_MS)).toBe(2_400);
    expect(bytesPerDay(100, 0, 0, DAY_MS)).toBe(100);
  });
});

describe('the gauges', () => {
  it('say shares and rates of the time between two readings, and do not read twice at once', () => {
    let at = { atMs: 0, busyMs: 0, idleMs: 0, ownMs: 0, inBytes: 0, outBytes: 0 };
    const read = createGauges({ now: () => at.atMs, cpuTimes: () => at, totals: () => at });
    at = { atMs: 10_000, busyMs: 4_000, idleMs: 12_000, ownMs: 2_000, inBytes: 50_000, outBytes: 100_000 };
    const first = read();
    expect(first).toMatchObject({
      machineShare: 0.25,
      gatewayShare: 0.125,
      inBytesPerSecond: 5_000,
      outBytesPerSecond: 10_000,
    });
    at = { ...at, atMs: 11_000, busyMs: 9_000 };
    expect(read()).toBe(first);
  });
});

describe('the sites of the map', () => {
  it('are none unless a style is configured, and then exactly its own and those named', () => {
    expect(mapOriginsOf({ mapStyleUrl: undefined, mapOrigins: ['https://x.example'] })).toEqual([]);
    const source = { mapStyleUrl: 'https://maps.example:8443/style.json?key=1' };
    expect(mapOriginsOf({ ...source, mapOrigins: ['https://tiles.example'] })).toEqual([
      'https://maps.example:8443',
      'https://tiles.example',
    ]);
  });

  it('stand in the policy of what may be loaded, for data and pictures alone', () => {
    const policyOf = (origins: readonly string[]) =>
      securityHeaders('page', [], origins)['content-security-policy']?.split('; ') ?? [];
    const changed = policyOf(['https://maps.example']).filter((line) => !policyOf([]).includes(line));
    expect(changed).toEqual([
      "img-src 'self' data: blob: https://maps.example",
      "connect-src 'self' https://maps.example",
    ]);
  });
});
