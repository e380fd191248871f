// How the limits of what one report says, and of what is done by itself when events begin, are reached.
import { expect } from 'vitest';
import { createDriverTexts, DRIVER_TEXTS_LIMIT } from '../../../server/events/actions/driverTexts.ts';
import { EventEngine, SIGNALS_LIMIT } from '../../../server/events/engine/eventEngine.ts';
import { CustomTypes } from '../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../server/events/signals/observation.ts';
import { REQUESTED_CHANNELS_LIMIT, RequestedChannels } from '../../../server/recording/requestedChannels.ts';
import { begunEvent } from '../../support/begunEvent.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { positionReport } from '../../unit/server/events/signals/reports.ts';
import { safetyAlarm } from '../../unit/server/events/signals/safety.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { failNever } from './terminals/terminalScene.ts';

const signalsCase: LimitCase = {
  limit: SIGNALS_LIMIT,
  open: (onLimit) => {
    const begun = new Set<unknown>();
    const engine = new EventEngine({
      store: {
        write: async ({ added }) => added.map((_, at) => at),
        tracked: async () => [],
        begunBetween: async () => [],
      },
      observationOf: (report) => observationOf(report, new CustomTypes([])),
      ruleSignalsOf: () => [],
      settingsOf: () => ({ severity: 'minor', mergeMs: 0, eventsAnHour: 10_000, rule: 0 }),
      localDayOf: () => 20_261_123,
      hasChannel: () => true,
      lastPlaceOf: () => undefined,
      now: () => 1,
      runAfter: () => () => undefined,
      onChanged: (event) => begun.add(event),
      onStored: () => undefined,
      onFault: failNever,
      onLimit,
    });
    const say = (alarms: number): void => {
      const items = Array.from({ length: alarms }, () => safetyAlarm('adas', { type: 1 }));
      void engine.handle(positionReport({ items }));
    };
    return {
      upTo: () => say(SIGNALS_LIMIT.max),
      beyond: () => {
        const before = begun.size;
        say(SIGNALS_LIMIT.max + 1);
        expect(begun.size - before).toBeLessThanOrEqual(SIGNALS_LIMIT.max);
        expect(begun.size).toBeGreaterThan(before);
      },
    };
  },
};

const driverTextsCase: LimitCase = {
  limit: DRIVER_TEXTS_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    const asked: string[] = [];
    const request = async ({ device }: { readonly device: { readonly deviceId: string } }) => {
      asked.push(device.deviceId);
      return { ok: false, reason: 'closed' } as const;
    };
    const say = createDriverTexts({ orders: { request }, now: timers.now, onLimit });
    const tell = (archiveNumber: number) => say(begunEvent({ archiveNumber, values: { driverText: 'Slow down' } }));
    return {
      upTo: () => tell(1),
      beyond: async () => {
        await tell(1);
        await tell(2);
        timers.advance(60_000);
        await tell(1);
        expect(asked).toEqual(['BUS1', 'BUS2', 'BUS1']);
      },
    };
  },
};

export const ruleCases: readonly LimitCase[] = [signalsCase, driverTextsCase];

export const requestedChannelsCase: LimitCase = {
  limit: REQUESTED_CHANNELS_LIMIT,
  open: (onLimit) => {
    const requested = new RequestedChannels(onLimit);
    const add = (at: number): void => requested.add({ deviceId: `D${at}`, archiveId: `A${at}`, channel: 1 }, 100);
    return {
      upTo: () => {
        times(REQUESTED_CHANNELS_LIMIT.max, add);
        add(0);
        expect(requested.at(0)).toHaveLength(REQUESTED_CHANNELS_LIMIT.max);
      },
      beyond: () => {
        add(REQUESTED_CHANNELS_LIMIT.max);
        expect(requested.at(0)).toHaveLength(REQUESTED_CHANNELS_LIMIT.max);
        expect(requested.at(100)).toEqual([]);
        add(REQUESTED_CHANNELS_LIMIT.max);
        expect(requested.at(0)).toHaveLength(1);
      },
    };
  },
};
