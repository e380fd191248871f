import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LiveDevice, NO_ALARM } from '../../../../../shared/protocol/api/liveUpdates.ts';
import {
  boundsOf,
  clusterDevices,
  isWithin,
  placeDevices,
  urgentState,
} from '../../../../../shared/ui/map/clusters.ts';
import { countText } from '../../../../../shared/ui/map/drawMarks.ts';
import { markerStateOf } from '../../../../../shared/ui/map/markerState.ts';
import { toDegrees, toWorld } from '../../../../../shared/ui/map/mercator.ts';

const device = (id: string, fields: Partial<LiveDevice> = {}): LiveDevice => ({
  id,
  name: `Bus ${id}`,
  plate: `KAA-${id}`,
  terminal: `1380${id}`,
  group: 1,
  groupName: 'North',
  chn: 1,
  state: 'online',
  isMoving: true,
  ...NO_ALARM,
  videoLoss: false,
  at: 1,
  seenAt: 1,
  lat: 23,
  lng: 121,
  speedKmh: 10,
  heading: 0,
  ...fields,
});

describe('the state of a marker', () => {
  it('is the most urgent of what holds', () => {
    expect(markerStateOf(device('1', { inAlarm: true, state: 'offline' }))).toBe('alarm');
    expect(markerStateOf(device('1'))).toBe('moving');
    expect(markerStateOf(device('1', { isMoving: false }))).toBe('parked');
    expect(markerStateOf(device('1', { state: 'never' }))).toBe('never');
  });
});

describe('marks on the map', () => {
  it('stand for every device once, at any zoom', () => {
    const place = fc.record({
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lng: fc.double({ min: -179, max: 179, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), fc.integer({ min: 1, max: 18 }), (places, zoom) => {
        const marks = clusterDevices(placeDevices(places.map((each, at) => device(String(at), each))), zoom);
        const ids = marks.flatMap((mark) => mark.devices.map((placed) => placed.device.id));
        expect(ids.sort()).toEqual(places.map((_, at) => String(at)).sort());
        for (const { devices, states } of marks) expect(states.moving).toBe(devices.length);
      }),
    );
  });

  it('join what is close and part it when one looks closer', () => {
    const two = placeDevices([device('1'), device('2', { lng: 121.01 })]);
    expect(clusterDevices(two, 5)).toHaveLength(1);
    expect(clusterDevices(two, 16)).toHaveLength(2);
  });

  it('leave out what has no place, and show the most urgent state', () => {
    expect(placeDevices([device('1', { lat: null, lng: null })])).toEqual([]);
    const [mark] = clusterDevices(placeDevices([device('1'), device('2', { inAlarm: true })]), 3);
    expect(mark && urgentState(mark)).toBe('alarm');
    expect([1, 999, 1_000, 12_345].map(countText)).toEqual(['1', '999', '1.0k', '12k']);
  });

  it('lie where the map has them', () => {
    expect(toWorld(0, 0)).toEqual({ x: 0.5, y: 0.5 });
    const { lat, lng } = toDegrees(toWorld(23.8575, 120.9155));
    expect(lat).toBeCloseTo(23.8575, 9);
    expect(lng).toBeCloseTo(120.9155, 9);
    expect(boundsOf([device('1'), device('2', { lat: 25, lng: 120 }), device('3', { lat: null })])).toEqual({
      west: 120,
      east: 121,
      south: 23,
      north: 25,
    });
    expect(boundsOf([])).toBeUndefined();
  });
});

describe('the view of the map', () => {
  it('holds what lies between its sides, and nothing that has no place', () => {
    const sides = { west: 120, south: 22, east: 122, north: 24 };
    expect(isWithin(device('1'), sides)).toBe(true);
    expect(isWithin(device('1', { lng: 122.1 }), sides)).toBe(false);
    expect(isWithin(device('1', { lat: 21.9 }), sides)).toBe(false);
    expect(isWithin(device('1', { lat: null, lng: null }), sides)).toBe(false);
  });
});
