// What the database is told of devices and fences, one thing after the other. Times are the gateway's clock.
import type { FencedVisit, FenceMovement } from '../../store/fences/fenceMovements.ts';
import type { DevicePlace } from '../directory/devicePlaces.ts';
import type { PreparedFence } from '../directory/preparedFence.ts';
import type { Visit } from './fenceLog.ts';
import type { FenceState } from './fenceState.ts';
import type { Moment } from './moment.ts';

type Device = Pick<DevicePlace, 'incarnation'>;

export function stateMovement({ fence, presence }: FenceState, { incarnation }: Device): FenceMovement {
  const { isInside, since } = presence;
  if (!isInside && fence.rules.outsideMinutes === 0) return { kind: 'forget', fence: fence.id, incarnation };
  const { atMs: sinceMs, deviceMs: deviceSinceMs } = since;
  return { kind: 'state', fence: fence.id, incarnation, isInside, sinceMs, deviceSinceMs };
}

export function visitOf(fence: PreparedFence, { incarnation }: Device, from: Moment): FencedVisit {
  return {
    fence: fence.id,
    fenceName: fence.name,
    memberGroup: fence.memberGroup,
    incarnation,
    fromMs: from.atMs,
    clockOffsetMs: from.atMs - from.deviceMs,
  };
}

export function wholeVisit(fence: PreparedFence, device: Device, { from, to }: Visit): FenceMovement {
  return { kind: 'visit', ...visitOf(fence, device, from), toMs: Math.max(to.atMs, from.atMs, 1) };
}
