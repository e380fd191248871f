import { describe, expect, it } from 'vitest';
import {
  type DeviceFacts,
  differenceOf,
  type FleetDevice,
  liveDevice,
  REPORT_HOLDS_MS,
} from '../../../../server/fleet/deviceRow.ts';
import { countFleet, NO_ALARM } from '../../../../shared/protocol/api/liveUpdates.ts';

const ALARM = { type: 'collision', severity: 'critical', sinceMs: 7 } as const;
const NOW = 1_795_000_000_000;
const DEVICE: FleetDevice = {
  deviceId: 'BUS1',
  incarnation: 1,
  archiveNumber: 1,
  name: 'Bus 1',
  plate: 'A-1',
  terminalNumber: '13800000001',
  deviceGroup: 3,
  groupName: 'North',
  chn: 4,
  timeZone: '',
  installchs: '',
  wasSeen: true,
};
const REPORT = {
  incarnation: 1,
  deviceTimeMs: NOW - 2_000,
  receivedAtMs: NOW - 1_000,
  latitude: 23.5,
  longitude: 120.5,
  speedKmh: 40,
  headingDeg: 90,
};
const ONLINE: DeviceFacts = {
  isOnline: true,
  presenceAtMs: NOW - 60_000,
  report: REPORT,
  alarm: undefined,
  videoLostBits: 0,
  reportedChannels: undefined,
};
const row = (facts: Partial<DeviceFacts>, device: Partial<FleetDevice> = {}) =>
  liveDevice({ ...DEVICE, ...device }, { ...ONLINE, ...facts }, NOW);

describe('the row of a device', () => {
  it('says where it is, how fast, and when it was heard of', () => {
    expect(row({})).toEqual({
      id: 'BUS1',
      name: 'Bus 1',
      plate: 'A-1',
      terminal: '13800000001',
      group: 3,
      groupName: 'North',
      chn: 4,
      state: 'online',
      isMoving: true,
      ...NO_ALARM,
      videoLoss: false,
      at: NOW - 2_000,
      seenAt: NOW - 1_000,
      lat: 23.5,
      lng: 120.5,
      speedKmh: 40,
      heading: 90,
    });
  });

  it('moves only while it is online, is fast enough and has said so lately', () => {
    expect(row({ report: { ...REPORT, speedKmh: undefined, headingDeg: undefined } })).toMatchObject({
      speedKmh: null,
      heading: null,
      isMoving: false,
    });
    expect(row({ report: { ...REPORT, speedKmh: 2.9 } }).isMoving).toBe(false);
    expect(row({ report: { ...REPORT, speedKmh: 3 } }).isMoving).toBe(true);
    expect(row({ isOnline: false }).isMoving).toBe(false);
    expect(row({ report: { ...REPORT, receivedAtMs: NOW - REPORT_HOLDS_MS } }).isMoving).toBe(false);
  });

  it('is in alarm also while the terminal is away', () => {
    expect(row({ alarm: ALARM, isOnline: false })).toMatchObject({ state: 'offline', inAlarm: true });
    expect(row({ alarm: ALARM, report: undefined })).toMatchObject({
      alarmType: 'collision',
      alarmSeverity: 'critical',
      alarmSince: 7,
    });
  });

  it('was never seen until a terminal signed in or reported', () => {
    const nothing = { isOnline: false, presenceAtMs: 0, report: undefined };
    expect(row(nothing, { wasSeen: false }).state).toBe('never');
    expect(row(nothing).state).toBe('offline');
    expect(row({ ...nothing, presenceAtMs: 5 }, { wasSeen: false }).state).toBe('offline');
    expect(row({ ...nothing, report: REPORT }, { wasSeen: false }).state).toBe('offline');
  });

  it('has no place without a fix, and the channels that the terminal tells where the record leaves it to that', () => {
    expect(row({ report: { ...REPORT, latitude: 0, longitude: 0 } })).toMatchObject({ lat: null, lng: null });
    expect(row({ reportedChannels: 6 }, { chn: 0 }).chn).toBe(6);
    expect(row({ reportedChannels: 6 }).chn).toBe(4);
  });

  it('differs by the fields that changed and no others', () => {
    const before = row({});
    expect(differenceOf(before, before)).toBeUndefined();
    expect(differenceOf(before, { ...before, speedKmh: 0, isMoving: false })).toEqual({
      id: 'BUS1',
      speedKmh: 0,
      isMoving: false,
    });
  });

  it('is counted as one of online, offline and never seen, and online ones as moving or parked', () => {
    const rows = [
      row({}),
      row({ report: { ...REPORT, speedKmh: 0 }, videoLostBits: 2 }),
      row({ isOnline: false, alarm: ALARM }),
      row({ isOnline: false, presenceAtMs: 0, report: undefined }, { wasSeen: false }),
    ];
    expect(countFleet(rows)).toEqual({
      total: 4,
      online: 2,
      offline: 1,
      never: 1,
      moving: 1,
      parked: 1,
      alarm: 1,
      videoLoss: 1,
    });
  });
});
