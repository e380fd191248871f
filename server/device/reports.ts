import { wallMs } from '../../shared/protocol/time.ts';
import type { Position } from '../store/positions.ts';
import type { MessageBody } from './jt808/codec/message.ts';
import type { Position as PositionMessage } from './jt808/codec/messages/position.ts';
import type { PositionBuffer } from './positionBuffer.ts';
import type { DeviceRegistry } from './registry.ts';

export interface ReportDeps {
  readonly registry: DeviceRegistry;
  readonly positions: Pick<PositionBuffer, 'add'>;
  readonly now: () => number;
}

/** Video signal lost, bit n for channel n+1. Vendors use the number otherwise too, with other lengths. */
const VIDEO_LOST_ITEM = 0x15;
const VIDEO_LOST_BYTES = 4;

/** Keeps what a signed-in terminal says of itself. */
export function handleReport(deviceId: string, body: MessageBody, deps: ReportDeps): void {
  if (body.kind === 'position') {
    noteVideoLost(deviceId, body, deps.registry);
    keepPosition(deviceId, body, deps);
  } else if (body.kind === 'bulkPositions') {
    for (const position of body.positions) keepPosition(deviceId, position, deps);
  }
}

function noteVideoLost(deviceId: string, { items }: PositionMessage, registry: DeviceRegistry): void {
  const item = items.find(({ id, value }) => id === VIDEO_LOST_ITEM && value.length === VIDEO_LOST_BYTES);
  if (item === undefined) return;
  const [first = 0, second = 0, third = 0, fourth = 0] = item.value;
  registry.setVideoLost(deviceId, ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0);
}

function keepPosition(deviceId: string, message: PositionMessage, { positions, now }: ReportDeps): void {
  // Without a time of its own a position cannot be placed on the route, and without a fix it is an old one.
  if (message.time === undefined || !isOnEarth(message)) return;
  positions.add(toPosition(deviceId, message, { deviceTimeMs: message.time, receivedAtMs: wallMs(now()) }));
}

function isOnEarth({ latitude, longitude }: PositionMessage): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function toPosition(
  deviceId: string,
  message: PositionMessage,
  times: Pick<Position, 'deviceTimeMs' | 'receivedAtMs'>,
): Position {
  return {
    deviceId,
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
