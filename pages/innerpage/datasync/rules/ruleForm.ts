// The form of a rule as data. Pure.
import type { SyncRule, SyncRuleContent } from '../../../../shared/protocol/api/sync/sync.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import type { SyncChoice, SyncStream } from '../../../../shared/protocol/sync/syncWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface RuleDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly devices: readonly string[];
  /** Serial numbers. */
  readonly deviceGroups: readonly string[];
  /** Numbers; empty: all. */
  readonly channels: readonly string[];
  readonly stream: SyncStream;
  readonly choice: SyncChoice;
  readonly eventTypes: readonly string[];
  readonly hours: WeekSchedule;
  readonly daysBack: number | null;
  readonly wifi: boolean;
  readonly lan: boolean;
  readonly mobile: boolean;
  readonly concurrency: number | null;
  /** Null means no limit, also in the next two fields. */
  readonly kilobitsPerSecond: number | null;
  readonly megabytesADay: number | null;
  readonly keptDays: number | null;
  readonly priority: string;
}

export const PRIORITIES: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The rule that most depots want: it fetches what the server is missing, at night, over the depot's own network. */
export function newRule(): RuleDraft {
  return {
    name: '',
    enabled: true,
    devices: [],
    deviceGroups: [],
    channels: [],
    stream: 'any',
    choice: 'gaps',
    eventTypes: [],
    hours: [],
    daysBack: 3,
    wifi: true,
    lan: true,
    mobile: false,
    concurrency: 20,
    kilobitsPerSecond: null,
    megabytesADay: null,
    keptDays: null,
    priority: '5',
  };
}

export function draftOfRule(rule: SyncRule): RuleDraft {
  return {
    name: rule.name,
    enabled: rule.enabled,
    devices: rule.devices,
    deviceGroups: rule.deviceGroups.map(String),
    channels: rule.channels.map(String),
    stream: rule.stream,
    choice: rule.choice,
    eventTypes: rule.eventTypes,
    hours: rule.hours,
    daysBack: rule.daysBack,
    wifi: rule.wifi,
    lan: rule.lan,
    mobile: rule.mobile,
    concurrency: rule.concurrency,
    kilobitsPerSecond: rule.kilobitsPerSecond || null,
    megabytesADay: rule.megabytesADay || null,
    keptDays: rule.keptDays || null,
    priority: String(rule.priority),
  };
}

/** The content of a draft without problems. */
export function contentOfRule(draft: RuleDraft): SyncRuleContent {
  return {
    ...draft,
    name: draft.name.trim(),
    deviceGroups: draft.deviceGroups.map(Number),
    channels: draft.channels.map(Number),
    eventTypes: draft.choice === 'events' ? draft.eventTypes : [],
    daysBack: draft.daysBack ?? 1,
    concurrency: draft.concurrency ?? 1,
    kilobitsPerSecond: draft.kilobitsPerSecond ?? 0,
    megabytesADay: draft.megabytesADay ?? 0,
    keptDays: draft.keptDays ?? 0,
    priority: Number(draft.priority),
  };
}

export interface RuleTexts {
  readonly noName: string;
  readonly noNetwork: string;
  readonly noNumber: (least: number, most: number) => string;
}

const MAX_DAYS_BACK = 90;
const MAX_CONCURRENCY = 100;
const MAX_KILOBITS = 10_000_000;
const MAX_MEGABYTES = 1_000_000;
const MAX_KEPT_DAYS = 3_650;

export function checkRule(draft: RuleDraft, texts: RuleTexts): Problems<RuleDraft> {
  const number = (value: number | null, most: number): string | undefined => {
    const isFine = value !== null && Number.isInteger(value) && value >= 1 && value <= most;
    return isFine ? undefined : texts.noNumber(1, most);
  };
  const limit = (value: number | null, most: number) => (value === null ? undefined : number(value, most));
  return {
    name: draft.name.trim() === '' ? texts.noName : undefined,
    daysBack: number(draft.daysBack, MAX_DAYS_BACK),
    concurrency: number(draft.concurrency, MAX_CONCURRENCY),
    kilobitsPerSecond: limit(draft.kilobitsPerSecond, MAX_KILOBITS),
    megabytesADay: limit(draft.megabytesADay, MAX_MEGABYTES),
    keptDays: limit(draft.keptDays, MAX_KEPT_DAYS),
    mobile: draft.wifi || draft.lan || draft.mobile ? undefined : texts.noNetwork,
  };
}
