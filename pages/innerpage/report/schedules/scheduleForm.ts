// The form of a schedule as data. Pure.
import type { ReportSchedule, ReportScheduleContent } from '../../../../shared/protocol/api/reports/reports.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';
import { isMailAddress } from '../../../../shared/protocol/notify/mailAddress.ts';
import type { ReportKind, ScheduleStep } from '../../../../shared/protocol/reports/reportWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { clockOf, minuteOf } from '../../../../shared/ui/schedule/clock.ts';
import {
  checkReport,
  draftOfParameters,
  newReport,
  parametersOfDraft,
  type ReportDraft,
  type ReportTexts,
} from '../form/reportForm.ts';

export interface ScheduleDraft extends ReportDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly every: ScheduleStep;
  /** 1 Monday to 7 Sunday. */
  readonly weekday: string;
  readonly monthDay: string;
  /** `HH:mm`. */
  readonly time: string;
  readonly format: 'csv' | 'xlsx';
  readonly language: Locale;
  /** Id; '' until one is chosen. */
  readonly sender: string;
  readonly recipients: readonly string[];
}

export function newSchedule(kind: ReportKind, timeZone: string, language: Locale): ScheduleDraft {
  return {
    ...newReport(kind, timeZone),
    name: '',
    enabled: true,
    every: 'daily',
    weekday: '1',
    monthDay: '1',
    time: '06:00',
    format: 'xlsx',
    language,
    sender: '',
    recipients: [],
  };
}

export function draftOfSchedule(schedule: ReportSchedule): ScheduleDraft {
  const { name, enabled, every, format, language, recipients } = schedule;
  return {
    ...draftOfParameters(schedule.kind, schedule.parameters),
    name,
    enabled,
    every,
    format,
    language,
    recipients,
    weekday: String(schedule.weekday || 1),
    monthDay: String(schedule.monthDay || 1),
    time: clockOf(schedule.minuteOfDay),
    sender: String(schedule.sender),
  };
}

/** Undefined for a text that is no time of day: a schedule can't run at the end of the day. */
function minuteOfTime(text: string): number | undefined {
  const minute = minuteOf(text);
  return minute === END_OF_DAY ? undefined : minute;
}

const END_OF_DAY = 1_440;

/** The content of a draft without problems. */
export function contentOfDraft(draft: ScheduleDraft, filters: readonly string[]): ReportScheduleContent {
  const { enabled, kind, every, format, language } = draft;
  return {
    name: draft.name.trim(),
    enabled,
    kind,
    every,
    format,
    language,
    parameters: parametersOfDraft(draft, filters),
    weekday: every === 'weekly' ? Number(draft.weekday) : 0,
    monthDay: every === 'monthly' ? Number(draft.monthDay) : 0,
    minuteOfDay: minuteOfTime(draft.time) ?? 0,
    sender: Number(draft.sender),
    recipients: [...draft.recipients],
  };
}

export interface ScheduleTexts extends ReportTexts {
  readonly noName: string;
  readonly noTime: string;
  readonly noSender: string;
  readonly noRecipient: string;
  readonly badAddress: (address: string) => string;
}

export function checkSchedule(draft: ScheduleDraft, texts: ScheduleTexts): Problems<ScheduleDraft> {
  const badAddress = draft.recipients.find((address) => !isMailAddress(address));
  return {
    ...(checkReport(draft, texts) as Problems<ScheduleDraft>),
    name: draft.name.trim() === '' ? texts.noName : undefined,
    time: minuteOfTime(draft.time) === undefined ? texts.noTime : undefined,
    sender: draft.sender === '' ? texts.noSender : undefined,
    recipients:
      draft.recipients.length === 0
        ? texts.noRecipient
        : badAddress === undefined
          ? undefined
          : texts.badAddress(badAddress),
  };
}
