// The numbers of a check as text.
import i18next from 'i18next';
import { healthFigureText } from '../../../../shared/i18n/healthText.ts';
import type { HealthCheck, HealthValue } from '../../../../shared/protocol/api/system/health.ts';
import type { HealthUnit } from '../../../../shared/protocol/health/healthWords.ts';
import { formatDay, formatTimestamp } from '../../../../shared/time/format.ts';
import { durationText } from '../../../../shared/ui/events/eventText.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';

const SECOND_MS = 1_000;

/** One for each number that is known: `Free: 12.4 GB (at least 10.0 GB)`. */
export function figureTexts({ kind, state, values }: HealthCheck, zone: string): readonly string[] {
  // Eighty times the same number says nothing.
  const hidesLimits = kind === 'tables' && state === 'ok';
  return values.flatMap((figure) => figureText(hidesLimits ? { ...figure, limit: null } : figure, zone) ?? []);
}

function figureText({ name, unit, value, limit }: HealthValue, zone: string): string | undefined {
  // Port 0 is any port.
  if (value === null || (unit === 'number' && value === 0)) return undefined;
  const shown = `${healthFigureText(name)}: ${quantityText(value, unit, zone)}`;
  if (limit === null) return shown;
  const bound = quantityText(limit.value, unit, zone);
  const words =
    limit.bound === 'least'
      ? i18next.t('at least {{limit}}', { ns: 'Version', limit: bound })
      : i18next.t('at most {{limit}}', { ns: 'Version', limit: bound });
  return `${shown} (${words})`;
}

function quantityText(value: number, unit: HealthUnit, zone: string): string {
  switch (unit) {
    case 'number':
      return String(value);
    case 'count':
    case 'days':
      return value.toLocaleString(i18next.language);
    case 'bytes':
      return bytesText(value) || '0 B';
    case 'milliseconds':
      return value < SECOND_MS ? `${Math.round(value)} ms` : durationText(value);
    case 'time':
      return formatTimestamp(value, zone);
    case 'date':
      return formatDay(value, 'UTC');
  }
}
