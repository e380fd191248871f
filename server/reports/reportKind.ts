// What a kind of report is made of. A kind is a file in kinds/, and a line in their list.

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
  /** Beside `report`. */
  readonly permissions: readonly Permission[];
  /** False: there is such a report of a member group without devices too. */
  readonly needsDevices: boolean;
  /** In the order in which the table shows them at first. */
  run(query: ReportQuery, sources: ReportSources): AsyncIterable<ReportBatch>;
}

export type ReportValue = string | number | null;

export interface ReportRowValues {
  /** '' for a row of no device. */
  readonly deviceId: string;
  /** Of a row about a group; who doesn't see the group doesn't see the row. */
  readonly deviceGroup?: number;
  /** In the order of the columns. Distances in meters, durations in milliseconds, data in bytes, shares from 0 to 1. */
  readonly values: readonly ReportValue[];
}

export interface ReportBatch {
  readonly rows: readonly ReportRowValues[];
  /** How far the report is, 0 to 1. */
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
  /** Those that the member group sees and the parameters choose. */
  readonly devices: readonly ReportDevice[];
  /** Codes; empty: all. */
  readonly eventTypes: readonly string[];
  readonly fences: readonly number[];
  readonly members: readonly number[];
  /** Rows of less are left out. */
  readonly leastMs: number;
  readonly speedKmh: number;
  readonly nowMs: number;
}

/** A place in words: names of geofences, or else coordinates. */
export type PlaceOf = (latitude: number, longitude: number) => string;

/** Of a position, by the device's clock. */
export interface TrackSample {
  readonly deviceTimeMs: number;
  readonly isIgnitionOn: boolean;
  readonly fuelLiters: number | undefined;
  readonly cabinCelsius: number | undefined;
}

/** In the order of the device's clock, of a half-open range of it. */
export type SamplesOf = (
  incarnation: number,
  range: { readonly fromMs: number; readonly toMs: number },
) => AsyncIterable<readonly TrackSample[]>;

export interface ReportSources {
  /** Takes single statements that read. */
  readonly db: StoreDb;
  readonly placeOf: PlaceOf;
  readonly samplesOf: SamplesOf;
  /** Of devices without recording settings, until an administrator has set those of all. */
  readonly recordingPreset: RecordingPolicy;
  /** What the network adds to the data that devices transfer. */
  readonly overheadPercent: number;
}

/** For a member group whose geofences name nothing there. */
export function coordinates(latitude: number, longitude: number): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
