import { describe, expect, it } from 'vitest';
import { detailsOf, positionInputOf } from '../../../../../server/events/rules/positionInput.ts';
import type { Position } from '../../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

const ACC_ON = 1;
const FIXED = 2;

function inputOf(changes: Partial<Position> = {}, isLate = false) {
  const position: Position = {
    deviceId: 'BUS1',
    incarnation: 1,
    deviceTimeMs: wallMs(1_000),
    receivedAtMs: wallMs(5_000),
    latitude: 25,
    longitude: 121.5,
    altitudeM: 0,
    speedKmh: 50,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: ACC_ON | FIXED,
    extra: {},
    ...changes,
  };
  return positionInputOf(position, detailsOf(position), isLate);
}

describe('a position as rules see it', () => {
  it('counts by the clock of the gateway or, where it came late, of the device', () => {
    expect(inputOf()).toMatchObject({ atMs: 5_000, deviceTimeMs: 1_000, receivedAtMs: 5_000, isLate: false });
    expect(inputOf({}, true)).toMatchObject({ atMs: 1_000, deviceTimeMs: 1_000, receivedAtMs: 5_000, isLate: true });
  });

  it('has what its items say', () => {
    const extra = { 2: '03e8', 6: '8005', 21: '00000003', 23: '0001' };
    expect(inputOf({ extra })).toMatchObject({
      hasFix: true,
      ignitionOn: true,
      fuelLiters: 100,
      cabinCelsius: -5,
      videoLostBits: 3,
      storageFaultBits: 1,
    });
  });

  it.each([
    ['says that nothing is wrong', {}, 0, 0],
    ['leaves open which channel is lost', { 20: '00000001' }, undefined, 0],
    ['leaves open which storage has failed', { 20: '00000004' }, 0, undefined],
  ])('without items of video %s', (_, extra, videoLostBits, storageFaultBits) => {
    expect(inputOf({ extra })).toMatchObject({ videoLostBits, storageFaultBits });
  });

  it('takes the speed of the driving recorder where there is no fix', () => {
    const extra = { 3: '0190' };
    expect(inputOf({ extra }).speedKmh).toBe(50);
    expect(inputOf({ extra, statusBits: ACC_ON }).speedKmh).toBe(40);
    expect(inputOf({ statusBits: ACC_ON }).speedKmh).toBe(50);
  });

  it('leaves out what is no item', () => {
    expect(inputOf({ extra: { 2: 7, note: 'text' } }).fuelLiters).toBeUndefined();
  });
});
