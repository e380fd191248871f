// Whether a report can be asked for like this.
import type { FastifyRequest } from 'fastify';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { MAX_REPORT_DAYS, type ReportParameters } from '../../../shared/protocol/api/reports/reports.ts';
import type { ReportKind } from '../../../shared/protocol/reports/reportWords.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { mayHaveReport } from '../../reports/kinds/list.ts';
import type { ReportScope } from '../../store/reports/reportScopes.ts';
import { callerOf } from '../kernel/caller.ts';
import { type Refusal, Refused, refusedFields } from '../kernel/envelope.ts';
import { ownerOf, type ReportRoutesDeps } from './reportDeps.ts';

const DAY_MS = 86_400_000;
/** A year of days has an hour more or less where the clocks change. */
const LONGEST_MS = MAX_REPORT_DAYS * DAY_MS + 2 * 3_600_000;

interface Asked {
  readonly kind: ReportKind;
  readonly parameters: ReportParameters;
}

/** Undefined where nothing is wrong. */
export async function refusalOfReport(
  request: FastifyRequest,
  { kind, parameters }: Asked,
  { stores }: Pick<ReportRoutesDeps, 'stores'>,
): Promise<Refusal | undefined> {
  if (!mayHaveReport(kind, callerOf(request).user.permissions)) return Refused.forbidden;
  const fields = faultsOfParameters(parameters);
  if (Object.keys(fields).length > 0) return refusedFields(fields);
  return refusalOfChoice(parameters, await stores.reportScopes.scopeOf(ownerOf(request).memberGroup));
}

/** Pure. A code for each field that is not as it must be. */
function faultsOfParameters({ period, fromMs, toMs, timeZone }: ReportParameters): Record<string, string> {
  const faults: Record<string, string> = {};
  if (timeZone === '' || !isTimeZone(timeZone)) faults.timeZone = 'unknown';
  const isRange = period === 'from-to' ? toMs > fromMs && toMs - fromMs <= LONGEST_MS : fromMs === 0 && toMs === 0;
  if (!isRange) faults.toMs = 'out-of-range';
  return faults;
}

/** A device of another member group is not there. */
function refusalOfChoice({ devices, deviceGroups }: ReportParameters, scope: ReportScope): Refusal | undefined {
  const seen = new Set(scope.devices.map(({ deviceId }) => deviceId));
  if (devices.some((device) => !seen.has(device))) return Refused.device;
  if (deviceGroups.every((group) => scope.deviceGroups.includes(group))) return undefined;
  return refusedFields({ deviceGroups: 'unknown' });
}

/** What the audit keeps: nothing of what narrows the report in no way. */
export function auditFieldsOfReport({ kind, parameters }: Asked): AuditFields {
  const given = Object.entries(parameters).filter(
    ([, value]) => value !== 0 && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { kind, ...Object.fromEntries(given) };
}
