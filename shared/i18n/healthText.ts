// The words of the installation's health in the user's language. The page loads the namespace `HealthWords`.
import i18next from 'i18next';
import type { HealthCheck } from '../protocol/api/system/health.ts';
import {
  HEALTH_ADVICE_TEXTS,
  HEALTH_FIGURE_NAMES,
  HEALTH_KIND_NAMES,
  HEALTH_STATE_NAMES,
  HEALTH_SUBJECT_NAMES,
} from '../protocol/health/healthTexts.ts';
import type { HealthAdvice, HealthFigure, HealthKind, HealthState } from '../protocol/health/healthWords.ts';

export const healthKindText = (kind: HealthKind): string => wordText(HEALTH_KIND_NAMES[kind]);
export const healthStateText = (state: HealthState): string => wordText(HEALTH_STATE_NAMES[state]);
export const healthFigureText = (figure: HealthFigure): string => wordText(HEALTH_FIGURE_NAMES[figure]);

/** Tables go by their own names. */
export function healthSubjectText({ kind, subject }: Pick<HealthCheck, 'kind' | 'subject'>): string {
  if (subject === '') return healthKindText(kind);
  const name =
    kind !== 'tables' && Object.hasOwn(HEALTH_SUBJECT_NAMES, subject) ? HEALTH_SUBJECT_NAMES[subject] : undefined;
  return name === undefined ? subject : wordText(name);
}

/** '' where nothing is to be done. */
export function healthAdviceText(advice: HealthAdvice): string {
  return advice === '' ? '' : wordText(HEALTH_ADVICE_TEXTS[advice]);
}

function wordText(name: string): string {
  return i18next.t(name, { ns: 'HealthWords' });
}
