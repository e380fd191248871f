// Turns a request of a member or an event into items. Pure.
import type { SyncItemState, SyncStream } from '../../../shared/protocol/sync/syncWords.ts';
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, intersect, lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { NewSyncItem } from '../../store/sync/syncItemRows.ts';
import { apart, type DeviceFile, within } from './files.ts';
import { piecesOf } from './pieces.ts';

export interface RequestPlan extends TimeRange {
  readonly incarnation: number;
  readonly channel: number;
  readonly stream: SyncStream;
  /** The member group of the requester; 0 for an event. */
  readonly memberGroup: number;
  readonly requestedBy: string;
  readonly eventId: number;
  readonly position: number;
  readonly files: readonly DeviceFile[];
  readonly here: readonly TimeRange[];
  /** Items of the channel that are open: nothing is fetched twice. */
  readonly open: readonly TimeRange[];
  readonly clock: Pick<DeviceClock, 'offsetAtGateway'>;
}

/** Shorter items are just the time between two pictures. */
const SHORTEST_MS = 1_000;

/**
 * Where the device has listed nothing, it is asked all the same: recordings since its last list are in no list. Parts that are here already
 * are skipped, and parts that the device had and no longer has are lost: the request shows this instead of waiting forever.
 */
export function planRequest(plan: RequestPlan): NewSyncItem[] {
  const { here, open, stream, channel } = plan;
  const window = { fromMs: plan.fromMs, toMs: plan.toMs };
  const isOfStream = (file: DeviceFile): boolean => stream === 'any' || file.stream === 'any' || file.stream === stream;
  const files = plan.files.filter((file) => file.channel === channel && isOfStream(file));
  const present = apart(files.filter(({ isGone }) => !isGone));
  const goneFiles = files.filter(({ isGone }) => isGone);
  const missing = subtract(clipAll([window], window), mergeRanges([...here, ...open], RANGE_JOIN_MS));
  if (lengthOf(missing) < SHORTEST_MS) {
    return lengthOf(intersect([window], mergeRanges(open, 0))) > 0
      ? []
      : [itemOf(plan, askedFile(plan, window), 'skipped')];
  }
  const gone = subtract(mergeRanges(goneFiles, 0), mergeRanges(present, 0));
  const unlisted = subtract(missing, mergeRanges([...present, ...gone], 0));
  const wanted = [...piecesOf(within(present, missing)), ...piecesOf(unlisted.map((range) => askedFile(plan, range)))];
  const lost = piecesOf(intersect(missing, gone).map((range) => askedFile(plan, range)));
  const items = [
    ...wanted.map((piece) => itemOf(plan, piece, 'planned')),
    ...lost.map((piece) => itemOf(plan, piece, 'lost')),
  ];
  return items.filter((item) => lengthOf([item]) >= SHORTEST_MS).sort((left, right) => left.fromMs - right.fromMs);
}

/** A file of exactly this range, as if the device had one. */
function askedFile({ channel, stream, clock }: RequestPlan, { fromMs, toMs }: TimeRange): DeviceFile {
  const offsetMs = clock.offsetAtGateway(fromMs);
  return { channel, stream, fromMs, toMs, offsetMs, hasAlarm: false, isGone: false, bytes: 0 };
}

function itemOf(plan: RequestPlan, piece: DeviceFile, state: SyncItemState): NewSyncItem {
  const { incarnation, memberGroup, requestedBy, eventId, position } = plan;
  const { channel, stream, fromMs, toMs, offsetMs, bytes } = piece;
  return {
    incarnation,
    channel,
    stream,
    fromMs,
    toMs,
    deviceFromMs: fromMs - offsetMs,
    deviceToMs: toMs - offsetMs,
    rule: undefined,
    memberGroup,
    requestedBy,
    eventId,
    state,
    totalBytes: bytes,
    position,
  };
}
