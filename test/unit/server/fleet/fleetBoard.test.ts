import { describe, expect, it } from 'vitest';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import type { TerminalSession } from '../../../../server/device/terminalSession.ts';
import type { FleetDevice } from '../../../../server/fleet/deviceRow.ts';
import { FleetBoard } from '../../../../server/fleet/fleetBoard.ts';
import { NO_ALARM } from '../../../../shared/protocol/api/liveUpdates.ts';

const ALARM = { type: 'collision', severity: 'critical', sinceMs: 7 } as const;

const device = (deviceId: string, deviceGroup = 1, incarnation = 1): FleetDevice => ({
  deviceId,
  incarnation,
  archiveNumber: incarnation,
  name: deviceId,
  plate: '',
  terminalNumber: '',
  deviceGroup,
  groupName: `G${deviceGroup}`,
  chn: 1,
  timeZone: '',
  installchs: '',
  wasSeen: false,
});
const report = (speedKmh: number, receivedAtMs: number) => ({
  incarnation: 1,
  deviceTimeMs: receivedAtMs,
  receivedAtMs,
  latitude: 1,
  longitude: 2,
  speedKmh,
  headingDeg: 0,
});
// The registry keeps sessions by their device and closes them: nothing else of one is touched here.
const sessionOf = (deviceId: string) => ({ deviceId, close: () => undefined }) as unknown as TerminalSession;

function open() {
  const clock = { now: 1_000_000 };
  const registry = new DeviceRegistry(() => clock.now);
  const board = new FleetBoard({ registry, now: () => clock.now });
  return { clock, registry, board };
}

describe('the board', () => {
  it('tells of a new device whole, then of what changes, then that it is gone', () => {
    const { board, registry } = open();
    board.setDevices([device('A')]);
    expect(board.drain()).toMatchObject([{ before: undefined, after: { id: 'A', state: 'never' } }]);
    expect(board.drain()).toEqual([]);
    const session = sessionOf('A');
    registry.enter(session);
    board.notePresence('A');
    expect(board.drain()).toMatchObject([{ difference: { id: 'A', state: 'online' } }]);
    registry.leave(session);
    board.notePresence('A');
    expect(board.drain()).toMatchObject([{ difference: { id: 'A', state: 'offline' } }]);
    board.setDevices([]);
    expect(board.drain()).toMatchObject([{ before: { id: 'A' }, after: undefined }]);
    expect([...board.rows]).toEqual([]);
  });

  it('shows nothing of a device that another one with its id has followed', () => {
    const { board, clock } = open();
    board.setDevices([device('A')]);
    board.setReport('A', report(50, clock.now));
    board.drain();
    expect(board.row('A')?.state).toBe('offline');
    // Between two readings one was deleted and the other added; a report that was on its way comes after it.
    expect(board.setDevices([device('A', 1, 2)])).toMatchObject([{ deviceId: 'A', incarnation: 1 }]);
    board.drain();
    expect(board.row('A')?.state).toBe('never');
    board.setReport('A', report(50, clock.now));
    board.drain();
    expect(board.row('A')?.state).toBe('never');
  });

  it('says nothing of a reload that found nothing new', () => {
    const { board } = open();
    board.setDevices([device('A'), device('B')]);
    board.drain();
    board.setDevices([device('A'), device('B')]);
    expect(board.drain()).toEqual([]);
    board.setDevices([device('A', 2), device('B')]);
    expect(board.drain()).toMatchObject([{ difference: { id: 'A', group: 2, groupName: 'G2' } }]);
  });

  it('lets movement lapse when nothing is heard any more, and an alarm last', () => {
    const { board, registry, clock } = open();
    board.setDevices([device('A')]);
    registry.enter(sessionOf('A'));
    board.setReport('A', report(50, clock.now));
    board.setAlarm('A', ALARM);
    board.drain();
    clock.now += 3 * 60_000;
    expect(board.drain().map(({ difference }) => difference)).toEqual([{ id: 'A', isMoving: false }]);
    clock.now += 24 * 60 * 60_000;
    expect(board.drain()).toEqual([]);
    expect(board.row('A')?.inAlarm).toBe(true);
  });

  it('tells that a device is in alarm, and that it no longer is, once each', () => {
    const { board } = open();
    board.setDevices([device('A'), device('B')]);
    board.setAlarm('A', undefined);
    board.drain();
    board.setAlarm('A', undefined);
    expect(board.drain()).toEqual([]);
    board.setAlarm('A', ALARM);
    const fields = { inAlarm: true, alarmType: 'collision', alarmSeverity: 'critical', alarmSince: 7 };
    expect(board.drain().map(({ difference }) => difference)).toEqual([{ id: 'A', ...fields }]);
    board.setAlarm('A', ALARM);
    expect(board.drain()).toEqual([]);
    board.setAlarm('A', { ...ALARM, sinceMs: 8 });
    expect(board.drain().map(({ difference }) => difference)).toEqual([{ id: 'A', alarmSince: 8 }]);
    board.setAlarm('A', undefined);
    expect(board.drain().map(({ difference }) => difference)).toEqual([{ id: 'A', ...NO_ALARM }]);
  });

  it('prefers what a terminal says now to what was stored', () => {
    const { board, clock } = open();
    board.setDevices([device('A'), device('B')]);
    board.setReport('A', report(10, clock.now));
    expect(board.setStoredReport('A', report(99, 5))).toBe(false);
    expect(board.setStoredReport('B', report(98, 5))).toBe(true);
    board.drain();
    expect(board.row('A')?.speedKmh).toBe(10);
    expect(board.row('B')?.speedKmh).toBe(98);
  });

  it('forgets where a device was that is gone, and counts by group who is online', () => {
    const { board, registry, clock } = open();
    board.setDevices([device('A'), device('B'), device('C', 2)]);
    registry.enter(sessionOf('A'));
    board.setReport('A', report(10, clock.now));
    expect(board.countByGroup()).toEqual(
      new Map([
        [1, { total: 2, online: 1 }],
        [2, { total: 1, online: 0 }],
      ]),
    );
    board.setDevices([]);
    board.setDevices([device('A')]);
    board.drain();
    expect(board.row('A')?.at).toBe(0);
  });
});
