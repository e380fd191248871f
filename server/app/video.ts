// The video path as the gateway runs it: terminals on one side, viewers' WebSockets on the other, the hub between them.

import type { PlanVideo } from '../../shared/protocol/netflow/netflowWords.ts';
import type { LinkAccess } from '../auth/linkAccess.ts';
import type { LinkUses } from '../auth/linkUses.ts';
import { hashSecret } from '../auth/secrets.ts';
import { channelBits, channelsOf } from '../device/channels.ts';
import { testConnection } from '../device/connectionTest.ts';
import { type DeviceGateway, type DeviceGatewayDeps, startDeviceGateway } from '../device/deviceGateway.ts';
import { AlarmLimitSync } from '../device/limits/alarmLimitSync.ts';
import { DeviceOrders } from '../device/orders/deviceOrders.ts';
import { keepDriverAnswers, unusedReportsCounter } from '../device/orders/driverAnswers.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { PlanGate } from '../device/usage/planGate.ts';
import type { TrafficMeter } from '../device/usage/trafficMeter.ts';
import type { FleetBoard } from '../fleet/fleetBoard.ts';
import type { TerminalPort } from '../http/devices/deps.ts';
import type { DeviceDirectory } from '../http/devices/deviceRoute.ts';
import { Refused } from '../http/kernel/envelope.ts';
import type { UpgradeServer } from '../http/kernel/upgrades/upgradeServer.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { StreamQuality } from '../media/channelKey.ts';
import { Hub } from '../media/hub.ts';
import { MediaLoss } from '../media/mediaLoss.ts';
import { registerMediaMetrics } from '../media/mediaMetrics.ts';
import { PLAN_REFUSALS } from '../netflow/rules/planRefusals.ts';
import type { PlaybackSessions } from '../recording/playback/playbackSessions.ts';
import type { StreamAccess } from '../sockets/accessWatch.ts';
import type { Stores } from '../store/stores.ts';
import type { ChannelQuery } from '../stream/channelQuery.ts';
import type { ControlKind } from '../stream/control/controlLocks.ts';
import { LoadMeter } from '../stream/live/loadMeter.ts';
import { localPlaybackRoute } from '../stream/playback/localPlaybackSocket.ts';
import type { StreamKind } from '../stream/playback/playbackRoute.ts';
import { RemotePlayback } from '../stream/remote/remotePlayback.ts';
import { remoteRoute } from '../stream/remote/remoteSocket.ts';
import { createStreamServer } from '../stream/streamServer.ts';
import { type Context, toolsOf } from './context.ts';
import type { Evidence } from './evidence.ts';

export interface Video {
  readonly hub: Hub;
  readonly devices: DeviceGateway;
  readonly orders: DeviceOrders;
  readonly alarmLimits: AlarmLimitSync;
  readonly remotePlayback: RemotePlayback;
  readonly mediaLoss: MediaLoss;
}

interface VideoParts {
  readonly registry: DeviceRegistry;
  readonly evidence: Pick<Evidence, 'storePicture' | 'attachments'>;
  readonly onRefused: DeviceGatewayDeps['onRefused'];
  readonly orders: DeviceOrders;
  readonly owners: DeviceOwners;
  readonly netflow: { readonly meter: TrafficMeter; readonly plans: PlanGate };
}

/** Nothing is read or sent until `startVideo` starts it: what subscribes before hears of orders of an earlier run too. */
export function createOrders(context: Context, registry: DeviceRegistry): DeviceOrders {
  const { stores, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'orders');
  return new DeviceOrders({
    store: stores.deviceOrders,
    registry,
    now: Date.now,
    runAfter,
    random: Math.random,
    onFault,
    onLimit,
  });
}

