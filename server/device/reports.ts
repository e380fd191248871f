import type { Limit, OnLimit } from '../limits/limit.ts';
import { hasBit, StatusBit } from './jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from './jt808/codec/message.ts';
import {
  MAX_BULK_ITEMS,
  MAX_BULK_POSITIONS,
  MAX_POSITION_ITEMS,
  type Position as PositionMessage,
} from './jt808/codec/messages/position.ts';
import { reportedVideoLoss } from './jt808/codec/positionItems.ts';
import {
  deviceOf,
  type Kept,
  keepFew,
  keepMany,
  type PositionDeps,
  type ReadPosition,
  type ReportingSession,
  readPosition,
} from './positionReports.ts';

export type ReportDeps = PositionDeps;
export type { Kept, ReportingSession } from './positionReports.ts';

/** Positions of one message 0x0704; terminals send some dozens. The message is answered with a failure and nothing of it is kept. */
export const BULK_POSITIONS_LIMIT: Limit = { name: 'terminals.positions.message', max: MAX_BULK_POSITIONS };
/** Additional items of all positions of one message 0x0704. The message is answered with a failure and nothing of it is kept. */
export const BULK_ITEMS_LIMIT: Limit = { name: 'terminals.position-items.message', max: MAX_BULK_ITEMS };
/** Additional items of one position. The others are not read. */
export const POSITION_ITEMS_LIMIT: Limit = { name: 'terminals.position-items.position', max: MAX_POSITION_ITEMS };

/** Keeps what a signed-in terminal says of itself. */
export function handleReport(session: ReportingSession, body: MessageBody, deps: ReportDeps): Kept {
  switch (body.kind) {
    case 'position':
    case 'positionReply':
    case 'vehicleControlReply':
      return keepLive(session, readPosition(body), deps);
    case 'bulkPositions':
      return keepBulk(session, body, deps);
    case 'driverIdentity':
    case 'passengerFlow':
    case 'mediaEvent':
    case 'eventReport':
    case 'questionAnswer':
    case 'passthroughUp':
    case 'upgradeResult':
    case 'fileUploadDone':
      return deps.feed.publish({ kind: 'message', device: deviceOf(session), body, receivedAtMs: deps.now() }) ?? true;
    default:
      return true;
  }
}

function keepLive(session: ReportingSession, read: ReadPosition, deps: ReportDeps): Kept {
  noteCutItems([read.message], deps.onLimit);
  noteVideoLost(session, read, deps);
  deps.registry.setIgnition(session.deviceId, hasBit(read.message.status, StatusBit.AccOn));
  return keepFew({ session, isLive: true }, [read], deps);
}

/** Positions recorded without a connection say nothing about the current state of cameras and ignition. */
function keepBulk(session: ReportingSession, body: BodyOf<'bulkPositions'>, deps: ReportDeps): Kept {
  const { positions, brokenItems, unreadPositions = 0 } = body;
  if (unreadPositions > 0) {
    const isLong = positions.length + brokenItems >= MAX_BULK_POSITIONS;
    deps.onLimit(isLong ? BULK_POSITIONS_LIMIT : BULK_ITEMS_LIMIT);
    return false;
  }
  noteCutItems(positions, deps.onLimit);
  return keepMany({ session, isLive: false }, inOrder(positions), deps);
}

/** An item that is too much is left with what can't be read. */
function noteCutItems(positions: readonly PositionMessage[], onLimit: OnLimit): void {
  for (const { items, tail } of positions) {
    if (items.length >= MAX_POSITION_ITEMS && tail.length > 0) onLimit(POSITION_ITEMS_LIMIT);
  }
}

function noteVideoLost(session: ReportingSession, { details }: ReadPosition, deps: ReportDeps): void {
  const lostBits = reportedVideoLoss(details);
  if (lostBits === undefined || lostBits === deps.registry.videoLost(session.deviceId)) return;
  deps.registry.setVideoLost(session.deviceId, lostBits);
  const report = { kind: 'video-loss', lostBits, receivedAtMs: deps.now() } as const;
  deps.feed.tell({ ...report, device: deviceOf(session) });
}

/** Terminals send what they have stored in the order of their memory, which is not always that of its times. */
function inOrder(positions: readonly PositionMessage[]): readonly PositionMessage[] {
  return positions.toSorted((left, right) => (left.time ?? 0) - (right.time ?? 0));
}
