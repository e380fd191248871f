// How the limits of events are reached, while the database takes nothing and terminals name ever new areas.
import { expect } from 'vitest';
import { DeviceEvents } from '../../../server/events/engine/deviceEvents.ts';
import { EventTracker, TRACKS_LIMIT, type TrackingContext } from '../../../server/events/engine/eventTracker.ts';
import { EventWriter, WAITING_EVENTS_LIMIT } from '../../../server/events/engine/eventWriter.ts';
import { LATE_EVENTS_LIMIT } from '../../../server/events/engine/lateQuota.ts';
import { NOWHERE } from '../../../server/events/engine/trackedEvent.ts';
import { EVENT_REMOVAL_LIMIT, EventRetention } from '../../../server/events/eventRetention.ts';
import { Origin, type Signal } from '../../../server/events/signals/signal.ts';
import type { EventBatch } from '../../../server/store/events/eventLog.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../support/newTrackedEvent.ts';
import { turnUntil } from '../../support/waitFor.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { failNever } from './terminals/terminalScene.ts';

const CONTEXT: TrackingContext = {
  device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 },
  place: NOWHERE,
  driver: '',
  edition: '2019',
  settingsOf: () => ({ severity: 'minor', mergeMs: 60_000, eventsAnHour: 1_000, rule: 0 }),
  localDayOf: () => 20_261_123,
};

const inArea = (area: number): Signal => ({
  type: 'area-crossed',
  unit: 0,
  area,
  form: 'held',
  origin: Origin.AlarmWord,
});

const trackedCase: LimitCase = {
  limit: TRACKS_LIMIT,
  open: (onLimit) => {
    const tracker = new EventTracker(onLimit);
    const say = (area: number) =>
      tracker.observe({ atMs: 1, deviceTimeMs: 1, isLate: false, covered: 0, signals: [inArea(area)] }, CONTEXT);
    return {
      upTo: () => times(TRACKS_LIMIT.max, (area) => expect(say(area)).toMatchObject([{ kind: 'begun' }])),
      beyond: () => {
        expect(say(TRACKS_LIMIT.max)).toEqual([]);
        expect(say(0)).toMatchObject([{ kind: 'seen' }]);
        expect(tracker.size).toBe(TRACKS_LIMIT.max);
      },
    };
  },
};

const lateCase: LimitCase = {
  limit: LATE_EVENTS_LIMIT,
  open: (onLimit) => {
    const events = new DeviceEvents({ deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 }, onLimit);
    const signals = [{ ...inArea(0), form: 'momentary' as const }];
    const say = (hour: number) => {
      const atMs = hour * 3_600_000;
      return events.observe({ atMs, deviceTimeMs: atMs, isLate: true, covered: 1, signals }, CONTEXT, 1);
    };
    return {
      upTo: () => times(LATE_EVENTS_LIMIT.max, (at) => expect(say(at)).toMatchObject([{ kind: 'begun' }])),
      beyond: () => expect(say(LATE_EVENTS_LIMIT.max)).toMatchObject([{ kind: 'repeated', event: { count: 2 } }]),
    };
  },
};

const removalCase: LimitCase = {
  limit: EVENT_REMOVAL_LIMIT,
  open: (onLimit) => {
    const { max } = EVENT_REMOVAL_LIMIT;
    const remove = async (count: number): Promise<readonly number[]> => {
      const timers = new ManualTimers();
      const parts: number[] = [];
      let left = count;
      let isDone = false;
      const retention = new EventRetention({
        removal: {
          withExpired: async () => (left > 0 ? [1] : []),
          removeFirst: async (_archive, _before, limit) => {
            const part = Math.min(left, limit);
            left -= part;
            parts.push(part);
            return { count: part, files: [], isMore: part === limit };
          },
          abandoned: async () => [],
          removeDays: async () => 0,
          removeDrivers: async () => {
            isDone = true;
            return undefined;
          },
        },
        months: { addMonths: async () => 0, dropEmpty: async () => undefined },
        archives: async () => [],
        memberGroups: { retentionsByDeviceGroup: async () => new Map() },
        removeFiles: async () => undefined,
        days: 365,
        now: () => 1_795_000_000_000,
        runAfter: timers.runAfter,
        onFault: failNever,
        onLimit,
      });
      await turnUntil('all parts', () => {
        timers.advance(1_000);
        return isDone;
      });
      await retention.close();
      return parts;
    };
    return {
      upTo: async () => expect(await remove(max - 1)).toEqual([max - 1]),
      beyond: async () => expect(await remove(max + 1)).toEqual([max, 1]),
    };
  },
};

const waitingCase: LimitCase = {
  limit: WAITING_EVENTS_LIMIT,
  open: (onLimit) => {
    const written: EventBatch[] = [];
    const writer = new EventWriter({
      store: {
        write: async (batch) => {
          written.push(batch);
          return batch.added.map((_event, at) => written.length * WAITING_EVENTS_LIMIT.max + at);
        },
        begunBetween: async () => [],
      },
      runAfter: () => () => undefined,
      onStored: () => undefined,
      onFault: failNever,
      onLimit,
    });
    const add = (severity: 'critical' | 'major' | 'minor', type: string): void => {
      writer.add([{ kind: 'begun', event: newTrackedEvent({ severity, type }) }]);
    };
    return {
      upTo: () => times(WAITING_EVENTS_LIMIT.max, (at) => add('minor', `minor-${at}`)),
      beyond: async () => {
        add('major', 'major');
        add('critical', 'critical');
        await writer.close();
        const types = written.flatMap(({ added }) => added.map(({ type }) => type));
        expect(types).toHaveLength(WAITING_EVENTS_LIMIT.max + 1);
        expect(types).toEqual(expect.arrayContaining(['major', 'critical', 'minor-1']));
        expect(types).not.toContain('minor-0');
      },
      calls: 2,
    };
  },
};

export const eventCases: readonly LimitCase[] = [trackedCase, lateCase, removalCase, waitingCase];
