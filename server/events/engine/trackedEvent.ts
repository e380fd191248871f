// An event as the engine holds it while it lasts and may be continued. What members did with it is only in the database.
import type { EventSource, Severity } from '../../../shared/protocol/events/eventWords.ts';

/** Where the vehicle was. Coordinates 0, 0: not known. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined: not known. */
  readonly speedKmh: number | undefined;
  readonly headingDeg: number | undefined;
}

export const NOWHERE: Place = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };

export interface EventDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
}

/** Changed in place by its tracker alone. Times are by the gateway's clock; those of a late event by the device's. */
export interface TrackedEvent {
  /** Undefined until the database has it. */
  id: number | undefined;
  /** Undefined: the gateway itself. */
  readonly device: EventDevice | undefined;
  readonly type: string;
  readonly unit: number;
  readonly area: number;
  readonly severity: Severity;
  readonly source: EventSource;
  readonly beginAtMs: number;
  readonly deviceTimeMs: number;
  readonly place: Place;
  readonly driver: string;
  readonly rule: number;
  readonly isLate: boolean;
  readonly edition: string;
  /** Day where the device is, as a number such as 20261123. */
  readonly localDay: number;
  alarmMark: string;
  /** Bits of the origins that say it lasts; 0 once it has ended. */
  origins: number;
  /** 0 while it lasts. */
  endAtMs: number;
  lastSeenAtMs: number;
  endPlace: Place;
  /** How often it began. */
  count: number;
  /** The highest measured value; the lowest for a rule with a lower limit. */
  value: number | undefined;
  limit: number | undefined;
  /** The part of its duration that the daily counts include. */
  countedMs: number;
  /** The last `lastSeenAtMs` that was given to the database, which doesn't need every one. */
  writtenSeenMs: number;
  /** A member has closed it: the next report begins another event. */
  isAnswered: boolean;
  /** The database has it already from an earlier report: nothing of it is written. */
  isKnown?: boolean;
}