export async function startVideo(context: Context, parts: VideoParts): Promise<Video> {
  const { config, stores, closing, feed, onLimit, metrics } = context;
  const { registry, evidence, onRefused, orders, owners, netflow } = parts;
  const { runAfter, onFault } = toolsOf(context, 'device side');
  const mediaLoss = new MediaLoss();
  registerMediaMetrics(metrics, mediaLoss);
  const ports = {
    host: config.host,
    jt808Port: config.jt808Port,
    jt1078Port: config.jt1078Port,
    publicHost: config.publicHost,
    publicJt1078Port: config.publicJt1078Port,
    attachmentPort: config.attachmentPort,
    acknowledgedIds: config.jt808AcknowledgedIds.map((id) => Number.parseInt(id, 16)),
  };
  // Before the first report.
  keepDriverAnswers({ store: stores.deviceOrders, feed, onUnused: unusedReportsCounter(metrics) });
  const devices = await startDeviceGateway(ports, {
    stores,
    registry,
    now: Date.now,
    runAfter,
    random: Math.random,
    feed,
    storePicture: evidence.storePicture,
    attachments: evidence.attachments,
    owners,
    onRefused,
    onLimit,
    onMediaLoss: mediaLoss.note,
    onFault,
    meter: netflow.meter,
    plans: netflow.plans,
  });
  if (devices.attachmentAddress !== undefined) evidence.attachments.listening(devices.attachmentAddress);
  closing.add('devices', () => devices.close());
  // Closed before the devices' connections end, which would leave the outcome of orders in progress open.
  closing.add('orders', () => orders.close());
  const alarmLimits = new AlarmLimitSync({ store: stores.alarmLimits, orders, registry, now: Date.now, onFault });
  closing.add('alarm limits', () => alarmLimits.close());
  await alarmLimits.start();
  await orders.start();
  const hub = new Hub({ source: devices.source, runAfter, onLimit, onMediaLoss: mediaLoss.note });
  closing.add('hub', () => hub.close());
  const remotePlayback = new RemotePlayback({
    source: devices.playback,
    plans: { gate: netflow.plans, refusals: PLAN_REFUSALS },
    now: Date.now,
    runAfter,
    hashOf: hashSecret,
    onLimit,
    onFault,
  });
  closing.add('remote playback', () => remotePlayback.close());
  return { hub, devices, orders, alarmLimits, remotePlayback, mediaLoss };
}

interface StreamParts {
  readonly video: Video;
  readonly playbackSessions: PlaybackSessions;
  readonly linkAccess: LinkAccess;
  readonly linkUses: Pick<LinkUses, 'note'>;
  readonly plans: Pick<PlanGate, 'mayStream' | 'subscribe'>;
  readonly upgrades: UpgradeServer;
}

/** Serves /stream/*. */
export function serveStreams(context: Context, parts: StreamParts): void {
  const { stores, closing, onLimit } = context;
  const { video, playbackSessions, linkAccess, linkUses, plans, upgrades } = parts;
  const { hub, devices, remotePlayback } = video;
  const { runAfter, onFault } = toolsOf(context, 'stream');
  const meter = new LoadMeter(onFault);
  closing.add('load meter', () => meter.close());
  const streams = createStreamServer({
    hub,
    playback: [remoteRoute(remotePlayback), localPlaybackRoute(playbackSessions)],
    mayWatch: async (query, kind, quality) => {
      const access = await mayWatch(query, kind, linkAccess);
      return access.ok ? withinPlan(access, { deviceId: query.deviceId, kind, quality }, plans) : access;
    },
    qualityFor: (deviceId, asked) => {
      const left = plans.mayStream(deviceId, asked, 'viewer');
      const isSubOnly = !left.ok && left.reason === 'plan-sub-stream';
      return isSubOnly ? { quality: 'sub', notice: PLAN_REFUSALS[left.reason] } : { quality: asked };
    },
    onQualities: (listener) => plans.subscribe(listener),
    onLinkUsed: (credential, address) => linkUses.note({ credential, address, opens: false }),
    controls: {
      port: devices.control,
      mayControl: (query, kind) => mayControl(query, kind, { linkAccess, registry: devices.registry }),
      audit: stores.audit,
    },
    isBusy: () => meter.isBusy,
    now: Date.now,
    runAfter,
    onLimit,
    onFault,
  });
  closing.add('streams', () => streams.close());
  upgrades.add(streams.endpoints);
}

const LINK_REFUSED = {
  ok: false,
  code: 'link-refused',
  message: "This link isn't valid or has expired. Ask for a new one.",
} as const;

async function mayWatch(query: ChannelQuery, kind: StreamKind, linkAccess: LinkAccess): Promise<StreamAccess> {
  const answer = await linkAccess.check({ ...query, kind });
  if (!answer.ok) return LINK_REFUSED;
  return { ok: true, session: answer.credential.sessionIdHash, archiveId: answer.device.archiveId };
}

