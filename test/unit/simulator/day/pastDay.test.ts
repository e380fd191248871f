import { describe, expect, it } from 'vitest';
import { hasBit, StatusBit } from '../../../../server/device/jt808/codec/codes.ts';
import { PAST_HOURS, pastDay } from '../../../../simulator/day/pastDay.ts';
import { momentsIn } from '../../../../simulator/script/moments.ts';
import { stateAt } from '../../../../simulator/script/scriptState.ts';
import { timesBeforeStart } from '../../../../simulator/script/timing.ts';

const early = { name: 'Early', licence: 'A1', issuer: 'Depot', validUntil: '20300101' };
const late = { ...early, name: 'Late' };
const SCRIPT = pastDay({ laterMinutes: 0, early, late, fuelLiters: 150, tankLiters: 200 });
const HOUR_MS = 3_600_000;
const at = (hour: number) => stateAt(SCRIPT, hour * HOUR_MS, { edition: '2019' });

describe('the day before a vehicle of the demo signs in', () => {
  it('is all sent later: each half minute of it, and nothing that comes after', () => {
    const times = timesBeforeStart(SCRIPT, 30_000);
    expect(times[0]).toBe(-PAST_HOURS * HOUR_MS);
    expect(times.length).toBeGreaterThanOrEqual(PAST_HOURS * 120);
    expect(at(-1).isAbsent).toBe(true);
    expect(at(0)).toMatchObject({ isAbsent: false, statusOff: 0, detourMeters: 0, speedKmh: undefined });
    expect(at(0).driven.pace).toBe(1);
  });

  it.each([
    ['spends the night with the ignition off', -18, { pace: 0, ignitionOff: true }],
    ['stops with the ignition off', -8.5, { pace: 0, ignitionOff: true }],
    ['idles', -10.95, { pace: 0, ignitionOff: false }],
    ['drives', -10, { pace: 1, ignitionOff: false }],
  ])('%s', (_, hour, { pace, ignitionOff }) => {
    const { driven, statusOff } = at(hour);
    expect(driven.pace).toBe(pace);
    expect(hasBit(statusOff, StatusBit.AccOn)).toBe(ignitionOff);
  });

  it('drives too fast, through a tunnel, and a detour', () => {
    expect(at(-12.98).speedKmh).toBe(88);
    expect(hasBit(at(-6.97).statusOff, StatusBit.Fixed)).toBe(true);
    expect(at(-2.965).detourMeters).toBe(300);
  });

  it('has two drivers, passengers, and a tank that is filled', () => {
    const moments = momentsIn(SCRIPT, -PAST_HOURS * HOUR_MS, 0).flatMap((moment) =>
      moment.kind === 'message' ? [moment.step] : [],
    );
    const cards = moments.flatMap((step) => (step.kind === 'driver-card' ? [step.card?.name ?? 'out'] : []));
    expect(cards).toEqual(['Early', 'out', 'Late', 'out']);
    expect(moments.filter(({ kind }) => kind === 'passengers').length).toBeGreaterThan(20);
    const fuel = [-20, -4, -3.5, -0.1].map((hour) => at(hour).details.fuelLitres ?? 0);
    expect(fuel[0]).toBe(150);
    expect(fuel[1]).toBeLessThan(60);
    expect(fuel[2]).toBeGreaterThan(195);
    expect(fuel[3]).toBeLessThan(180);
  });
});
