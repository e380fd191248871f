import { describe, expect, it } from 'vitest';
import type { Report } from '../../../../../server/device/reportFeed.ts';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { MAX_SIGNALS, observationOf } from '../../../../../server/events/signals/observation.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ofHex } from '../../device/jt808/codec/vectors.ts';
import {
  bits,
  DEVICE,
  DEVICE_TIME_MS,
  item,
  messageReport,
  openAfter,
  positionReport,
  RECEIVED_AT_MS,
  type ReportOptions,
} from './reports.ts';
import { safetyAlarm, tyre } from './safety.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;
const NO_TYPES = new CustomTypes([]);
const observed = (options: ReportOptions = {}) => observationOf(positionReport(options), NO_TYPES);
const ALL_OF_A_POSITION =
  Origin.AlarmWord |
  Origin.VideoAlarms |
  Origin.VideoLoss |
  Origin.VideoCovered |
  Origin.Storage |
  Origin.AbnormalDriving |
  Origin.Custom;

describe('a position', () => {
  it('is observed by the clock of the gateway', () => {
    const times = { atMs: RECEIVED_AT_MS, deviceTimeMs: DEVICE_TIME_MS, isLate: false };
    expect(observed()).toEqual({ ...times, covered: ALL_OF_A_POSITION, signals: [] });
    expect(observed({ alarm: 1 })).toMatchObject(times);
  });

  it('that was sent later is observed by the clock of the device', () => {
    const times = { atMs: DEVICE_TIME_MS, deviceTimeMs: DEVICE_TIME_MS, isLate: true };
    expect(observed({ isLive: false })).toEqual({ ...times, covered: ALL_OF_A_POSITION, signals: [] });
    expect(observed({ isLive: false, alarm: 1 })).toMatchObject(times);
  });

  it.each([
    ['1970', 0],
    ['a year ago', NOW_MS - 365 * DAY_MS],
    ['tomorrow', NOW_MS + DAY_MS],
  ])('that was sent later with a time of %s is of when it was received', (_, deviceTimeMs) => {
    const report = positionReport({ isLive: false, alarm: 1 });
    const position = { ...report.position, deviceTimeMs: wallMs(deviceTimeMs), receivedAtMs: wallMs(NOW_MS) };
    const observation = observationOf({ ...report, position }, NO_TYPES);
    expect(observation).toMatchObject({ atMs: NOW_MS, deviceTimeMs, isLate: true, signals: [{ type: 'emergency' }] });
  });

  it('without alarms takes no list of its own', () => {
    const plain = [item(0x01, '00000e3e'), item(0x30, '1f'), item(0x31, '0c')];
    const [one, other] = [observed({ items: plain }), observed()];
    expect(one?.signals).toBe(other?.signals);
    // Items that only add to the alarm word are as good as none without it.
    expect(observed({ items: [item(0x11, '0100000007')] })?.signals).toBe(one?.signals);
  });

  it.each([
    [{ alarm: 1 }, ['emergency']],
    [{ items: [item(0x14, '00000008')] }, ['video-fault']],
    [{ items: [item(0x15, '00000001')] }, ['video-loss']],
    [{ items: [item(0x16, '00000001')] }, ['video-covered']],
    [{ items: [item(0x17, '0001')] }, ['storage-fault']],
    [{ items: [item(0x18, '0001')] }, ['fatigue']],
    [{ items: [safetyAlarm('adas')] }, ['forward-collision']],
    [{ items: [safetyAlarm('driverMonitoring')] }, ['fatigue']],
    [{ items: [safetyAlarm('tyres', { readings: [tyre(0, bits(1))] })] }, ['tire-pressure']],
    [{ items: [safetyAlarm('blindSpot')] }, ['blind-spot-rear']],
    [{ items: [safetyAlarm('drivingStyle')] }, ['harsh-acceleration']],
  ])('with %j alone says %j', (options, types) => {
    expect(observed(options)?.signals.map(({ type }) => type)).toEqual(types);
  });

  it('says of one condition in several ways how each is told, so that the last of them ends it', () => {
    const both = { alarm: bits(2), items: [item(0x18, '0001'), safetyAlarm('driverMonitoring', { flag: 1 })] };
    expect(observed(both)?.signals.map(({ type, origin }) => [type, origin])).toEqual([
      ['fatigue', Origin.AlarmWord],
      ['fatigue', Origin.AbnormalDriving],
      ['fatigue', Origin.ActiveSafety],
    ]);
    expect(openAfter([observed(both), observed()])).toEqual(['fatigue']);
    const ended = observed({ items: [safetyAlarm('driverMonitoring', { flag: 2 })] });
    expect(openAfter([observed(both), ended])).toEqual([]);
  });

  it('raises so many signals and no more, the alarm word first', () => {
    const readings = Array.from({ length: 20 }, (_, at) => tyre(at, bits(2)));
    const items = Array.from({ length: 20 }, () => safetyAlarm('tyres', { readings }));
    const observation = observed({ alarm: 1, items });
    expect(observation?.signals).toHaveLength(MAX_SIGNALS);
    expect(observation?.signals[0]?.type).toBe('emergency');
    expect(observation?.signalsLeftOut).toBe(401 - MAX_SIGNALS);
  });

  it('has room for all that a terminal can mean', () => {
    const items = [item(0x14, '0000007f'), item(0x15, 'ffffffff'), item(0x16, 'ffffffff'), item(0x17, 'ffff')];
    const readings = Array.from({ length: 23 }, (_, at) => tyre(at, bits(2)));
    const observation = observed({ alarm: 0xffffffff, items: [...items, safetyAlarm('tyres', { readings })] });
    expect(observation?.signals).toHaveLength(31 + 4 + 32 + 32 + 16 + 23);
    expect(observation).not.toHaveProperty('signalsLeftOut');
  });
});

