import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { Position } from '../store/fleet/positions.ts';
import { hasBit, StatusBit } from './jt808/codec/codes.ts';
import type { MessageBody } from './jt808/codec/message.ts';
import type { Position as PositionMessage } from './jt808/codec/messages/position.ts';
import { positionDetails } from './jt808/codec/positionItems.ts';
import type { PositionBuffer } from './positionBuffer.ts';
import type { DeviceRegistry, Fix } from './registry.ts';

export interface ReportDeps {
  readonly registry: DeviceRegistry;
  readonly positions: Pick<PositionBuffer, 'add'>;
  /** Told of each position that is kept; `isLive`: reported as it happened. */
  readonly onPosition?: ((position: Position, isLive: boolean) => void) | undefined;
  readonly now: () => number;
}

/** The device as it was when the terminal signed in. */
export type ReportingDevice = Pick<Position, 'deviceId' | 'incarnation'>;

/** Keeps what a signed-in terminal says of itself. False where there is no room for it: the terminal is to send it again. */
export function handleReport(device: ReportingDevice, body: MessageBody, deps: ReportDeps): boolean {
  switch (body.kind) {
    case 'position':
    case 'positionReply':
    case 'vehicleControlReply':
      noteVideoLost(device.deviceId, body, deps.registry);
      deps.registry.setIgnition(device.deviceId, hasBit(body.status, StatusBit.AccOn));
      return keepPositions(device, [body], { ...deps, isLive: true });
    case 'bulkPositions':
      // Positions recorded without a connection say nothing about the current state of cameras and ignition.
      return keepPositions(device, body.positions, { ...deps, isLive: false });
    default:
      return true;
  }
}

function noteVideoLost(deviceId: string, { items }: PositionMessage, registry: DeviceRegistry): void {
  const { videoLostBits } = positionDetails(items);
  if (videoLostBits !== undefined) registry.setVideoLost(deviceId, videoLostBits);
}

interface KeepDeps extends ReportDeps {
  readonly isLive: boolean;
}

function keepPositions(device: ReportingDevice, messages: readonly PositionMessage[], deps: KeepDeps): boolean {
  const kept = messages.flatMap((message) => keptOf(device, message, deps) ?? []);
  if (!deps.positions.add(kept)) return false;
  for (const position of kept) deps.onPosition?.(position, deps.isLive);
  return true;
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
): Position | undefined {
  const receivedAtMs = wallMs(now());
  if (message.time === undefined && message.alarm === 0) return undefined;
  const times = { deviceTimeMs: message.time ?? receivedAtMs, receivedAtMs };
  return toPosition(device, { ...message, ...fixOf(device.deviceId, message, registry) }, times);
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
