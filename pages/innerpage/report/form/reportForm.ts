// The form of a report as data: ids as texts, numbers as inputs hold them, null where nothing is typed. Pure.
import { MAX_REPORT_DAYS, type ReportParameters } from '../../../../shared/protocol/api/reports/reports.ts';
import type { ReportKind, ReportPeriod } from '../../../../shared/protocol/reports/reportWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface ReportDraft {
  readonly kind: ReportKind;
  readonly period: ReportPeriod;
  /** Ends of a time range. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly timeZone: string;
  readonly deviceGroups: readonly string[];
  readonly devices: readonly string[];
  readonly eventTypes: readonly string[];
  readonly fences: readonly string[];
  readonly members: readonly string[];
  readonly leastMinutes: number | null;
  readonly speedKmh: number | null;
}

export function newReport(kind: ReportKind, timeZone: string): ReportDraft {
  return {
    kind,
    period: 'yesterday',
    fromMs: null,
    toMs: null,
    timeZone,
    deviceGroups: [],
    devices: [],
    eventTypes: [],
    fences: [],
    members: [],
    leastMinutes: null,
    speedKmh: null,
  };
}

export function draftOfParameters(kind: ReportKind, parameters: ReportParameters): ReportDraft {
  const { period, fromMs, toMs, timeZone, devices, eventTypes } = parameters;
  return {
    kind,
    period,
    fromMs: fromMs || null,
    toMs: toMs || null,
    timeZone,
    devices,
    eventTypes,
    deviceGroups: parameters.deviceGroups.map(String),
    fences: parameters.fences.map(String),
    members: parameters.members.map(String),
    leastMinutes: parameters.leastMinutes || null,
    speedKmh: parameters.speedKmh || null,
  };
}

/** The parameters of a draft without problems. Filters that the kind doesn't have are left out: a form keeps them for another kind. */
export function parametersOfDraft(draft: ReportDraft, filters: readonly string[]): ReportParameters {
  const isRange = draft.period === 'from-to';
  const has = (filter: string): boolean => filters.includes(filter);
  return {
    period: draft.period,
    fromMs: isRange ? (draft.fromMs ?? 0) : 0,
    toMs: isRange ? (draft.toMs ?? 0) : 0,
    timeZone: draft.timeZone,
    deviceGroups: has('devices') ? draft.deviceGroups.map(Number) : [],
    devices: has('devices') ? [...draft.devices] : [],
    eventTypes: has('event-types') ? [...draft.eventTypes] : [],
    fences: has('fences') ? draft.fences.map(Number) : [],
    members: has('members') ? draft.members.map(Number) : [],
    leastMinutes: has('thresholds') ? (draft.leastMinutes ?? 0) : 0,
    speedKmh: has('thresholds') ? (draft.speedKmh ?? 0) : 0,
  };
}

export interface ReportTexts {
  readonly noMoment: string;
  readonly endFirst: string;
  readonly tooLong: string;
  readonly range: (minimum: number, maximum: number) => string;
}

const DAY_MS = 86_400_000;
const MOST_MINUTES = 10_080;
const MOST_SPEED_KMH = 250;

export function checkReport(draft: ReportDraft, texts: ReportTexts): Problems<ReportDraft> {
  return {
    ...spanProblems(draft, texts),
    leastMinutes: numberProblem(draft.leastMinutes, MOST_MINUTES, texts),
    speedKmh: numberProblem(draft.speedKmh, MOST_SPEED_KMH, texts),
  };
}

function spanProblems({ period, fromMs, toMs }: ReportDraft, texts: ReportTexts): Problems<ReportDraft> {
  if (period !== 'from-to') return {};
  const fromProblem = isMoment(fromMs) ? undefined : texts.noMoment;
  if (!isMoment(fromMs) || !isMoment(toMs))
    return { fromMs: fromProblem, toMs: isMoment(toMs) ? undefined : texts.noMoment };
  if (toMs <= fromMs) return { toMs: texts.endFirst };
  return toMs - fromMs > MAX_REPORT_DAYS * DAY_MS ? { toMs: texts.tooLong } : {};
}

function isMoment(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}

function numberProblem(value: number | null, maximum: number, { range }: ReportTexts): string | undefined {
  if (value === null) return undefined;
  return Number.isInteger(value) && value >= 1 && value <= maximum ? undefined : range(1, maximum);
}
