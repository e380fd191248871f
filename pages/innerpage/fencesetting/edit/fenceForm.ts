// The form of a fence as data: ids as texts, numbers that inputs hold, null where nothing is typed. Pure.
import {
  type Fence,
  type FenceContent,
  type FenceRules,
  MAX_FENCE_NAME,
} from '../../../../shared/protocol/api/fences/fences.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import type { FenceKind } from '../../../../shared/protocol/fences/fenceWords.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import { draftOfShape, emptyDraft, type ShapeDraft, shapeOfDraft } from './shapeDraft.ts';

export const RULE_NUMBERS = ['insideMinutes', 'outsideMinutes', 'speedKmh', 'parkedMinutes'] as const;
export type RuleNumber = (typeof RULE_NUMBERS)[number];
const RULE_FLAGS = ['enter', 'leave', 'wrongDirection'] as const;
export type RuleFlag = (typeof RULE_FLAGS)[number];

/** Numbers: null for none. */
export type RulesDraft = Readonly<Record<RuleNumber, number | null>> & Readonly<Record<RuleFlag, boolean>>;

export interface FenceDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly color: string;
  /** Named as refusals name the outline. */
  readonly geometry: ShapeDraft;
  readonly validFromMs: number | null;
  readonly validToMs: number | null;
  readonly schedule: WeekSchedule;
  readonly timeZone: string;
  readonly deviceGroups: readonly string[];
  readonly devices: readonly string[];
  readonly rules: RulesDraft;
}

const FIRST_COLOR = '#1a5fb4';

export function newFence(kind: FenceKind): FenceDraft {
  return {
    name: '',
    enabled: true,
    color: FIRST_COLOR,
    geometry: emptyDraft(kind),
    validFromMs: null,
    validToMs: null,
    schedule: [],
    timeZone: '',
    deviceGroups: [],
    devices: [],
    rules: {
      enter: true,
      leave: true,
      wrongDirection: false,
      insideMinutes: null,
      outsideMinutes: null,
      speedKmh: null,
      parkedMinutes: null,
    },
  };
}

export function draftOfFence(fence: Fence): FenceDraft {
  const { name, enabled, color, schedule, timeZone, devices, rules } = fence;
  return {
    name,
    enabled,
    color,
    schedule,
    timeZone,
    devices,
    geometry: draftOfShape(fence),
    validFromMs: fence.validFromMs || null,
    validToMs: fence.validToMs || null,
    deviceGroups: fence.deviceGroups.map(String),
    rules: draftOfRules(rules),
  };
}

function draftOfRules({ enter, leave, wrongDirection, ...numbers }: FenceRules): RulesDraft {
  return {
    enter,
    leave,
    wrongDirection,
    insideMinutes: numbers.insideMinutes || null,
    outsideMinutes: numbers.outsideMinutes || null,
    speedKmh: numbers.speedKmh || null,
    parkedMinutes: numbers.parkedMinutes || null,
  };
}

/** A copy of the geofence with a name of its own. */
export function copyOfFence(fence: Fence, name: string): FenceDraft {
  return { ...draftOfFence(fence), name: name.slice(0, MAX_FENCE_NAME) };
}

/** The content of a draft without problems; undefined where nothing is drawn. */
export function contentOfDraft(draft: FenceDraft): FenceContent | undefined {
  const shape = shapeOfDraft(draft.geometry);
  if (shape === undefined) return undefined;
  const { enabled, color, schedule, timeZone, devices } = draft;
  return {
    ...shape,
    enabled,
    color,
    schedule,
    timeZone,
    devices,
    name: draft.name.trim(),
    validFromMs: momentOf(draft.validFromMs),
    validToMs: momentOf(draft.validToMs),
    deviceGroups: draft.deviceGroups.map(Number),
    rules: rulesOfDraft(draft.rules, shape.kind),
  };
}

function momentOf(value: number | null): WallMs {
  return wallMs(value ?? 0);
}

export function rulesOfDraft({ enter, leave, wrongDirection, ...numbers }: RulesDraft, kind: FenceKind): FenceRules {
  return {
    enter,
    leave,
    wrongDirection: wrongDirection && kind === 'corridor',
    insideMinutes: numbers.insideMinutes ?? 0,
    outsideMinutes: numbers.outsideMinutes ?? 0,
    speedKmh: numbers.speedKmh ?? 0,
    parkedMinutes: numbers.parkedMinutes ?? 0,
  };
}
