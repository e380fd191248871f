// What administrators have configured of events, as the gateway runs it: settings of each device, its rules, and what is done when an
// event begins.
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { DeviceOrders } from '../device/orders/deviceOrders.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { ReportFeed } from '../device/reportFeed.ts';
import { createAlarmConfirmations } from '../events/actions/alarmConfirmations.ts';
import { askDriverCard } from '../events/actions/driverCardQuestion.ts';
import { createDriverTexts } from '../events/actions/driverTexts.ts';
import { EventActions } from '../events/actions/eventActions.ts';
import { createEventRecordings } from '../events/actions/eventRecordings.ts';
import { createEventSnapshots } from '../events/actions/eventSnapshots.ts';
import { DeviceSettings } from '../events/config/deviceSettings.ts';
import type { EventTopics } from '../events/engine/eventTopics.ts';
import { RuleRunner } from '../events/engine/ruleRunner.ts';
import type { SnapshotRequests } from '../events/evidence/snapshotRequests.ts';
import type { EventTypes } from '../events/types/eventTypes.ts';
import { inBackground } from '../faults/background.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type Context, toolsOf } from './context.ts';

export interface RulesParts {
  readonly types: EventTypes;
  readonly topics: EventTopics;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly board: FleetBoard;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly recorder: Pick<Recorder, 'record' | 'channelStates'>;
}

/** The records that decide which settings apply to a device. */
const PLACE_RECORDS: readonly RecordKind[] = ['device', 'group'];

export async function startDeviceSettings(
  context: Context,
  { types, topics }: Pick<RulesParts, 'types' | 'topics'>,
): Promise<DeviceSettings> {
  const { stores, bus, closing } = context;
  const { runAfter, onFault } = toolsOf(context, 'settings of events');
  const settings = new DeviceSettings({
    rules: stores.eventRules,
    places: stores.rulePlaces,
    types,
    onReloaded: () => topics.settingsReloaded.tell(settings.devices),
    runAfter,
    onFault,
  });
  closing.add('settings of events', () => settings.close());
  await settings.start();
  bus.recordsChanged.subscribe('event settings', async ({ kinds }) => {
    // Whoever changed a rule or a type sees at once what it does.
    if (kinds.includes('eventtype')) await types.reload();
    if (kinds.includes('eventtype') || kinds.includes('eventrule')) await settings.reload();
    else if (kinds.some((kind) => PLACE_RECORDS.includes(kind))) settings.reloadSoon();
  });
  return settings;
}

/** It isn't started yet: what lasts has to be read before. */
export function createRuleRunner(
  context: Context,
  settings: DeviceSettings,
  { registry, board, recorder, topics }: RulesParts,
): RuleRunner {
  const { runAfter, onFault } = toolsOf(context, 'rules');
  const runner = new RuleRunner({
    rulesOf: (device) => settings.rulesOf(device),
    presenceOf: (deviceId) => ({
      isOnline: registry.session(deviceId) !== undefined,
      sinceMs: board.presenceAtMs(deviceId),
    }),
    recordings: () => recorder.channelStates(),
    onObservation: (device, observation) => topics.observed.tell({ device, observation }),
    now: Date.now,
    runAfter,
    onFault,
  });
  context.closing.add('rules', async () => runner.close());
  return runner;
}

interface ActionParts {
  readonly settings: DeviceSettings;
  readonly snapshots: Pick<SnapshotRequests, 'request'>;
}

/** What is done when an event begins. */
export function startActions(
  context: Context,
  { settings, snapshots }: ActionParts,
  { board, orders, recorder, topics }: RulesParts,
): void {
  const { onFault } = toolsOf(context, 'actions of events');
  const { onLimit } = context;
  const hasChannel = (deviceId: string, channel: number): boolean => board.hasChannel(deviceId, channel);
  const common = { orders, hasChannel, now: Date.now, onLimit };
  const record: Recorder['record'] = (deviceId, channels, untilMs) => recorder.record(deviceId, channels, untilMs);
  const actions = new EventActions({
    actionsOf: (device, type) => settings.actionsOf(device, type),
    actions: [
      createEventRecordings({ ...common, record }),
      createEventSnapshots({ ...common, snapshots }),
      createDriverTexts(common),
      createAlarmConfirmations(common),
    ],
    onFault,
  });
  topics.stored.subscribe('actions of events', (changes) => actions.eventsStored(changes));
}

/** Terminals that sign in are asked for what rules go by; a device that isn't known yet was added by another program. */
export function watchSignIns(
  context: Context,
  settings: DeviceSettings,
  { registry }: Pick<RulesParts, 'registry'>,
): void {
  const { feed, closing } = context;
  const { onFault } = toolsOf(context, 'rules');
  const deps = {
    rulesOf: (device: Parameters<DeviceSettings['rulesOf']>[0]) => settings.rulesOf(device),
    sessionOf: (deviceId: string) => registry.session(deviceId),
    tell: (report: Parameters<ReportFeed['tell']>[0]) => feed.tell(report),
    now: Date.now,
  };
  const unsubscribe = feed.subscribe('rules', (report) => {
    if (report.kind !== 'presence') return;
    if (!settings.knows(report.device.deviceId)) settings.reloadSoon();
    inBackground('a terminal could not be asked for the driver card', askDriverCard(report, deps), onFault);
  });
  closing.add('feed of rules', unsubscribe);
}
