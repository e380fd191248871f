// Whether a report can be asked for like this.
import type { AuditFields } from '../../shared/protocol/api/audit.ts';
import { MAX_REPORT_DAYS, type ReportParameters } from '../../shared/protocol/api/reports/reports.ts';
import type { ReportKind } from '../../shared/protocol/reports/reportWords.ts';
import { isTimeZone } from '../../shared/protocol/timeZones.ts';
import { type Actor, type ContentRefusal, refusalOfFields } from '../records/recordActs.ts';
import type { ReportScope, ReportScopeStore } from '../store/reports/reportScopes.ts';
import { mayHaveReport } from './kinds/list.ts';

/** Codes of refusals beside those of fields. A device of another member group is not there. */
export type ReportRefusalCode = 'forbidden' | 'no-such-device';
type ReportRefusal = ContentRefusal<ReportRefusalCode> | undefined;

const DAY_MS = 86_400_000;
/** A year of days has an hour more or less where the clocks change. */
const LONGEST_MS = MAX_REPORT_DAYS * DAY_MS + 2 * 3_600_000;

interface Asked {
  readonly kind: ReportKind;
  readonly parameters: ReportParameters;
}

/** Undefined where nothing is wrong. */
export async function refusalOfReport(
  { kind, parameters }: Asked,
  { permissions, memberGroup }: Pick<Actor, 'permissions' | 'memberGroup'>,
  scopes: Pick<ReportScopeStore, 'scopeOf'>,
): Promise<ReportRefusal> {
  if (!mayHaveReport(kind, permissions)) return { kind: 'own', code: 'forbidden' };
  const faults = refusalOfFields(faultsOfParameters(parameters));
  return faults ?? refusalOfChoice(parameters, await scopes.scopeOf(memberGroup));
}

/** Pure. A code for each field that is not as it must be. */
function faultsOfParameters({ period, fromMs, toMs, timeZone }: ReportParameters): Record<string, string> {
  const faults: Record<string, string> = {};
  if (timeZone === '' || !isTimeZone(timeZone)) faults.timeZone = 'unknown';
  const isRange = period === 'from-to' ? toMs > fromMs && toMs - fromMs <= LONGEST_MS : fromMs === 0 && toMs === 0;
  if (!isRange) faults.toMs = 'out-of-range';
  return faults;
}

function refusalOfChoice({ devices, deviceGroups }: ReportParameters, scope: ReportScope): ReportRefusal {
  const seen = new Set(scope.devices.map(({ deviceId }) => deviceId));
  if (devices.some((device) => !seen.has(device))) return { kind: 'own', code: 'no-such-device' };
  const seesGroups = deviceGroups.every((group) => scope.deviceGroups.includes(group));
  return refusalOfFields(seesGroups ? {} : { deviceGroups: 'unknown' });
}

/** What the audit keeps: nothing of what narrows the report in no way. */
export function auditFieldsOfReport({ kind, parameters }: Asked): AuditFields {
  const given = Object.entries(parameters).filter(
    ([, value]) => value !== 0 && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { kind, ...Object.fromEntries(given) };
}
