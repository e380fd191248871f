// What the calls of a track have in common: the device and the span that they are about, and their turn.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_TRACK_SPAN_MS } from '../../../shared/protocol/api/tracks/track.ts';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { TrackDevice } from '../../store/tracks/trackSummary.ts';
import type { TrackQuery } from '../../tracks/line/gatewayOrder.ts';
import type { TrackTurns } from '../../tracks/trackTurns.ts';
import { callerOf } from '../kernel/caller.ts';
import { type CallerScope, scopeOf } from '../kernel/callerScope.ts';
import { type Refusal, Refused, refuse } from '../kernel/envelope.ts';
import { untilGone } from '../kernel/untilGone.ts';
import { BAD_SPAN, TOO_MANY, type TrackRoutesDeps } from './trackDeps.ts';

export interface AskedTrack extends TrackQuery {
  readonly device: TrackDevice;
  readonly scope: CallerScope;
}

export interface AskedSpan {
  readonly deviceid: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The last moment that JavaScript dates can hold. */
const LAST_MOMENT_MS = 8.64e15;

interface SpanQuery {
  readonly deviceid: string;
  readonly from: string;
  readonly to: string;
}

export function spanOf({ deviceid, from, to }: SpanQuery): AskedSpan {
  return { deviceid, fromMs: Number(from), toMs: Number(to) };
}

/** The refusal where there is no such span, or no such device for the caller. */
export async function findTrack(
  { trackSummary }: Pick<TrackRoutesDeps['stores'], 'trackSummary'>,
  request: FastifyRequest,
  { deviceid, fromMs, toMs }: AskedSpan,
): Promise<AskedTrack | Refusal> {
  if (toMs <= fromMs || toMs - fromMs > MAX_TRACK_SPAN_MS || toMs > LAST_MOMENT_MS) return BAD_SPAN;
  const scope = scopeOf(callerOf(request));
  const device = await trackSummary.deviceOf(deviceid, scope);
  if (device === undefined) return Refused.device;
  const { incarnation } = device;
  const clock = new DeviceClock(await trackSummary.clockOf(incarnation));
  return { device, scope, incarnation, clock, fromMs, toMs };
}

/** Answers with the result of `work` once it is the track's turn. `gone`: nobody waits for it any more. */
export async function inTurn<Answer>(
  reply: FastifyReply,
  { turns, track }: { readonly turns: TrackTurns; readonly track: AskedTrack | Refusal },
  work: (track: AskedTrack, gone: AbortSignal) => Promise<Answer>,
): Promise<Answer | FastifyReply> {
  if ('status' in track) return refuse(reply, track);
  const gone = untilGone(reply);
  const { userId, memberGroup } = track.scope;
  const giveBack = await turns.take({ account: `user:${userId}`, memberGroup }, gone);
  if (typeof giveBack === 'string') return refuse(reply, TOO_MANY);
  try {
    return await work(track, gone);
  } catch (error) {
    // Work that nobody waits for is given up; the answer goes nowhere.
    if (gone.aborted && error === gone.reason) return refuse(reply, TOO_MANY);
    throw error;
  } finally {
    giveBack();
  }
}
