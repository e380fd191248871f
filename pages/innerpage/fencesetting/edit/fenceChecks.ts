// What is wrong with what is typed and drawn, by the paths that the gateway names too: `rules.speedKmh`. Pure.
import {
  type FenceFault,
  MAX_RADIUS_METERS,
  MAX_WIDTH_METERS,
  MIN_RADIUS_METERS,
  MIN_WIDTH_METERS,
} from '../../../../shared/protocol/fences/fenceWords.ts';
import { faultsOfShape } from '../../../../shared/protocol/fences/geometryFaults.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { type FenceDraft, RULE_NUMBERS, type RuleNumber } from './fenceForm.ts';
import { type ShapeDraft, shapeOfDraft } from './shapeDraft.ts';

export interface FenceTexts {
  readonly noName: string;
  readonly noShape: string;
  readonly noMoment: string;
  readonly endsTooEarly: string;
  readonly range: (minimum: number, maximum: number) => string;
  readonly numberRange: (minimum: number, maximum: number) => string;
  readonly fault: (fault: FenceFault) => string;
}

const MINUTES_A_WEEK = 10_080;
const MAX_SPEED_KMH = 250;
const MAXIMUMS: Readonly<Record<RuleNumber, number>> = {
  insideMinutes: MINUTES_A_WEEK,
  outsideMinutes: MINUTES_A_WEEK,
  speedKmh: MAX_SPEED_KMH,
  parkedMinutes: MINUTES_A_WEEK,
};
/** The faults of an outline that is still being drawn which it has only because it is not finished. */
const FAULTS_OF_THE_UNFINISHED: readonly FenceFault[] = [
  'fence-few-vertices',
  'fence-small-area',
  'fence-small-radius',
  'fence-small-width',
];

export function checkFence(draft: FenceDraft, texts: FenceTexts): Problems<FenceDraft> {
  const rules = RULE_NUMBERS.map((name) => {
    const value = draft.rules[name];
    const isFine = value === null || isWhole(value, MAXIMUMS[name]);
    return [`rules.${name}`, isFine ? undefined : texts.range(1, MAXIMUMS[name])] as const;
  });
  return {
    name: draft.name.trim() === '' ? texts.noName : undefined,
    ...geometryProblems(draft.geometry, texts),
    ...momentProblems(draft, texts),
    ...Object.fromEntries(rules),
  };
}

function isWhole(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}

function momentProblems({ validFromMs, validToMs }: FenceDraft, texts: FenceTexts): Problems<FenceDraft> {
  const isFrom = validFromMs === null || !Number.isNaN(validFromMs);
  const isTo = validToMs === null || !Number.isNaN(validToMs);
  const isReversed = validFromMs !== null && validToMs !== null && isFrom && isTo && validToMs <= validFromMs;
  return {
    validFromMs: isFrom ? undefined : texts.noMoment,
    validToMs: isTo ? (isReversed ? texts.endsTooEarly : undefined) : texts.noMoment,
  };
}

function geometryProblems(shape: ShapeDraft, texts: FenceTexts): Problems<FenceDraft> {
  const size = sizeProblem(shape, texts);
  if (size !== undefined) return size;
  if (shape.positions.length === 0) return { geometry: texts.noShape };
  const [fault] = shapeFaults(shape);
  return { geometry: fault === undefined ? undefined : texts.fault(fault) };
}

/** A problem with the radius or width that the kind has, shown beside its own field. */
function sizeProblem(
  { kind, radiusMeters, widthMeters }: ShapeDraft,
  texts: FenceTexts,
): Problems<FenceDraft> | undefined {
  if (kind === 'circle' && !isWithin(radiusMeters, MIN_RADIUS_METERS, MAX_RADIUS_METERS))
    return { 'geometry.radiusMeters': texts.numberRange(MIN_RADIUS_METERS, MAX_RADIUS_METERS) };
  if (kind === 'corridor' && !isWithin(widthMeters, MIN_WIDTH_METERS, MAX_WIDTH_METERS))
    return { 'geometry.widthMeters': texts.numberRange(MIN_WIDTH_METERS, MAX_WIDTH_METERS) };
  return undefined;
}

function isWithin(value: number | null, minimum: number, maximum: number): boolean {
  return value !== null && value >= minimum && value <= maximum;
}

function shapeFaults(draft: ShapeDraft): readonly FenceFault[] {
  const shape = shapeOfDraft(draft);
  return shape === undefined ? [] : faultsOfShape(shape);
}

/** A fault of the outline that can be reported before it is finished. */
export function liveFault(draft: ShapeDraft): FenceFault | undefined {
  return shapeFaults(draft).find((fault) => !FAULTS_OF_THE_UNFINISHED.includes(fault));
}
