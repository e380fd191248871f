// Positions that a terminal reports: stored, and told to whoever works with them.
import { knownValue } from '../../shared/protocol/positions/knownValues.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Position } from '../store/fleet/positions.ts';
import { hasBit, StatusBit } from './jt808/codec/codes.ts';
import type { Position as PositionMessage } from './jt808/codec/messages/position.ts';
import { hasAlarmItem, type PositionDetails, positionDetails } from './jt808/codec/positionItems.ts';
import type { PositionBuffer } from './positionBuffer.ts';
import { slicesOf } from './positionSlices.ts';
import type { DeviceRegistry, Fix } from './registry.ts';
import type { ReportFeed, ReportingDevice } from './reportFeed.ts';
import type { TerminalSession } from './terminalSession.ts';

export type ReportingSession = Pick<TerminalSession, 'deviceId' | 'incarnation' | 'archiveNumber' | 'edition'>;

export interface PositionDeps {
  readonly registry: DeviceRegistry;
  readonly positions: Pick<PositionBuffer, 'add'>;
  readonly feed: Pick<ReportFeed, 'publish' | 'tell'>;
  readonly now: () => number;
  /** Lets others have the thread first. */
  readonly nextTurn: () => Promise<void>;
  readonly onLimit: OnLimit;
}

/** Whether it is kept, or will be: where it is not, the terminal has to send it again. */
export type Kept = boolean | Promise<boolean>;

/** A position with what its items say: they are read once. */
export interface ReadPosition {
  readonly message: PositionMessage;
  readonly details: PositionDetails;
}

export interface ReportedPositions {
  readonly session: ReportingSession;
  /** Reported as it happened. */
  readonly isLive: boolean;
}

interface KeptPosition extends ReadPosition {
  readonly position: Position;
}

export function readPosition(message: PositionMessage): ReadPosition {
  return { message, details: positionDetails(message.items, message.status) };
}

export function deviceOf({ deviceId, incarnation, archiveNumber }: ReportingSession): ReportingDevice {
  return { deviceId, incarnation, archiveNumber };
}

/** All or none, at once: for a few. */
export function keepFew(of: ReportedPositions, read: readonly ReadPosition[], deps: PositionDeps): Kept {
  const kept = read.flatMap((each) => keptOf(of, each, deps) ?? []);
  if (!deps.positions.add(kept.map(({ position }) => position))) return false;
  const pending = kept.flatMap((each) => deps.feed.publish(reportOf(of, each)) ?? []);
  return pending.length === 0 || Promise.all(pending).then((all) => all.every(Boolean));
}

/** All or none, in the order given. Many of them are worked off in slices, so that media goes on meanwhile. */
export function keepMany(of: ReportedPositions, messages: readonly PositionMessage[], deps: PositionDeps): Kept {
  const slices = slicesOf(messages);
  return slices.length > 1 ? keepSlices(of, slices, deps) : keepFew(of, messages.map(readPosition), deps);
}

async function keepSlices(
  of: ReportedPositions,
  slices: readonly (readonly PositionMessage[])[],
  deps: PositionDeps,
): Promise<boolean> {
  const kept: KeptPosition[][] = [];
  for (const slice of slices) {
    kept.push(slice.flatMap((message) => keptOf(of, readPosition(message), deps) ?? []));
    await deps.nextTurn();
  }
  if (!deps.positions.add(kept.flat().map(({ position }) => position))) return false;
  const pending: Promise<boolean>[] = [];
  for (const slice of kept) {
    pending.push(...slice.flatMap((each) => deps.feed.publish(reportOf(of, each)) ?? []));
    await deps.nextTurn();
  }
  return (await Promise.all(pending)).every(Boolean);
}

function reportOf({ session, isLive }: ReportedPositions, { message: { items }, details, position }: KeptPosition) {
  const { edition } = session;
  return { kind: 'position', device: deviceOf(session), position, edition, items, details, isLive } as const;
}

/**
 * A position without a fix gets the coordinates of the last fix, so that an alarm in a tunnel is shown at its mouth and not
 * in the sea; its status word still says that there was no fix. A position without a time can't be placed on the route and
 * is dropped, unless it has an alarm: then it is kept under its time of arrival.
 */
function keptOf(
  { session, isLive }: ReportedPositions,
  { message, details }: ReadPosition,
  { registry, now }: Pick<PositionDeps, 'registry' | 'now'>,
): KeptPosition | undefined {
  const receivedAtMs = wallMs(now());
  if (message.time === undefined && message.alarm === 0 && !hasAlarmItem(details)) return undefined;
  const times = { deviceTimeMs: message.time ?? receivedAtMs, receivedAtMs };
  const fix = fixOf(session.deviceId, message, registry);
  return { message, details, position: toPosition({ session, isLive }, { message, details }, { ...times, fix }) };
}

/** Terminals send zeros before their first fix; with no earlier fix known, the place stays unknown. */
function fixOf(deviceId: string, message: PositionMessage, registry: DeviceRegistry): Fix {
  const { latitude, longitude } = message;
  const onEarth = isOnEarth(message);
  if (onEarth && hasBit(message.status, StatusBit.Fixed)) {
    registry.setLastFix(deviceId, { latitude, longitude });
    return { latitude, longitude };
  }
  return registry.lastFix(deviceId) ?? (onEarth ? { latitude, longitude } : { latitude: 0, longitude: 0 });
}

function isOnEarth({ latitude, longitude }: Fix): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

/** What lies nowhere on the earth was not measured, whatever the terminal says of it. */
function statusOf(message: PositionMessage): number {
  return isOnEarth(message) ? message.status : (message.status & ~(1 << StatusBit.Fixed)) >>> 0;
}

/** Written out field by field: each report makes one, and copies of copies took a quarter of its time. */
function toPosition(
  { session, isLive }: ReportedPositions,
  { message, details }: ReadPosition,
  placed: { readonly deviceTimeMs: WallMs; readonly receivedAtMs: WallMs; readonly fix: Fix },
): Position {
  return {
    deviceId: session.deviceId,
    incarnation: session.incarnation,
    deviceTimeMs: placed.deviceTimeMs,
    receivedAtMs: placed.receivedAtMs,
    latitude: placed.fix.latitude,
    longitude: placed.fix.longitude,
    altitudeM: knownValue('altitudeM', message.altitudeMeters),
    speedKmh: knownValue('speedKmh', message.speedKmh),
    headingDeg: knownValue('headingDeg', message.direction),
    alarmBits: message.alarm,
    statusBits: statusOf(message),
    extra: hexOf(message.items),
    mileageKm: details.mileageKm,
    fuelLiters: details.fuelLitres,
    cabinCelsius: details.cabinCelsius,
    signal: details.radioSignal,
    isLate: !isLive,
  };
}

function hexOf(items: PositionMessage['items']): Record<string, string> {
  const extra: Record<string, string> = {};
  for (const { id, value } of items) {
    extra[id] = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  }
  return extra;
}
