// Wires the live fleet view: terminals feed the board, and pages subscribe to it.
import type { IncomingMessage } from 'node:http';
import type { RecordKind, ReloadTopic } from '../../shared/protocol/api/liveUpdates.ts';
import { Permission } from '../../shared/protocol/permissions.ts';
import type { Sessions } from '../auth/sessions.ts';
import { type ChangeBus, followRecords } from '../bus/changeBus.ts';
import type { Config } from '../config/variables.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import { FleetOwners } from '../fleet/fleetOwners.ts';
import { FleetWatch } from '../fleet/fleetWatch.ts';
import { BoardSource, type GroupState } from '../fleet/updates/boardSource.ts';
import { LiveUpdates } from '../fleet/updates/liveUpdates.ts';
import { NotificationSource } from '../fleet/updates/notifications/notificationSource.ts';
import { RecordSource } from '../fleet/updates/recordSource.ts';
import { ReloadSource, type ReloadSourceDeps } from '../fleet/updates/rows/reloadSource.ts';
import { ServerSource } from '../fleet/updates/serverSource.ts';
import { PUBLIC_TOPICS, type ToldTopic, type TopicSources, type Topics } from '../fleet/updates/topicSource.ts';
import { createUpdatesServer, type SessionProof } from '../fleet/updates/updatesServer.ts';
import type { FiguresDeps } from '../http/fleet/figures.ts';
import { createGauges, readCpuTimes } from '../http/fleet/gauges.ts';
import { sessionCookieOf } from '../http/kernel/sessionCookie.ts';
import type { UpgradeServer } from '../http/kernel/upgrades/upgradeServer.ts';
import type { ServerInfoReader } from '../http/system/serverInfo.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { Hub } from '../media/hub.ts';
import type { Closing } from '../process/closing.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Stores } from '../store/stores.ts';
import { type Context, toolsOf } from './context.ts';
import { type LiveEvents, startLiveEvents } from './liveEvents.ts';
import { servesTls } from './webServer.ts';

export interface Fleet {
  readonly watch: FleetWatch;
  /** The member groups that devices count for. */
  readonly owners: DeviceOwners;
  readonly updates: LiveUpdates;
  /** How a member group fares now. */
  stateOf(memberGroup: number | undefined): Promise<GroupState>;
  readonly events: LiveEvents;
}

interface FleetParts {
  readonly serverInfo: Pick<ServerInfoReader, 'readOpen'>;
  readonly registry: DeviceRegistry;
}

const BOARD_RECORDS: readonly RecordKind[] = ['device', 'group'];
const OWNER_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

export async function startFleet(context: Context, { serverInfo, registry }: FleetParts): Promise<Fleet> {
  const { stores, feed, bus, closing } = context;
  const tools = toolsOf(context, 'fleet');
  const { runAfter, onFault } = tools;
  const watch = new FleetWatch({ registry, feed, stores, now: Date.now, runAfter, onFault });
  closing.add('fleet', () => watch.close());
  const owners = new FleetOwners({ store: stores.fleet, runAfter, onFault });
  closing.add('owners of devices', () => owners.close());
  const { deviceGroupsOf } = stores.fleet;
  const board = new BoardSource(watch.board);
  const records = new RecordSource();
  const events = startLiveEvents(context, tools, watch.board);
  const pace = { now: () => performance.now(), runAfter };
  const store = stores.notifyMessages;
  const notifications = new NotificationSource({ ...pace, firstRevision: Date.now(), store, onFault });
  closing.add('live notifications', () => notifications.close());
  const server = new ServerSource({ read: serverInfo.readOpen, runAfter, onFault });
  closing.add('live server information', () => server.close());
  const reloads = startReloads(closing, { ...pace, firstRevision: Date.now() });
  const sources: TopicSources = {
    devices: board,
    counts: board,
    changed: records,
    events: events.rows,
    eventcounts: events.counts,
    popups: events.popUps,
    notifications,
    server,
    ...reloads,
  };
  const updates = new LiveUpdates({ sources, deviceGroupsOf, runAfter, onFault });
  closing.add('live updates', () => updates.close());
  followRecords(bus, 'board', BOARD_RECORDS, () => watch.reloadSoon());
  followRecords(bus, 'owners', OWNER_RECORDS, () => owners.reloadSoon());
  followRecords(bus, 'server information', ['setting'], () => server.changed());
  followChanges(bus, { records, notifications, reloads });
  await watch.start();
  await owners.reload();
  await events.start();
  await server.start();
  return {
    watch,
    owners,
    events,
    updates,
    stateOf: (memberGroup) => board.stateOf(memberGroup, deviceGroupsOf),
  };
}

