import { beforeEach, describe, expect, it } from 'vitest';
import { AlarmState } from '../../../../server/events/alarmState.ts';
import type { DeviceAlarm } from '../../../../shared/protocol/api/liveUpdates.ts';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { newTrackedEvent } from '../../../support/newTrackedEvent.ts';

describe('AlarmState', () => {
  let alarms: Map<string, DeviceAlarm | undefined>;
  let state: AlarmState;
  beforeEach(() => {
    alarms = new Map();
    state = new AlarmState({ setAlarm: (deviceId, alarm) => alarms.set(deviceId, alarm) });
  });

  it('counts what is major or critical', () => {
    const found = SEVERITIES.filter((severity) => {
      state = new AlarmState({ setAlarm: (deviceId, alarm) => alarms.set(deviceId, alarm) });
      state.note(newTrackedEvent({ severity }));
      return alarms.get('BUS1') !== undefined;
    });
    expect(found.toSorted()).toEqual(['critical', 'major']);
  });

  it('ends with the last of the events of a device', () => {
    const [first, second] = [newTrackedEvent(), newTrackedEvent({ type: 'emergency', severity: 'critical' })];
    state.note(first);
    state.note(second);
    first.origins = 0;
    state.note(first);
    expect(alarms.get('BUS1')).toMatchObject({ type: 'emergency', severity: 'critical' });
    second.origins = 0;
    state.note(second);
    expect(alarms.get('BUS1')).toBeUndefined();
  });

  it('tells the worst of several, and of equal ones the first', () => {
    const event = (type: string, severity: Severity, beginAtMs: number) =>
      newTrackedEvent({ type, severity, beginAtMs });
    const [major, later, earlier] = [event('a', 'major', 1), event('b', 'critical', 3), event('c', 'critical', 2)];
    for (const each of [major, later, earlier]) state.note(each);
    expect(alarms.get('BUS1')).toEqual({ type: 'c', severity: 'critical', sinceMs: 2 });
    for (const each of [earlier, later]) {
      each.isAnswered = true;
      state.note(each);
    }
    expect(alarms.get('BUS1')).toEqual({ type: 'a', severity: 'major', sinceMs: 1 });
  });

  it('ends when a member closes the event, and returns when it is reopened', () => {
    const event = newTrackedEvent();
    for (const isAnswered of [false, true, false]) {
      event.isAnswered = isAnswered;
      state.note(event);
      expect(alarms.get('BUS1') !== undefined).toBe(!isAnswered);
    }
  });

  it('is of the event’s device alone, and of none for an event of the gateway', () => {
    state.note(newTrackedEvent({ device: undefined, severity: 'critical' }));
    expect(alarms.size).toBe(0);
    state.note(newTrackedEvent({ device: { deviceId: 'BUS2', incarnation: 2, archiveNumber: 2 } }));
    expect([...alarms.keys()]).toEqual(['BUS2']);
  });
});
