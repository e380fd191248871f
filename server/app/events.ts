// Runs events in the gateway: turns reports of terminals into events, and notifies whatever shows or uses them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { isAnswered } from '../../shared/protocol/events/eventWords.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { ReportFeed } from '../device/reportFeed.ts';
import { requestMissedSnapshots } from '../events/actions/missedSnapshots.ts';
import { AlarmState } from '../events/alarmState.ts';
import type { DeviceSettings } from '../events/config/deviceSettings.ts';
import { EventEngine, type EventEngineDeps } from '../events/engine/eventEngine.ts';
import { createEventTopics, type EventTopics } from '../events/engine/eventTopics.ts';
import type { EventPlanner, StoredChange } from '../events/engine/eventWriter.ts';
import { localDay } from '../events/engine/localDay.ts';
import type { RuleRunner } from '../events/engine/ruleRunner.ts';
import type { EventDevice } from '../events/engine/trackedEvent.ts';
import { EventRetention, MONTHS_AHEAD } from '../events/eventRetention.ts';
import { registerEventMetrics, registerRuleMetrics } from '../events/metrics.ts';
import { RulePreviews } from '../events/preview/rulePreviews.ts';
import { joined } from '../events/rules/ruleSignals.ts';
import { observationOf } from '../events/signals/observation.ts';
import { builtInReasonRows } from '../events/types/builtInRows.ts';
import { EventTypes } from '../events/types/eventTypes.ts';
import { createRunAfter } from '../faults/timers.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Stores } from '../store/stores.ts';
import { confirmAnswered } from './eventActs.ts';
import { type Evidence, startEvidence } from './evidence.ts';
import { createFences, type Fences } from './fences/engine.ts';
import type { LiveEvents, PopUpEvent } from './liveEvents.ts';
import { createRuleRunner, startActions, startDeviceSettings, watchSignIns } from './rules.ts';

export interface Events {
  readonly engine: EventEngine;
  readonly types: EventTypes;
  readonly evidence: Evidence;
  readonly rulePreviews: RulePreviews;
  readonly settings: DeviceSettings;
  readonly fences: Fences;
  readonly topics: EventTopics;
}

interface EventsDeps {
  readonly stores: Stores;
  readonly feed: ReportFeed;
  readonly bus: ChangeBus;
  readonly board: FleetBoard;
  readonly owners: DeviceOwners;
  readonly registry: DeviceRegistry;
  readonly orders: DeviceOrders;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
  /** Decides who is notified. */
  readonly notify: { readonly planner: EventPlanner };
  readonly live: Pick<LiveEvents, 'stored' | 'popUp' | 'changed'>;
  readonly recorder: Recorder;
}

/** Runs before terminals are admitted, so that the first report finds the events that still last. */
export async function startEvents(config: Config, deps: EventsDeps): Promise<Events> {
  const { stores, feed, bus, board, live, metrics, log, closing, onLimit } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'events');
  const types = await startTypes(stores);
  const topics = createEventTopics(onFault);
  const rulesDeps = { ...deps, types, topics };
  const settings = await startDeviceSettings(rulesDeps);
  const evidence = await startEvidence(config, { ...rulesDeps, settings, onMedia: (ids) => live.changed(ids) });
  startActions(settings, evidence.snapshots, rulesDeps);
  const retention = startRetention(config, deps, evidence);
  await stores.eventMonths.addMonths(Date.now(), MONTHS_AHEAD);
  const alarmState = new AlarmState(board);
  const rules = createRuleRunner(settings, rulesDeps);
  const fences = createFences(rulesDeps);
  const engine = new EventEngine({
    store: stores.eventLog,
    observationOf: (report) => observationOf(report, types.customTypes),
    ruleSignalsOf: (report) => joined(rules.evaluate(report), fences.engine.evaluate(report)),
    settingsOf: (device, type) => settings.settingsOf(device, type),
    ...factsOf(deps),
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onChanged: (event) => alarmState.note(event),
    onStored: (changes) => topics.stored.tell(changes),
    onFault,
    onLimit,
  });
  topics.stored.subscribe('open pages', (changes) => live.stored(changes));
  topics.stored.subscribe('pop-ups', (changes) => live.popUp(popUpsOf(changes, settings, types)));
  topics.observed.subscribe('events', ({ device, observation }) => engine.observe(device, observation));
  await takeUpSnapshots(evidence, settings, deps);
  registerEventMetrics(metrics, engine, retention);
  registerRuleMetrics(metrics, rules);
  closing.add('events', () => engine.close());
  await engine.start(await devicesByArchive(stores));
  for (const event of engine.lasting()) alarmState.note(event);
  rules.start(engine.lasting(), () => settings.devices);
  await fences.start(engine.lasting());
  topics.settingsReloaded.subscribe('rules', (devices) => rules.look(devices));
  watchSignIns(settings, rulesDeps);
  const unsubscribe = feed.subscribe('events', (report) => engine.handle(report));
  closing.add('feed of events', unsubscribe);
  followMembers(bus, { rules, engine, retention });
  confirmAnswered({ ...deps, onFault });
  return {
    engine,
    types,
    evidence,
    rulePreviews: new RulePreviews({ positions: stores.positions, now: Date.now, nextTurn, onLimit }),
    settings,
    fences,
    topics,
  };
}

