import { describe, expect, it } from 'vitest';
import type { MessageReport, PositionReport } from '../../../../../server/device/reportFeed.ts';
import { ruleInputOf } from '../../../../../server/events/engine/ruleInputOf.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { DEVICE_TIME_MS, item, messageReport, positionReport, RECEIVED_AT_MS } from '../signals/reports.ts';

const AccOn = 1;
const Fixed = 2;

const withStatus = (report: PositionReport, statusBits: number): PositionReport => ({
  ...report,
  position: { ...report.position, statusBits },
});

const card = (status: number, readResult?: number): MessageReport['body'] => ({
  kind: 'driverIdentity',
  status,
  time: wallMs(1),
  ...(readResult !== undefined && { readResult }),
});

describe('what rules see of a position', () => {
  it('is measured by the clock of the gateway, of a late one by that of the device', () => {
    expect(ruleInputOf(positionReport())).toMatchObject({ atMs: RECEIVED_AT_MS, isLate: false });
    expect(ruleInputOf(positionReport({ isLive: false }))).toMatchObject({ atMs: DEVICE_TIME_MS, isLate: true });
  });

  it.each([
    [0, { hasFix: false, ignitionOn: false }],
    [AccOn, { hasFix: false, ignitionOn: true }],
    [Fixed, { hasFix: true, ignitionOn: false }],
  ])('with the status %s is %o', (status, expected) => {
    expect(ruleInputOf(withStatus(positionReport(), status))).toMatchObject(expected);
  });

  it('has the speed of the driving recorder where there is no fix', () => {
    const report = positionReport({ speedKmh: 33, items: [item(0x03, '02bc')] });
    expect(ruleInputOf(withStatus(report, Fixed))).toMatchObject({ speedKmh: 33 });
    expect(ruleInputOf(withStatus(report, 0))).toMatchObject({ speedKmh: 70 });
    expect(ruleInputOf(withStatus(positionReport({ speedKmh: 33 }), 0))).toMatchObject({ speedKmh: 33 });
  });

  it('has fuel and temperature where the terminal measures them', () => {
    const measured = positionReport({ items: [item(0x02, '0190'), item(0x06, '8005')] });
    expect(ruleInputOf(measured)).toMatchObject({ fuelLiters: 40, cabinCelsius: -5 });
    expect(ruleInputOf(positionReport())).toMatchObject({ fuelLiters: undefined, cabinCelsius: undefined });
  });

  it.each([
    ['items that say so', [item(0x15, '00000005'), item(0x17, '0002')], 5, 2],
    ['no items: nothing is wrong', [], 0, 0],
    ['item 0x14 alone: it is not known where', [item(0x14, '00000005')], undefined, undefined],
    ['item 0x14 for the cameras alone', [item(0x14, '00000001')], undefined, 0],
  ])('loses video and storage by %s', (_, items, videoLostBits, storageFaultBits) => {
    expect(ruleInputOf(positionReport({ items }))).toMatchObject({ videoLostBits, storageFaultBits });
  });
});

describe('what rules see of other reports', () => {
  it.each([
    [card(1, 0), true],
    [card(1), true],
    [card(1, 4), false],
    [card(2), false],
    [card(2, 0), false],
  ])('a driver card %o is read: %s', (body, isRead) => {
    expect(ruleInputOf(messageReport(body))).toEqual({ kind: 'driver-card', atMs: RECEIVED_AT_MS, isRead });
  });

  it('passengers, by the end of their period where the terminal has a clock', () => {
    const flow = { kind: 'passengerFlow', start: undefined, end: wallMs(77), boarded: 5, alighted: 2 } as const;
    const counted = { kind: 'passengers', atMs: RECEIVED_AT_MS, boarded: 5, alighted: 2 };
    expect(ruleInputOf(messageReport(flow))).toEqual({ ...counted, periodEndMs: 77 });
    expect(ruleInputOf(messageReport({ ...flow, end: undefined }))).toEqual({
      ...counted,
      periodEndMs: RECEIVED_AT_MS,
    });
  });

  it('presence; and nothing of what no rule goes by', () => {
    const device = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };
    const presence = { kind: 'presence', device, isOnline: false, atMs: 5 } as const;
    expect(ruleInputOf(presence)).toEqual({ kind: 'presence', isOnline: false, atMs: 5 });
    expect(ruleInputOf({ kind: 'video-loss', device, lostBits: 1, receivedAtMs: 1 })).toBeUndefined();
    expect(ruleInputOf(messageReport({ kind: 'eventReport', id: 1 }))).toBeUndefined();
  });
});