interface PlannedStream {
  readonly deviceId: string;
  readonly kind: StreamKind;
  readonly quality: StreamQuality | 'any';
}

/** What the server has recorded costs the device no data. */
export function withinPlan(
  access: StreamAccess,
  { deviceId, kind, quality }: PlannedStream,
  plans: Pick<PlanGate, 'mayStream'>,
): StreamAccess {
  if (kind === 'playback') return access;
  const left = plans.mayStream(deviceId, quality, kind === 'live' ? 'viewer' : 'playback');
  return left.ok ? access : { ok: false, ...PLAN_REFUSALS[left.reason] };
}

const NOT_FITTED = { ok: false, code: 'not-fitted', message: "This channel doesn't support this function." } as const;
const TALK_FORBIDDEN = { ok: false, code: Refused.forbidden.code, message: Refused.forbidden.message } as const;

async function mayControl(
  query: ChannelQuery,
  kind: ControlKind,
  { linkAccess, registry }: { readonly linkAccess: LinkAccess; readonly registry: DeviceRegistry },
): Promise<StreamAccess> {
  const answer = await linkAccess.check({ ...query, kind: 'control' });
  if (!answer.ok) return LINK_REFUSED;
  if (kind === 'talk' && !answer.mayTalk) return TALK_FORBIDDEN;
  const channels = channelsOf(answer.device, registry.facts(query.deviceId).channels);
  const fitted = kind === 'ptz' ? channels.ptzchs : channels.talkchs;
  return fitted[query.channel - 1] === '1' ? { ok: true } : NOT_FITTED;
}

export interface DirectoryDeps {
  readonly registry: Pick<DeviceRegistry, 'facts' | 'videoLost' | 'presence'>;
  readonly board: Pick<FleetBoard, 'seenAtMs'>;
  readonly plans: Pick<PlanGate, 'mayStream'>;
}

/** Combines the device's record with what its terminal last reported. */
export function createDeviceDirectory(
  { devices }: Pick<Stores, 'devices'>,
  { registry, board, plans }: DirectoryDeps,
): DeviceDirectory {
  return {
    describe: async (deviceId) => {
      const device = await devices.findByDeviceId(deviceId);
      if (device === undefined) return undefined;
      const channels = channelsOf(device, registry.facts(deviceId).channels);
      const livechs = liveChannels(channels.chn, registry.videoLost(deviceId));
      const { name, plate } = device;
      const presence = { online: registry.presence(deviceId) !== undefined, seenAtMs: board.seenAtMs(device) };
      return { ...channels, livechs, planVideo: planVideoOf(deviceId, plans), name, plate, ...presence };
    },
  };
}

function planVideoOf(deviceId: string, plans: Pick<PlanGate, 'mayStream'>): PlanVideo {
  if (plans.mayStream(deviceId, 'main', 'viewer').ok) return 'all';
  return plans.mayStream(deviceId, 'sub', 'viewer').ok ? 'sub' : 'none';
}

/** Terminals as administrators see and handle them. */
export function createTerminalPort({
  devices,
  orders,
  mediaLoss,
}: Pick<Video, 'devices' | 'orders' | 'mediaLoss'>): TerminalPort {
  const { registry } = devices;
  return {
    presence: (deviceId) => ({
      onlineSinceMs: registry.presence(deviceId)?.onlineSinceMs,
      lastMessageAtMs: registry.lastMessageAtMs(deviceId),
    }),
    edition: (deviceId) => registry.session(deviceId)?.edition,
    cut: (deviceId) => registry.session(deviceId)?.close(),
    dropOrders: (deviceId) => orders.dropWaiting(deviceId),
    forget: (deviceId) => {
      orders.forget(deviceId);
      devices.forget(deviceId);
      mediaLoss.forget(deviceId);
    },
    test: (deviceId) => testConnection(deviceId, { registry, mediaLoss, steadyNow: () => performance.now() }),
  };
}

/** Terminals report the loss of 32 channels at most. */
const REPORTED_CHANNELS = 32;

function liveChannels(count: number, lostBits: number): string {
  const isLost = (bit: number): boolean => bit < REPORTED_CHANNELS && ((lostBits >>> bit) & 1) === 1;
  return channelBits(count, (channel) => !isLost(channel - 1));
}
