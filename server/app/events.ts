// Events as the gateway runs them: what terminals report becomes events, and whoever shows or uses them is told.
import type { Registry } from 'prom-client';
import { isAnswered } from '../../shared/protocol/events/eventWords.ts';
import type { Config } from '../config/variables.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { ReportFeed } from '../device/reportFeed.ts';
import { AlarmState } from '../events/alarmState.ts';
import { EventEngine } from '../events/engine/eventEngine.ts';
import { localDay } from '../events/engine/localDay.ts';
import type { EventDevice } from '../events/engine/trackedEvent.ts';
import { EventRetention, MONTHS_AHEAD } from '../events/eventRetention.ts';
import { registerEventMetrics } from '../events/metrics.ts';
import { observationOf } from '../events/signals/observation.ts';
import { builtInReasonRows } from '../events/types/builtInRows.ts';
import { EventTypes } from '../events/types/eventTypes.ts';
import { inBackground } from '../faults/background.ts';
import { createRunAfter } from '../faults/timers.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { ActedEvent } from '../store/events/eventActs.ts';
import type { Stores } from '../store/stores.ts';
import { type Evidence, startEvidence } from './evidence.ts';
import type { LiveEvents } from './liveEvents.ts';

export interface Events {
  readonly engine: EventEngine;
  readonly types: EventTypes;
  readonly evidence: Evidence;
  /** The device was deleted. */
  deviceRemoved(deviceId: string): void;
  /** Members have changed these in the database. */
  acted(events: readonly ActedEvent[]): void;
}

interface EventsDeps {
  readonly stores: Stores;
  readonly feed: ReportFeed;
  readonly board: FleetBoard;
  readonly registry: DeviceRegistry;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
  readonly live: Pick<LiveEvents, 'stored' | 'changed' | 'acted' | 'deviceRemoved'>;
}

/** Before terminals are let in: the events that last are known to the first report. */
export async function startEvents(config: Config, deps: EventsDeps): Promise<Events> {
  const { stores, feed, board, metrics, log, closing, onLimit } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'events');
  const types = new EventTypes(stores.eventTypes);
  await types.start();
  await stores.eventReasons.addMissing(builtInReasonRows());
  const evidence = await startEvidence(config, { ...deps, types, onMedia: (ids) => deps.live.changed(ids) });
  const retention = startRetention(config, deps, evidence);
  await stores.eventMonths.addMonths(Date.now(), MONTHS_AHEAD);
  const alarmState = new AlarmState(board);
  const engine = new EventEngine({
    store: stores.eventLog,
    observationOf: (report) => observationOf(report, types.customTypes),
    settingsOf: (_, type) => types.settingsOf(type),
    localDayOf: (device, atMs) => localDay(atMs, device === undefined ? '' : board.timeZoneOf(device.deviceId)),
    hasChannel: ({ deviceId }, channel) => board.hasChannel(deviceId, channel),
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onChanged: (event) => alarmState.note(event),
    onStored: (changes) => {
      deps.live.stored(changes);
      evidence.eventsStored(changes);
    },
    onFault,
    onLimit,
  });
  registerEventMetrics(metrics, engine, retention);
  closing.add('events', () => engine.close());
  await engine.start(await devicesByArchive(stores));
  for (const event of engine.lasting()) alarmState.note(event);
  const unsubscribe = feed.subscribe((report) => engine.handle(report));
  closing.add('feed of events', unsubscribe);
  return {
    engine,
    types,
    evidence,
    deviceRemoved: (deviceId) => {
      engine.forget(deviceId);
      retention.workSoon();
      deps.live.deviceRemoved();
    },
    acted: (acted) => {
      deps.live.acted(acted);
      for (const { archiveNumber, id, after } of acted) engine.setAnswered(archiveNumber, id, isAnswered(after));
      const wrong = acted.filter(({ after }) => after === 'false-alarm').map(({ id }) => evidence.clips.release(id));
      inBackground('clips of false alarms could not be released', Promise.all(wrong), onFault);
    },
  };
}

/** What the calls of events need. */
export function eventCalls({ types, evidence, acted }: Events, live: Pick<LiveEvents, 'countsOf'>) {
  return {
    eventCountsOf: live.countsOf,
    eventsActed: acted,
    reloadEventTypes: () => types.reload(),
    evidenceFiles: evidence.files,
    evidenceSigner: evidence.signer,
    eventClipOf: evidence.clipOf,
    releaseEventHold: () => evidence.clips.releaseOldest(),
  };
}

function startRetention(
  config: Config,
  { stores, log, closing, onLimit }: EventsDeps,
  { storage }: Pick<Evidence, 'storage'>,
): EventRetention {
  const onFault = (error: Error): void => log.warn({ err: error }, 'events');
  const retention = new EventRetention({
    removal: stores.eventRemoval,
    months: stores.eventMonths,
    archives: stores.fleet.archives,
    memberGroups: stores.memberGroups,
    removeFiles: (files) => storage.remove(files),
    days: config.eventRetentionDays,
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onFault,
    onLimit,
  });
  closing.add('retention of events', () => retention.close());
  return retention;
}

async function devicesByArchive({ fleet }: Stores): Promise<(archiveNumber: number) => EventDevice | undefined> {
  const devices = new Map((await fleet.archives()).map((device) => [device.archiveNumber, device]));
  return (archiveNumber) => devices.get(archiveNumber);
}
