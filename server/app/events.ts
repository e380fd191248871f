// Runs events in the gateway: turns reports of terminals into events, and notifies whatever shows or uses them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAnswered } from '../../shared/protocol/events/eventWords.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import type { DeviceRegistry } from '../device/registry.ts';
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
import type { Recorder } from '../recording/recorder.ts';
import type { Stores } from '../store/stores.ts';
import { type Context, toolsOf } from './context.ts';
import { confirmAnswered } from './eventActs.ts';
import { type Evidence, startEvidence } from './evidence.ts';
import { createFences, type Fences } from './fences/engine.ts';
import type { Fleet } from './fleet.ts';
import type { LiveEvents, PopUpEvent } from './liveEvents.ts';
import { createRuleRunner, type RulesParts, startActions, startDeviceSettings, watchSignIns } from './rules.ts';

export interface Events {
  readonly engine: EventEngine;
  readonly types: EventTypes;
  readonly evidence: Evidence;
  readonly rulePreviews: RulePreviews;
  readonly settings: DeviceSettings;
  readonly fences: Fences;
  readonly topics: EventTopics;
}

interface EventsParts {
  readonly fleet: Pick<Fleet, 'watch' | 'owners' | 'events'>;
  readonly registry: DeviceRegistry;
  readonly orders: DeviceOrders;
  /** Decides who is notified. */
  readonly notify: { readonly planner: EventPlanner };
  readonly recorder: Recorder;
}

/** Runs before terminals are admitted, so that the first report finds the events that still last. */
export async function startEvents(context: Context, parts: EventsParts): Promise<Events> {
  const { stores, feed, bus, metrics, closing, onLimit } = context;
  const { fleet, registry, orders, notify, recorder } = parts;
  const { owners, events: live } = fleet;
  const { board } = fleet.watch;
  const { runAfter, onFault } = toolsOf(context, 'events');
  const types = await startTypes(stores);
  const topics = createEventTopics(onFault);
  const settings = await startDeviceSettings(context, { types, topics });
  const ruleParts = { types, topics, registry, board, orders, recorder };
  const onMedia = (ids: readonly number[]): void => live.changed(ids);
  const evidence = await startEvidence(context, { types, topics, settings, registry, recorder, owners, onMedia });
  startActions(context, { settings, snapshots: evidence.snapshots }, ruleParts);
  const retention = startRetention(context, evidence);
  await stores.eventMonths.addMonths(Date.now(), MONTHS_AHEAD);
  const alarmState = new AlarmState(board);
  const rules = createRuleRunner(context, settings, ruleParts);
  const fences = createFences(context, { topics });
  const engine = new EventEngine({
    store: stores.eventLog,
    observationOf: (report) => observationOf(report, types.customTypes),
    ruleSignalsOf: (report) => joined(rules.evaluate(report), fences.engine.evaluate(report)),
    settingsOf: (device, type) => settings.settingsOf(device, type),
    ...factsOf(board),
    planner: notify.planner,
    now: Date.now,
    runAfter,
    onChanged: (event) => alarmState.note(event),
    onStored: (changes) => topics.stored.tell(changes),
    onFault,
    onLimit,
  });
  topics.stored.subscribe('open pages', (changes) => live.stored(changes));
  topics.stored.subscribe('pop-ups', (changes) => live.popUp(popUpsOf(changes, settings, types)));
  topics.observed.subscribe('events', ({ device, observation }) => engine.observe(device, observation));
  await takeUpSnapshots(context, { snapshots: evidence.snapshots, settings, board });
  registerEventMetrics(metrics, engine, retention);
  registerRuleMetrics(metrics, rules);
  closing.add('events', () => engine.close());
  await engine.start(await devicesByArchive(stores));
  for (const event of engine.lasting()) alarmState.note(event);
  rules.start(engine.lasting(), () => settings.devices);
  await fences.start(engine.lasting());
  topics.settingsReloaded.subscribe('rules', (devices) => rules.look(devices));
  watchSignIns(context, settings, { registry });
  const unsubscribe = feed.subscribe('events', (report) => engine.handle(report));
  closing.add('feed of events', unsubscribe);
  followMembers(bus, { rules, engine, retention });
  confirmAnswered({ bus, board, orders, onFault });
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
  { stores: { missedEvidence } }: Context,
  { snapshots, settings, board }: Pick<Evidence, 'snapshots'> & Pick<Events, 'settings'> & Pick<RulesParts, 'board'>,
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

/** Facts about devices beyond their reports. */
function factsOf(board: FleetBoard): Pick<EventEngineDeps, 'lastPlaceOf' | 'localDayOf' | 'hasChannel'> {
  return {
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

function startRetention(context: Context, { storage }: Pick<Evidence, 'storage'>): EventRetention {
  const { config, stores, log, closing, onLimit } = context;
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
