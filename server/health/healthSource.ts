import type { HealthCheck } from '../../shared/protocol/api/system/health.ts';
import type { HealthKind } from '../../shared/protocol/health/healthWords.ts';

/** Contributes the checks of one kind. */
export interface HealthSource {
  readonly kind: HealthKind;
  /** Rejects when it can't be found out. May take its time: whoever asks waits for two seconds at most. */
  read(): Promise<readonly HealthCheck[]>;
}

/** What a rule says of numbers; whose they are is added by the source. */
export type Judgment = Pick<HealthCheck, 'state' | 'values' | 'advice'>;

export function checkOf(kind: HealthKind, subject: string, judgment: Judgment): HealthCheck {
  return { id: subject === '' ? kind : `${kind}/${subject}`, kind, subject, ...judgment };
}
