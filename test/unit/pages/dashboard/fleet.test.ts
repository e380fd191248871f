import { describe, expect, it } from 'vitest';
import {
  EVERYTHING,
  FleetOrder,
  filterDevices,
  groupsOf,
  isOfCard,
} from '../../../../pages/innerpage/dashboard/fleetFilter.ts';
import { nextIndex } from '../../../../pages/innerpage/dashboard/list/listKeys.ts';
import { type LiveDevice, NO_ALARM } from '../../../../shared/protocol/api/liveUpdates.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';

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

  it('lists the worst alarm first, and of equal ones the one that has waited longest', () => {
    const alarm = (id: string, alarmSeverity: Severity, alarmSince: number) =>
      device(id, { inAlarm: true, alarmType: 'speeding', alarmSeverity, alarmSince });
    const fleet = [alarm('1', 'major', 1), alarm('2', 'critical', 3), alarm('3', 'critical', 2), device('4')];
    expect(ids(filterDevices(fleet, { ...EVERYTHING, card: 'alarm' }))).toBe('321');
    expect(ids(fleet)).toBe('1234');
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
