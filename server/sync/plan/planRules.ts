// Selects the recordings of a device that rules fetch. Pure.
import type { SyncRuleContent } from '../../../shared/protocol/api/sync/sync.ts';
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { NewSyncItem } from '../../store/sync/syncItemRows.ts';
import { apart, type DeviceFile, within } from './files.ts';
import { piecesOf } from './pieces.ts';
import { rulePosition } from './positions.ts';

interface PlanningRule {
  readonly id: number;
  readonly memberGroup: number;
  readonly content: SyncRuleContent;
}

/** Time around an event, by the gateway's clock. */
export interface EventSpan extends TimeRange {
  readonly type: string;
  /** 0: all channels. */
  readonly channel: number;
}

export interface RulePlan {
  readonly nowMs: number;
  readonly incarnation: number;
  /** The rules that cover the device. */
  readonly rules: readonly PlanningRule[];
  readonly files: readonly DeviceFile[];
  /** The server's recordings, by channel, in order and apart. */
  readonly here: ReadonlyMap<number, readonly TimeRange[]>;
  /** Time that is not planned again, by channel; in any order. See `takenTime`. */
  readonly taken: ReadonlyMap<number, readonly TimeRange[]>;
  readonly events: readonly EventSpan[];
  readonly ignition: readonly TimeRange[];
  /** Time that the server should have recorded, by channel. */
  readonly due: ReadonlyMap<number, readonly TimeRange[]>;
}

const DAY_MS = 86_400_000;
/** Shorter gaps were lost between two connections of the terminal. */
const SHORTEST_STRETCH_MS = 10_000;
/** Shortest part of a stretch that goes on in the next file: a shorter one may have no key frame. */
const SHORTEST_PIECE_MS = 2_000;
/** A file that the device is still writing ends later than listed. */
const SETTLED_MS = 60_000;

/** Rules of a higher priority choose first: their items are left out of the others. */
export function planRules(plan: RulePlan): NewSyncItem[] {
  const channels = new Map<number, DeviceFile[]>();
  for (const file of plan.files) {
    if (file.isGone || isUnderWay(file, plan.nowMs)) continue;
    const known = channels.get(file.channel);
    if (known === undefined) channels.set(file.channel, [file]);
    else known.push(file);
  }
  const rules = plan.rules
    .filter(({ content }) => content.enabled)
    .toSorted((left, right) => left.content.priority - right.content.priority || left.id - right.id);
  return [...channels].flatMap(([channel, files]) => planChannel(plan, { channel, files, rules }));
}

function isUnderWay({ toMs }: DeviceFile, nowMs: number): boolean {
  return toMs > nowMs - SETTLED_MS;
}

/** When the first of the files that may still be written can be planned; undefined where there is none. */
export function nextSettledMs(files: readonly DeviceFile[], nowMs: number): number | undefined {
  const open = files.filter((file) => !file.isGone && isUnderWay(file, nowMs));
  return open.length === 0 ? undefined : Math.min(...open.map(({ toMs }) => toMs)) + SETTLED_MS;
}

interface ChannelPlan {
  readonly channel: number;
  readonly files: readonly DeviceFile[];
  readonly rules: readonly PlanningRule[];
}

function planChannel(plan: RulePlan, { channel, files, rules }: ChannelPlan): NewSyncItem[] {
  const here = plan.here.get(channel) ?? [];
  let left = subtract([ALWAYS], mergeRanges([...here, ...(plan.taken.get(channel) ?? [])], RANGE_JOIN_MS));
  const items: NewSyncItem[] = [];
  for (const rule of rules) {
    const { channels, stream, daysBack } = rule.content;
    if (channels.length > 0 && !channels.includes(channel)) continue;
    const candidates = files.filter((file) => stream === 'any' || file.stream === 'any' || file.stream === stream);
    const window = { fromMs: plan.nowMs - daysBack * DAY_MS, toMs: plan.nowMs };
    const chosen = choose(plan, { channel, rule, files: apart(candidates) });
    const wanted = clipAll(left, window);
    const pieces = piecesOf(worthFetching(within(chosen, wanted)));
    items.push(...pieces.map((piece) => itemOf(plan, rule, piece)));
    left = subtract(left, mergeRanges(pieces, 0));
  }
  return items;
}

/** Nothing is missing where a file of the device ends and the next begins: both parts count as one stretch. */
function worthFetching(parts: readonly DeviceFile[]): DeviceFile[] {
  const stretches = mergeRanges(parts, RANGE_JOIN_MS).filter((stretch) => lengthOf([stretch]) >= SHORTEST_STRETCH_MS);
  return within(parts, stretches).filter((part) => lengthOf([part]) >= SHORTEST_PIECE_MS);
}

const ALWAYS: TimeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

interface Choice {
  readonly channel: number;
  readonly rule: PlanningRule;
  readonly files: readonly DeviceFile[];
}

function choose({ events, ignition, due }: RulePlan, { channel, rule, files }: Choice): readonly DeviceFile[] {
  const { choice, eventTypes } = rule.content;
  switch (choice) {
    case 'all':
      return files;
    case 'alarms':
      return files.filter(({ hasAlarm }) => hasAlarm);
    case 'events': {
      const isChosen = (event: EventSpan): boolean =>
        (event.channel === 0 || event.channel === channel) &&
        (eventTypes.length === 0 || eventTypes.includes(event.type));
      return within(files, mergeRanges(events.filter(isChosen), 0));
    }
    case 'ignition':
      return within(files, ignition);
    case 'gaps':
      return within(files, due.get(channel) ?? []);
  }
}

function itemOf({ incarnation }: RulePlan, { id, memberGroup, content }: PlanningRule, piece: DeviceFile): NewSyncItem {
  const { channel, stream, fromMs, toMs, offsetMs, bytes } = piece;
  return {
    incarnation,
    channel,
    stream,
    fromMs,
    toMs,
    deviceFromMs: fromMs - offsetMs,
    deviceToMs: toMs - offsetMs,
    rule: id,
    memberGroup,
    requestedBy: '',
    eventId: 0,
    state: 'planned',
    totalBytes: bytes,
    position: rulePosition(content.priority, fromMs),
  };
}
