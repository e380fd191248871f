import type { Severity } from '../../../shared/protocol/events/eventWords.ts';

/** What holds for events of one type at one device. */
export interface TypeSettings {
  readonly severity: Severity;
  /** A repeat that comes earlier after the end continues the event. */
  readonly mergeMs: number;
  /** New events of the type; beyond it they are counted in the latest one. */
  readonly eventsAnHour: number;
  /** Id of the configured rule; 0 for none. */
  readonly rule: number;
}

export const MERGE_WINDOW_MS = 60_000;
export const EVENTS_AN_HOUR = 30;
