import type { Severity } from '../../../shared/protocol/events/eventWords.ts';

/** The settings of events of one type at one device. */
export interface TypeSettings {
  readonly severity: Severity;
  /** A repeat that comes sooner after the end than this continues the event. */
  readonly mergeMs: number;
  /** Maximum of new events of the type in an hour; further ones are counted in the latest one. */
  readonly eventsAnHour: number;
  /** Id of the configured rule; 0 for none. */
  readonly rule: number;
}

export const MERGE_WINDOW_MS = 60_000;
export const EVENTS_AN_HOUR = 30;
