// The kinds of reports. Another one is a file beside these, a line here, its name in REPORT_KINDS and its texts in reportTexts.ts.
import type { ReportKind } from '../../../shared/protocol/reports/reportWords.ts';
import type { ReportKindDefinition } from '../reportKind.ts';
import { audit } from './audit.ts';
import { commands } from './commands.ts';
import { driverHours } from './driverHours.ts';
import { eventMatrix } from './eventMatrix.ts';
import { speeding, storageFaults, videoLoss } from './eventTimes.ts';
import { fenceVisits } from './fenceVisits.ts';
import { firmware } from './firmware.ts';
import { fuelAndTemperature } from './fuelAndTemperature.ts';
import { mileageByDay, mileageByMonth } from './mileage.ts';
import { netflow } from './netflow.ts';
import { online } from './online.ts';
import { passengers } from './passengers.ts';
import { recordingCoverage } from './recordingCoverage.ts';
import { responseTimes } from './responseTimes.ts';
import { idling, stops } from './stops.ts';
import { sync } from './sync.ts';
import { trips } from './trips.ts';

/** In the order in which they are offered. */
export const REPORT_DEFINITIONS: readonly ReportKindDefinition[] = [
  trips,
  stops,
  mileageByDay,
  mileageByMonth,
  idling,
  speeding,
  fenceVisits,
  driverHours,
  passengers,
  fuelAndTemperature,
  eventMatrix,
  responseTimes,
  online,
  recordingCoverage,
  videoLoss,
  storageFaults,
  commands,
  netflow,
  firmware,
  sync,
  audit,
];

const byKind = new Map(REPORT_DEFINITIONS.map((definition) => [definition.kind, definition]));

export function reportDefinition(kind: ReportKind): ReportKindDefinition {
  const definition = byKind.get(kind);
  if (definition === undefined) throw new RangeError(`no report is called ${kind}`);
  return definition;
}

/** Whether a member with these permissions may have a kind. `report` is asked for by the calls. */
export function mayHaveReport(kind: ReportKind, permissions: readonly string[]): boolean {
  return reportDefinition(kind).permissions.every((permission) => permissions.includes(permission));
}
