// The words of health checks in the user's language. The namespace Health has to be there.
import i18next from 'i18next';
import {
  HEALTH_ADVICE_TEXTS,
  HEALTH_FIGURE_NAMES,
  HEALTH_KIND_NAMES,
  HEALTH_STATE_NAMES,
  HEALTH_SUBJECT_NAMES,
} from '../protocol/health/healthTexts.ts';
import type { HealthAdvice, HealthFigure, HealthKind, HealthState } from '../protocol/health/healthWords.ts';

const translated = (key: string): string => i18next.t(key, { ns: 'Health' });

export const healthKindText = (kind: HealthKind): string => translated(HEALTH_KIND_NAMES[kind]);
export const healthStateText = (state: HealthState): string => translated(HEALTH_STATE_NAMES[state]);
export const healthFigureText = (figure: HealthFigure): string => translated(HEALTH_FIGURE_NAMES[figure]);

/** '' where nothing is to be done. */
export function healthAdviceText(advice: HealthAdvice): string {
  return advice === '' ? '' : translated(HEALTH_ADVICE_TEXTS[advice]);
}

/** `id`: of the check. What has no name of ours, such as a table, is called as the gateway calls it. */
export function healthSubjectText(id: string, subject: string): string {
  const name = HEALTH_SUBJECT_NAMES[id];
  return name === undefined ? subject : translated(name);
}
