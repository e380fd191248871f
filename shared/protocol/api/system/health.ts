// The health of the installation, check by check, with the numbers behind it and what to do.
import * as Type from 'typebox/type';
import {
  HEALTH_ADVICE,
  HEALTH_BOUNDS,
  HEALTH_FIGURES,
  HEALTH_KINDS,
  HEALTH_STATES,
  HEALTH_UNITS,
} from '../../health/healthWords.ts';
import { Nullable, OneOf, type RecordOf, Text, Timestamp } from '../records.ts';

export const HEALTH_PATH = '/api/version/health';

const HealthLimit = Type.Object({ value: Type.Number(), bound: OneOf(HEALTH_BOUNDS) });

export const HealthValue = Type.Object({
  name: OneOf(HEALTH_FIGURES),
  unit: OneOf(HEALTH_UNITS),
  /** Null: unknown or absent, such as a table's bytes or a certificate that is not needed. */
  value: Nullable(Type.Number()),
  /** Beyond it the check warns; null: any number is fine. */
  limit: Nullable(HealthLimit),
});
export type HealthValue = RecordOf<typeof HealthValue>;

export const HealthCheck = Type.Object({
  /** The same in each answer, such as `disks/recordings`. */
  id: Text,
  kind: OneOf(HEALTH_KINDS),
  /** The subject within the kind: a port, folder, queue or thread by its role, a table by its name. '' for the kind as a whole. */
  subject: Text,
  state: OneOf(HEALTH_STATES, 'unknown'),
  values: Type.Array(HealthValue),
  advice: OneOf(HEALTH_ADVICE),
});
export type HealthCheck = RecordOf<typeof HealthCheck>;

export const Health = Type.Object({
  checkedAtMs: Timestamp,
  /** State of the worst check. */
  state: OneOf(HEALTH_STATES, 'unknown'),
  /** By kind, in the order of HEALTH_KINDS. */
  checks: Type.Array(HealthCheck),
});
export type Health = RecordOf<typeof Health>;
