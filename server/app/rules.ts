// What administrators have configured of events, as the gateway runs it: settings of each device, its rules, and what is done when an
// event begins.
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
import { RuleRunner, type RuleRunnerDeps } from '../events/engine/ruleRunner.ts';
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
  /** Undefined until it is there: it needs the device side, which starts after the events. */
  readonly recorder: () => Pick<Recorder, 'record' | 'channelStates'> | undefined;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

export async function startDeviceSettings(
  { stores, types, log, closing }: Pick<RulesDeps, 'stores' | 'types' | 'log' | 'closing'>,
  onReloaded: (settings: DeviceSettings) => void,
): Promise<DeviceSettings> {
  const onFault = (error: Error): void => log.error({ err: error }, 'settings of events');
  const settings = new DeviceSettings({
    rules: stores.eventRules,
    places: stores.rulePlaces,
    types,
    onReloaded: () => onReloaded(settings),
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('settings of events', () => settings.close());
  await settings.start();
  return settings;
}

/** It isn't started yet: what lasts has to be read before. */
export function createRuleRunner(
  settings: DeviceSettings,
  { registry, board, recorder, log, closing }: RulesDeps,
  onObservation: RuleRunnerDeps['onObservation'],
): RuleRunner {
  const onFault = (error: Error): void => log.error({ err: error }, 'rules');
  const runner = new RuleRunner({
    rulesOf: (device) => settings.rulesOf(device),
    presenceOf: (deviceId) => ({
      isOnline: registry.session(deviceId) !== undefined,
      sinceMs: board.presenceAtMs(deviceId),
    }),
    recordings: () => recorder()?.channelStates() ?? new Map(),
    onObservation,
    now: Date.now,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('rules', async () => runner.close());
  return runner;
}

export function createActions(
  settings: DeviceSettings,
  snapshots: Pick<SnapshotRequests, 'request'>,
  { board, orders, recorder, log, onLimit }: RulesDeps,
): EventActions {
  const onFault = (error: Error): void => log.error({ err: error }, 'actions of events');
  const hasChannel = (deviceId: string, channel: number): boolean => board.hasChannel(deviceId, channel);
  const common = { orders, hasChannel, now: Date.now, onLimit };
  const record: Recorder['record'] = async (...channels) => recorder()?.record(...channels);
  return new EventActions({
    actionsOf: (device, type) => settings.actionsOf(device, type),
    actions: [
      createEventRecordings({ ...common, record }),
      createEventSnapshots({ ...common, snapshots }),
      createDriverTexts(common),
      createAlarmConfirmations(common),
    ],
    onFault,
  });
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
  const unsubscribe = feed.subscribe((report) => {
    if (report.kind !== 'presence') return;
    if (!settings.knows(report.device.deviceId)) settings.reloadSoon();
    inBackground('a terminal could not be asked for the driver card', askDriverCard(report, deps), onFault);
  });
  closing.add('feed of rules', unsubscribe);
}
