// The parts of a kind of report. A kind is a file in kinds/, and a line in their list.

import type { RecordingPolicy } from '../../shared/protocol/api/deviceRecording.ts';
import type { ReportFilter } from '../../shared/protocol/api/reports/reports.ts';
import type { Permission } from '../../shared/protocol/permissions.ts';
import type { ReportColumnType, ReportKind } from '../../shared/protocol/reports/reportWords.ts';
import type { StoreDb } from '../store/engine/database.ts';
import type { ReportDevice } from './reportDevices.ts';

export interface ReportKindDefinition {
  readonly kind: ReportKind;
  readonly columns: readonly { readonly name: string; readonly type: ReportColumnType }[];
  readonly filters: readonly ReportFilter[];
  /** Bars of `value` summed by `by`; null for none. */
  readonly chart: { readonly by: string; readonly value: string } | null;
  /** The column of the moment that GPS Playback shows, a time or a day; '' for none. */
  readonly moment: string;
  /** Required permissions in addition to `report`. */
  readonly permissions: readonly Permission[];
  /** False: the report also makes sense for a member group without devices. */
  readonly needsDevices: boolean;
  /** Gives rows in the initial order of the table. */
  run(query: ReportQuery, sources: ReportSources): AsyncIterable<ReportBatch>;
}

export type ReportValue = string | number | null;

export interface ReportRowValues {
  /** '' for a row of no device. */
  readonly deviceId: string;
  /** Set in a row about a group; a reader who doesn't see the group doesn't see the row. */
  readonly deviceGroup?: number;
  /** Values in the order of the columns. Distances in meters, durations in milliseconds, data in bytes, shares from 0 to 1. */
  readonly values: readonly ReportValue[];
}

export interface ReportBatch {
  readonly rows: readonly ReportRowValues[];
  /** Progress of the report, 0 to 1. */
  readonly progress: number;
}

export interface ReportQuery {
  readonly kind: ReportKind;
  readonly memberGroup: number;
  /** Half open, by the gateway's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The devices that the member group sees and the parameters choose. */
  readonly devices: readonly ReportDevice[];
  /** Codes of event types; empty: all. */
  readonly eventTypes: readonly string[];
  readonly fences: readonly number[];
  readonly members: readonly number[];
  /** Shorter rows are left out. */
  readonly leastMs: number;
  readonly speedKmh: number;
  readonly nowMs: number;
}

/** Describes a place: names of geofences, or else coordinates. */
export type PlaceOf = (latitude: number, longitude: number) => string;

/** Values of a position, with the device's clock. */
export interface TrackSample {
  readonly deviceTimeMs: number;
  readonly isIgnitionOn: boolean;
  readonly fuelLiters: number | undefined;
  readonly cabinCelsius: number | undefined;
}

/** Gives samples of a half-open range, in the order of the device's clock. */
export type SamplesOf = (
  incarnation: number,
  range: { readonly fromMs: number; readonly toMs: number },
) => AsyncIterable<readonly TrackSample[]>;

export interface ReportSources {
  /** Takes single reading statements. */
  readonly db: StoreDb;
  readonly placeOf: PlaceOf;
  readonly samplesOf: SamplesOf;
  /** For devices without recording settings, until an administrator has set those for all devices. */
  readonly recordingPreset: RecordingPolicy;
  /** Overhead that the network adds to the data that devices transfer. */
  readonly overheadPercent: number;
}

/** For a member group without a geofence there. */
export function coordinates(latitude: number, longitude: number): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
