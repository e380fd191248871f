import { beforeEach, describe, expect, it } from 'vitest';
import { AlarmState } from '../../../../server/events/alarmState.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { newTrackedEvent } from '../../../support/newTrackedEvent.ts';

describe('AlarmState', () => {
  let inAlarm: Map<string, boolean>;
  let state: AlarmState;
  beforeEach(() => {
    inAlarm = new Map();
    state = new AlarmState({ setInAlarm: (deviceId, isInAlarm) => inAlarm.set(deviceId, isInAlarm) });
  });

  it('counts what is major or critical', () => {
    const alarms = SEVERITIES.filter((severity) => {
      state = new AlarmState({ setInAlarm: (deviceId, isInAlarm) => inAlarm.set(deviceId, isInAlarm) });
      state.note(newTrackedEvent({ severity }));
      return inAlarm.get('BUS1');
    });
    expect(alarms.toSorted()).toEqual(['critical', 'major']);
  });

  it('ends with the last of the events of a device', () => {
    const [first, second] = [newTrackedEvent(), newTrackedEvent({ type: 'emergency', severity: 'critical' })];
    state.note(first);
    state.note(second);
    first.origins = 0;
    state.note(first);
    expect(inAlarm.get('BUS1')).toBe(true);
    second.origins = 0;
    state.note(second);
    expect(inAlarm.get('BUS1')).toBe(false);
  });

  it('ends when a member closes the event, and returns when it is reopened', () => {
    const event = newTrackedEvent();
    for (const isAnswered of [false, true, false]) {
      event.isAnswered = isAnswered;
      state.note(event);
      expect(inAlarm.get('BUS1')).toBe(!isAnswered);
    }
  });

  it('is of the event’s device alone, and of none for an event of the gateway', () => {
    state.note(newTrackedEvent({ device: undefined, severity: 'critical' }));
    expect(inAlarm.size).toBe(0);
    state.note(newTrackedEvent({ device: { deviceId: 'BUS2', incarnation: 2, archiveNumber: 2 } }));
    expect([...inAlarm]).toEqual([['BUS2', true]]);
  });
});