describe('a media event', () => {
  const media = (event: number) =>
    observationOf(messageReport({ kind: 'mediaEvent', mediaId: 1, type: 0, format: 0, event, channel: 2 }), NO_TYPES);

  it.each([
    [2, 'robbery'],
    [3, 'collision'],
    [4, 'door-opened'],
    [5, 'door-closed'],
    [7, 'distance-picture'],
  ])('%d is %s', (event, type) => {
    expect(media(event)).toEqual({
      atMs: RECEIVED_AT_MS,
      deviceTimeMs: RECEIVED_AT_MS,
      isLate: false,
      covered: 0,
      signals: [{ type, unit: 0, area: 0, form: 'momentary', origin: Origin.Media }],
    });
  });

  it.each([0, 1, 6, 8, 255])('%d is no event', (event) => {
    expect(media(event)).toBeUndefined();
  });
});

describe('reports without a condition', () => {
  const reports: readonly Report[] = [
    { kind: 'presence', device: DEVICE, isOnline: true, atMs: 1 },
    { kind: 'video-loss', device: DEVICE, lostBits: 3, receivedAtMs: 1 },
    messageReport({ kind: 'driverIdentity', status: 1, time: undefined }),
    messageReport({ kind: 'passengerFlow', start: undefined, end: undefined, boarded: 5, alighted: 1 }),
    messageReport({ kind: 'eventReport', id: 1 }),
    messageReport({ kind: 'questionAnswer', replySerial: 1, answerId: 1 }),
    messageReport({ kind: 'upgradeResult', type: 0, result: 0 }),
    messageReport({ kind: 'passthroughUp', type: 0x41, data: ofHex('01') }),
  ];

  it.each(reports.map((report) => [report.kind === 'message' ? report.body.kind : report.kind, report] as const))(
    '%s says nothing',
    (_, report) => {
      expect(observationOf(report, NO_TYPES)).toBeUndefined();
    },
  );
});