interface TopicParts {
  readonly records: RecordSource;
  readonly notifications: NotificationSource;
  readonly reloads: Record<ReloadTopic, ReloadSource>;
}

/** Tells open pages what has changed. */
function followChanges(bus: ChangeBus, { records, notifications, reloads }: TopicParts): void {
  bus.recordsChanged.subscribe('open pages', ({ kinds }) => records.changed(kinds));
  bus.listChanged.subscribe('open pages', ({ list, memberGroup }) => {
    if (memberGroup === undefined) reloads[list].changedForAll();
    else reloads[list].changed(memberGroup);
  });
  bus.messagesChanged.subscribe('open pages', (message) => {
    switch (message.kind) {
      case 'added':
        return notifications.added(message.keys);
      case 'changed':
        return notifications.changed(message.messages.map(({ id }) => id));
      case 'delivered':
        return notifications.changed(message.ids);
    }
  });
}

function startReloads(closing: Closing, timing: Omit<ReloadSourceDeps, 'topic'>): Record<ReloadTopic, ReloadSource> {
  const start = (topic: ReloadTopic): ReloadSource => {
    const source = new ReloadSource({ ...timing, topic });
    closing.add(`live ${topic}`, () => source.close());
    return source;
  };
  return {
    fences: start('fences'),
    reports: start('reports'),
    firmware: start('firmware'),
    sync: start('sync'),
    netflow: start('netflow'),
    backups: start('backups'),
  };
}

/** The topics that a member with these permissions may receive. */
export function topicsFor(permissions: readonly string[]): Topics {
  const isAdministrator = permissions.includes(Permission.System);
  const topics: ToldTopic[] = [...PUBLIC_TOPICS, 'devices', 'counts', 'changed', 'fences'];
  if (permissions.includes(Permission.Event)) topics.push('events', 'eventcounts', 'popups');
  if (permissions.includes(Permission.Report)) topics.push('reports');
  if (permissions.includes(Permission.FirmwareUpdate)) topics.push('firmware');
  if (permissions.includes(Permission.Datasync)) topics.push('sync');
  if (permissions.includes(Permission.Netflow)) topics.push('netflow');
  if (isAdministrator && permissions.includes(Permission.SystemBackup)) topics.push('backups');
  if (isAdministrator && permissions.includes(Permission.Event)) topics.push('gateway');
  if (isAdministrator && permissions.includes(Permission.EventNotifyConfig)) topics.push('notifications');
  return new Set(topics);
}

interface FiguresParts {
  readonly fleet: Fleet;
  readonly stores: Stores;
  readonly recorder: Recorder;
  readonly hub: Hub;
}

const MEGABYTE = 1024 * 1024;

/** Data sources of the dashboard's figures. */
export function figureSources(
  config: Config,
  { fleet, stores, recorder, hub }: FiguresParts,
): Omit<FiguresDeps, 'serverInfo'> {
  return {
    stores,
    stateOf: fleet.stateOf,
    disk: () => ({
      state: recorder.disk.state,
      ...recorder.disk.space,
      floorBytes: config.recordingMinFreeMb * MEGABYTE,
      maximumBytes: config.recordingMaxMb * MEGABYTE,
    }),
    gauges: createGauges({ now: Date.now, cpuTimes: readCpuTimes, totals: () => ({ ...hub.traffic }) }),
    liveTraffic: () => ({ channels: hub.channelCount, viewers: hub.traffic.viewers }),
    now: Date.now,
  };
}

interface UpdatesParts {
  readonly fleet: Fleet;
  readonly sessions: Sessions;
  readonly upgrades: UpgradeServer;
}

/** Serves the live updates' path. */
export function serveUpdates(context: Context, { fleet, sessions, upgrades }: UpdatesParts): void {
  const { config, closing, onLimit } = context;
  const secure = servesTls(config);
  const { runAfter, onFault } = toolsOf(context, 'live updates');
  const server = createUpdatesServer({
    updates: fleet.updates,
    proofOf: (request) => proofOf(request, secure),
    recognise: async ({ kind, secret }) => {
      const found = kind === 'cookie' ? await sessions.find(secret) : await sessions.findByFrameToken(secret);
      if (found === undefined) return undefined;
      const { session, user } = found;
      return { session: session.idHash, memberGroup: session.memberGroup, topics: topicsFor(user.permissions) };
    },
    runAfter,
    onLimit,
    onFault,
  });
  closing.add('updates', () => server.close());
  upgrades.add([server.endpoint]);
}

function proofOf(request: IncomingMessage, secure: boolean): SessionProof | undefined {
  const cookie = sessionCookieOf(request.headers.cookie ?? '', secure);
  return cookie === undefined ? undefined : { kind: 'cookie', secret: cookie };
}
