import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EVERYTHING,
  FleetOrder,
  filterDevices,
  groupsOf,
  isOfCard,
} from '../../../../pages/innerpage/dashboard/fleetFilter.ts';
import { nextIndex } from '../../../../pages/innerpage/dashboard/list/listKeys.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { boundsOf, clusterDevices, isWithin, placeDevices, urgentLook } from '../../../../shared/ui/map/clusters.ts';
import { lookOf } from '../../../../shared/ui/map/deviceLook.ts';
import { countText } from '../../../../shared/ui/map/drawMarks.ts';
import { toDegrees, toWorld } from '../../../../shared/ui/map/mercator.ts';

const device = (id: string, fields: Partial<LiveDevice> = {}): LiveDevice => ({
  ...{ id, name: `Bus ${id}`, plate: `KAA-${id}`, terminal: `1380${id}`, group: 1, groupName: 'North', chn: 1 },
  ...{ state: 'online', isMoving: true, inAlarm: false, videoLoss: false, at: 1, seenAt: 1 },
  ...{ lat: 23, lng: 121, speedKmh: 10, heading: 0 },
  ...fields,
});

describe('the filter', () => {
  const devices = [
    device('1'),
    device('2', { isMoving: false, group: 2, groupName: 'South' }),
    device('3', { state: 'offline', isMoving: false, inAlarm: true }),
    device('4', { state: 'never', isMoving: false, videoLoss: true }),
  ];
  const ids = (found: readonly LiveDevice[]): string => found.map(({ id }) => id).join('');

  it.each([
    ['total', '1234'],
    ['online', '12'],
    ['moving', '1'],
    ['parked', '2'],
    ['offline', '3'],
    ['never', '4'],
    ['alarm', '3'],
    ['videoLoss', '4'],
  ] as const)('shows behind the card %s what it counts', (card, expected) => {
    expect(ids(filterDevices(devices, { ...EVERYTHING, card }))).toBe(expected);
    expect(ids(devices.filter((each) => isOfCard(each, card)))).toBe(expected);
  });

  it.each([
    ['bus kaa-3', '3'],
    ['kaa-2', '2'],
    ['13804', '4'],
    ['SOUTH', '2'],
    ['north bus', '134'],
    ['ＫＡＡ－１', '1'],
    ['  ', '1234'],
    ['bus 9', ''],
  ])('finds %j by name, id, plate, terminal number and group', (search, expected) => {
    expect(ids(filterDevices(devices, { ...EVERYTHING, search }))).toBe(expected);
  });

  it('joins state, group, words and place', () => {
    const filter = { ...EVERYTHING, group: 1, search: 'bus' };
    expect(ids(filterDevices(devices, filter))).toBe('134');
    expect(ids(filterDevices(devices, { ...filter, only: { ids: new Set(['2', '3']), label: 'here' } }))).toBe('3');
  });

  it('lists groups by name', () => {
    expect(groupsOf(devices)).toEqual([
      { serialno: 1, name: 'North' },
      { serialno: 2, name: 'South' },
    ]);
  });

  it('keeps devices in the order of their names, with numbers as numbers', () => {
    const order = new FleetOrder();
    const fleet = new Map(['10', '9', '1'].map((id) => [id, device(id)]));
    expect(ids(order.sorted(fleet))).toBe('1910');
    fleet.set('9', device('9', { name: 'A first', speedKmh: 5 }));
    expect(ids(order.sorted(fleet))).toBe('9110');
    fleet.delete('1');
    expect(ids(order.sorted(fleet))).toBe('910');
  });
});

describe('the look of a device', () => {
  it('is the most urgent of what holds', () => {
    expect(lookOf(device('1', { inAlarm: true, state: 'offline' }))).toBe('alarm');
    expect(lookOf(device('1'))).toBe('moving');
    expect(lookOf(device('1', { isMoving: false }))).toBe('parked');
    expect(lookOf(device('1', { state: 'never' }))).toBe('never');
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
        for (const { devices, looks } of marks) expect(looks.moving).toBe(devices.length);
      }),
    );
  });

  it('join what is close and part it when one looks closer', () => {
    const two = placeDevices([device('1'), device('2', { lng: 121.01 })]);
    expect(clusterDevices(two, 5)).toHaveLength(1);
    expect(clusterDevices(two, 16)).toHaveLength(2);
  });

  it('leave out what has no place, and show the most urgent look', () => {
    expect(placeDevices([device('1', { lat: null, lng: null })])).toEqual([]);
    const [mark] = clusterDevices(placeDevices([device('1'), device('2', { inAlarm: true })]), 3);
    expect(mark && urgentLook(mark)).toBe('alarm');
    expect([1, 999, 1_000, 12_345].map(countText)).toEqual(['1', '999', '1.0k', '12k']);
  });

  it('lie where the map has them', () => {
    expect(toWorld(0, 0)).toEqual({ x: 0.5, y: 0.5 });
    const { lat, lng } = toDegrees(toWorld(23.8575, 120.9155));
    expect(lat).toBeCloseTo(23.8575, 9);
    expect(lng).toBeCloseTo(120.9155, 9);
    expect(boundsOf([device('1'), device('2', { lat: 25, lng: 120 }), device('3', { lat: null })])).toEqual({
      ...{ west: 120, east: 121, south: 23, north: 25 },
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

describe('keys in the list', () => {
  it('move within it and never out of it', () => {
    expect(nextIndex('ArrowDown', -1, 5)).toBe(0);
    expect(nextIndex('ArrowUp', 0, 5)).toBe(0);
    expect(nextIndex('PageDown', 2, 5)).toBe(4);
    expect(nextIndex('Home', 4, 5)).toBe(0);
    expect(nextIndex('End', 0, 5)).toBe(4);
    expect(nextIndex('End', 0, 0)).toBeUndefined();
    expect(nextIndex('a', 0, 5)).toBeUndefined();
  });
});
