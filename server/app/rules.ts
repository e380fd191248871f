// What administrators have configured of events, as the gateway runs it: settings of each device, its rules, and what is done when an
// event begins.
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
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
import { createRunAfter } from '../faults/timers.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Closing } from '../process/closing.ts';
import type { Log } from '../process/log.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Stores } from '../store/stores.ts';

export interface RulesDeps {
  readonly stores: Stores;
  readonly types: EventTypes;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly board: FleetBoard;
  readonly feed: ReportFeed;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly recorder: Pick<Recorder, 'record' | 'channelStates'>;
  readonly topics: EventTopics;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

interface SettingsDeps extends Pick<RulesDeps, 'stores' | 'types' | 'topics' | 'log' | 'closing'> {
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
}

/** The records that decide which settings apply to a device. */
const PLACE_RECORDS: readonly RecordKind[] = ['device', 'group'];

export async function startDeviceSettings({
  stores,
  types,
  topics,
  bus,
  log,
  closing,
}: SettingsDeps): Promise<DeviceSettings> {
  const onFault = (error: Error): void => log.error({ err: error }, 'settings of events');
  const settings = new DeviceSettings({
    rules: stores.eventRules,
    places: stores.rulePlaces,
    types,
    onReloaded: () => topics.settingsReloaded.tell(settings.devices),
    runAfter: createRunAfter(onFault),
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
  settings: DeviceSettings,
  { registry, board, recorder, topics, log, closing }: RulesDeps,
): RuleRunner {
  const onFault = (error: Error): void => log.error({ err: error }, 'rules');
  const runner = new RuleRunner({
    rulesOf: (device) => settings.rulesOf(device),
    presenceOf: (deviceId) => ({
      isOnline: registry.session(deviceId) !== undefined,
      sinceMs: board.presenceAtMs(deviceId),
    }),
    recordings: () => recorder.channelStates(),
    onObservation: (device, observation) => topics.observed.tell({ device, observation }),
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('rules', async () => runner.close());
  return runner;
}

/** What is done when an event begins. */
export function startActions(
  settings: DeviceSettings,
  snapshots: Pick<SnapshotRequests, 'request'>,
  { board, orders, recorder, topics, log, onLimit }: RulesDeps,
): void {
  const onFault = (error: Error): void => log.error({ err: error }, 'actions of events');
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
export function watchSignIns(settings: DeviceSettings, { feed, registry, log, closing }: RulesDeps): void {
  const onFault = (error: Error): void => log.error({ err: error }, 'rules');
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
