import type { ReactNode } from 'react';

/** What an import makes of a record. */
export type PlannedOutcome = 'added' | 'changed' | 'unchanged' | 'refused';

export interface PlannedRow {
  readonly outcome: PlannedOutcome;
}

/** What is said of a row. */
export interface PlannedLine {
  /** Where it is in the file; undefined where that says nothing. */
  readonly place?: string;
  readonly name: ReactNode;
  readonly changes?: readonly PlannedChange[];
  /** Why it is rejected, or has failed: sentences. */
  readonly faults: readonly string[];
}

interface PlannedChange {
  readonly field: string;
  /** '' for nothing. */
  readonly from: string;
  readonly to: string;
}
