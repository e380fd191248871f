// Whether a schedule may run. Pure.
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { ReportKind, ReportPause } from '../../../shared/protocol/reports/reportWords.ts';
import type { ReportMaker } from '../../store/reports/reportMakers.ts';
import { mayHaveReport, reportDefinition } from '../kinds/list.ts';

export interface ScheduleFacts {
  readonly kind: ReportKind;
  /** Undefined for somebody who does not belong to the member group any more. */
  readonly maker: ReportMaker | undefined;
  readonly seesDevices: boolean;
  readonly hasSender: boolean;
  readonly nowMs: number;
}

/** Why it does not run; '' where it does. */
export function pauseOf({ kind, maker, seesDevices, hasSender, nowMs }: ScheduleFacts): ReportPause {
  if (maker === undefined || !isActive(maker, nowMs)) return 'no-permission';
  if (!maker.permissions.includes(Permission.Report) || !mayHaveReport(kind, maker.permissions)) return 'no-permission';
  if (reportDefinition(kind).needsDevices && !seesDevices) return 'no-devices';
  return hasSender ? '' : 'no-sender';
}

function isActive({ disabled, expiresAtMs }: ReportMaker, nowMs: number): boolean {
  return !disabled && (expiresAtMs === 0 || expiresAtMs > nowMs);
}
