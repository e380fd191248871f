// How many new events a screen reader is to say. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';

export interface NewTally {
  readonly count: number;
  readonly critical: number;
}

export const NO_TALLY: NewTally = { count: 0, critical: 0 };

export function withNew({ count, critical }: NewTally, events: readonly EventRow[]): NewTally {
  const isCritical = ({ severity }: EventRow) => severity === 'critical';
  return { count: count + events.length, critical: critical + events.filter(isCritical).length };
}