interface FollowingParts {
  readonly rules: Pick<RuleRunner, 'forget'>;
  readonly engine: Pick<EventEngine, 'forget' | 'setAnswered'>;
  readonly retention: Pick<EventRetention, 'workSoon'>;
}

/** What members do to devices and events. */
function followMembers({ deviceRemoved, eventsActed }: ChangeBus, { rules, engine, retention }: FollowingParts): void {
  deviceRemoved.subscribe('rules', ({ deviceId }) => rules.forget(deviceId));
  deviceRemoved.subscribe('events', ({ deviceId }) => engine.forget(deviceId));
  deviceRemoved.subscribe('retention of events', () => retention.workSoon());
  eventsActed.subscribe('events', (acted) => {
    for (const { archiveNumber, id, after } of acted) engine.setAnswered(archiveNumber, id, isAnswered(after));
  });
}

/** Runs before the first report: snapshots missing now were missed by an earlier run. */
function takeUpSnapshots(
  { snapshots }: Pick<Evidence, 'snapshots'>,
  settings: DeviceSettings,
  { stores: { missedEvidence }, board }: Pick<EventsDeps, 'stores' | 'board'>,
): Promise<void> {
  const actionsOf = (device: EventDevice, type: string) => settings.actionsOf(device, type);
  const hasChannel = (deviceId: string, channel: number): boolean => board.hasChannel(deviceId, channel);
  return requestMissedSnapshots({ missedEvidence, actionsOf, snapshots, hasChannel, now: Date.now });
}

async function startTypes({ eventTypes, eventReasons }: Stores): Promise<EventTypes> {
  const types = new EventTypes(eventTypes);
  await types.start();
  await eventReasons.addMissing(builtInReasonRows());
  return types;
}

/** Events that were reported late don't pop up: they are over. */
function popUpsOf(changes: readonly StoredChange[], settings: DeviceSettings, types: EventTypes): PopUpEvent[] {
  return changes.flatMap(({ kind, event }) => {
    if (kind !== 'begun' || event.isLate) return [];
    const isShown = settings.actionsOf(event.device, event.type)?.popUp === true;
    return isShown ? [{ event, type: types.find(event.type) }] : [];
  });
}

/** Facts about devices beyond their reports, and the planner that decides who is notified. */
function factsOf({
  board,
  notify,
}: EventsDeps): Pick<EventEngineDeps, 'lastPlaceOf' | 'localDayOf' | 'hasChannel' | 'planner'> {
  return {
    planner: notify.planner,
    lastPlaceOf: (device) => {
      const report = board.lastReport(device);
      if (report === undefined) return undefined;
      const { latitude, longitude, speedKmh, headingDeg } = report;
      return { latitude, longitude, speedKmh, headingDeg };
    },
    localDayOf: (device, atMs) => localDay(atMs, device === undefined ? '' : board.timeZoneOf(device.deviceId)),
    hasChannel: ({ deviceId }, channel) => board.hasChannel(deviceId, channel),
  };
}

interface ShownEvents {
  readonly events: Pick<LiveEvents, 'countsOf'>;
  readonly owners: DeviceOwners;
}

/** The dependencies of API calls on events, and on the member groups that things count for. */
export function forCalls(events: Events, { events: live, owners }: ShownEvents) {
  const { evidence, fences, rulePreviews, settings } = events;
  return {
    owners,
    eventCountsOf: live.countsOf,
    evidenceFiles: evidence.files,
    evidenceSigner: evidence.signer,
    eventClipOf: evidence.clipOf,
    evidenceRoom: evidence.room,
    rulePreviews,
    speedLimitOf: (deviceId: string) => speedLimitOf(settings, deviceId),
    placesOf: async (memberGroup: number) => fences.directory.placesOf(memberGroup),
    fencePreviews: fences.previews,
  };
}

function speedLimitOf(settings: DeviceSettings, deviceId: string): number | undefined {
  const limitKmh = settings.rulesOf({ deviceId }).find(({ code }) => code === 'speeding')?.threshold;
  return limitKmh === undefined || Number.isNaN(limitKmh) ? undefined : limitKmh;
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
