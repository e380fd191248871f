// How a member wants to be notified, as it is stored. Pure.
import type { OwnNotifyContent } from '../api/notify/ownNotify.ts';
import type { WeekSchedule, WeekWindow } from '../api/weekWindows.ts';
import { LOCALES } from '../locale.ts';
import { PERSONAL_KINDS } from './notifyWords.ts';

/** Beside the addresses, which have columns of their own. */
export type NotifyChoices = Pick<OwnNotifyContent, 'channels' | 'quietHours' | 'messageLanguage'>;

/** What everybody begins with. */
export const FIRST_CHOICES: NotifyChoices = { channels: PERSONAL_KINDS, quietHours: [], messageLanguage: '' };

/** Total: what cannot be read has its initial value, so that a member is notified rather than forgotten. */
export function readNotifyChoices(text: string): NotifyChoices {
  const { channels, quietHours, messageLanguage } = fieldsOf(text);
  return {
    channels: Array.isArray(channels) ? PERSONAL_KINDS.filter((kind) => channels.includes(kind)) : PERSONAL_KINDS,
    quietHours: scheduleOf(quietHours),
    messageLanguage: LOCALES.find((locale) => locale === messageLanguage) ?? '',
  };
}

export function notifyChoicesText({ channels, quietHours, messageLanguage }: NotifyChoices): string {
  return JSON.stringify({ channels, quietHours, messageLanguage });
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function scheduleOf(value: unknown): WeekSchedule {
  return Array.isArray(value) ? value.filter(isWindow) : [];
}

function isWindow(value: unknown): value is WeekWindow {
  if (!isObject(value)) return false;
  const { days, fromMinute, toMinute } = value;
  return Array.isArray(days) && days.length > 0 && days.every(isDay) && isMinute(fromMinute) && isMinute(toMinute);
}

function isDay(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 7;
}

function isMinute(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_440;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
