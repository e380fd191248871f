import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { Position } from '../store/fleet/positions.ts';
import { hasBit, StatusBit } from './jt808/codec/codes.ts';
import type { MessageBody } from './jt808/codec/message.ts';
import type { Position as PositionMessage } from './jt808/codec/messages/position.ts';
import { positionDetails } from './jt808/codec/positionItems.ts';
import type { PositionBuffer } from './positionBuffer.ts';
import type { DeviceRegistry, Fix } from './registry.ts';
import type { ReportFeed, ReportingDevice } from './reportFeed.ts';
import type { TerminalSession } from './terminalSession.ts';

export interface ReportDeps {
  readonly registry: DeviceRegistry;
  readonly positions: Pick<PositionBuffer, 'add'>;
  readonly feed: Pick<ReportFeed, 'publish' | 'tell'>;
  readonly now: () => number;
}

/** Whether it is kept, or will be: where it is not, the terminal has to send it again. */
export type Kept = boolean | Promise<boolean>;

/** Keeps what a signed-in terminal says of itself. */
export function handleReport(session: ReportingSession, body: MessageBody, deps: ReportDeps): Kept {
  switch (body.kind) {
    case 'position':
    case 'positionReply':
    case 'vehicleControlReply':
      noteVideoLost(session, body, deps);
      deps.registry.setIgnition(session.deviceId, hasBit(body.status, StatusBit.AccOn));
      return keepPositions(session, [body], { ...deps, isLive: true });
    case 'bulkPositions':
      // Positions recorded without a connection say nothing about the current state of cameras and ignition.
      return keepPositions(session, inOrder(body.positions), { ...deps, isLive: false });
    case 'driverIdentity':
    case 'passengerFlow':
    case 'mediaEvent':
    case 'eventReport':
    case 'questionAnswer':
    case 'passthroughUp':
    case 'upgradeResult':
      return deps.feed.publish({ kind: 'message', device: deviceOf(session), body, receivedAtMs: deps.now() }) ?? true;
    default:
      return true;
  }
}

export type ReportingSession = Pick<TerminalSession, 'deviceId' | 'incarnation' | 'archiveNumber' | 'edition'>;

function deviceOf({ deviceId, incarnation, archiveNumber }: ReportingSession): ReportingDevice {
  return { deviceId, incarnation, archiveNumber };
}

function noteVideoLost(session: ReportingSession, { items }: PositionMessage, deps: ReportDeps): void {
  const { videoLostBits } = positionDetails(items);
  if (videoLostBits === undefined || videoLostBits === deps.registry.videoLost(session.deviceId)) return;
  deps.registry.setVideoLost(session.deviceId, videoLostBits);
  const report = { kind: 'video-loss', lostBits: videoLostBits, receivedAtMs: deps.now() } as const;
  deps.feed.tell({ ...report, device: deviceOf(session) });
}

/** Terminals send what they have stored in the order of their memory, which is not always that of its times. */
function inOrder(positions: readonly PositionMessage[]): readonly PositionMessage[] {
  return positions.toSorted((left, right) => (left.time ?? 0) - (right.time ?? 0));
}

interface KeepDeps extends ReportDeps {
  readonly isLive: boolean;
}

interface KeptPosition {
  readonly message: PositionMessage;
  readonly position: Position;
}

function keepPositions(session: ReportingSession, messages: readonly PositionMessage[], deps: KeepDeps): Kept {
  const kept = messages.flatMap((message) => keptOf(session, message, deps) ?? []);
  if (!deps.positions.add(kept.map(({ position }) => position))) return false;
  const device = deviceOf(session);
  const pending = kept.flatMap(({ message, position }) => {
    const { items } = message;
    const said = {
      edition: session.edition,
      items,
      details: positionDetails(items, message.status),
      isLive: deps.isLive,
    };
    return deps.feed.publish({ kind: 'position', device, position, ...said }) ?? [];
  });
  return pending.length === 0 || Promise.all(pending).then((all) => all.every(Boolean));
}

/**
 * A position without a fix gets the coordinates of the last fix, so that an alarm in a tunnel is shown at its mouth and not
 * in the sea; its status word still says that there was no fix. A position without a time can't be placed on the route and
 * is dropped, unless it has an alarm: then it is kept under its time of arrival.
 */
function keptOf(
  device: ReportingDevice,
  message: PositionMessage,
  { registry, now }: Pick<ReportDeps, 'registry' | 'now'>,
): KeptPosition | undefined {
  const receivedAtMs = wallMs(now());
  if (message.time === undefined && message.alarm === 0) return undefined;
  const times = { deviceTimeMs: message.time ?? receivedAtMs, receivedAtMs };
  return { message, position: toPosition(device, { ...message, ...fixOf(device.deviceId, message, registry) }, times) };
}

/** Terminals send zeros before their first fix; with no earlier fix known, the place stays unknown. */
function fixOf(deviceId: string, message: PositionMessage, registry: DeviceRegistry): Fix {
  const { latitude, longitude } = message;
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (isOnEarth && hasBit(message.status, StatusBit.Fixed)) {
    registry.setLastFix(deviceId, { latitude, longitude });
    return { latitude, longitude };
  }
  return registry.lastFix(deviceId) ?? (isOnEarth ? { latitude, longitude } : { latitude: 0, longitude: 0 });
}

function toPosition(
  { deviceId, incarnation }: ReportingDevice,
  message: PositionMessage,
  times: { readonly deviceTimeMs: WallMs; readonly receivedAtMs: WallMs },
): Position {
  return {
    deviceId,
    incarnation,
    ...times,
    latitude: message.latitude,
    longitude: message.longitude,
    altitudeM: message.altitudeMeters,
    speedKmh: message.speedKmh,
    headingDeg: message.direction,
    alarmBits: message.alarm,
    statusBits: message.status,
    extra: Object.fromEntries(message.items.map(({ id, value }) => [id, Buffer.from(value).toString('hex')])),
  };
}
