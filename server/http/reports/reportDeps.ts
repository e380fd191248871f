import type { FastifyRequest } from 'fastify';
import type { ReportJob } from '../../../shared/protocol/api/reports/reports.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { ReportJobs } from '../../reports/jobs/reportJobs.ts';
import { mayHaveReport } from '../../reports/kinds/list.ts';
import type { ReportRefusalCode } from '../../reports/parameterChecks.ts';
import type { ResultPlaces } from '../../reports/results/resultPlaces.ts';
import type { Results } from '../../reports/results/results.ts';
import type { StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { Stores } from '../../store/stores.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { type Refusal, Refused } from '../kernel/envelope.ts';

export interface ReportRoutesDeps {
  readonly stores: Pick<Stores, 'eventTypes' | 'notifySenderNames' | 'reportJobs' | 'reportSchedules' | 'reportScopes'>;
  readonly reports: ReportsForCalls;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly now: () => WallMs;
}

export interface ReportsForCalls {
  readonly jobs: Pick<ReportJobs, 'add' | 'cancel' | 'shown'>;
  readonly results: Results;
  /** Places for pages and charts; files use those of downloads. */
  readonly places: Pick<ResultPlaces, 'during'>;
}

export const MAY_REPORT = { access: { kind: 'permissions', all: [Permission.Report] } } as const;
/** Asks with a body, and changes no record. */
export const REPORT_ACT = { ...MAY_REPORT, changes: [] } as const;

export const NO_REPORT = {
  status: 404,
  code: 'no-such-report',
  message: "Report not found, or you don't have access to it.",
} as const;
export const TOO_MANY_REPORTS = {
  status: 429,
  code: 'too-many-reports',
  message: 'Too many of your reports are waiting. Cancel one, or wait until one is done.',
} as const;
export const TOO_MANY_QUESTIONS = {
  status: 429,
  code: 'too-many-report-pages',
  message: 'Too many pages of reports are being read. Try again in a moment.',
} as const;
export const REPORT_NOT_READY = {
  status: 409,
  code: 'report-not-ready',
  message: "The report isn't ready. Wait until it's done, or run it again.",
} as const;
export const REPORT_EXPIRED = {
  status: 404,
  code: 'report-expired',
  message: 'The result of this report was deleted. Run the report again.',
} as const;
export const REPORT_ENDED = {
  status: 409,
  code: 'report-ended',
  message: 'The report has already ended.',
} as const;
export const NO_SCHEDULE = {
  status: 404,
  code: 'no-such-report-schedule',
  message: "Schedule not found, or you don't have access to it.",
} as const;
export const TOO_MANY_SCHEDULES = {
  status: 409,
  code: 'too-many-report-schedules',
  message: "You've reached the limit of report schedules. Delete some that aren't needed first.",
} as const;

/** Reports that can't be asked for like this, beside their fields. */
export const REPORT_REFUSALS: Readonly<Record<ReportRefusalCode, Refusal>> = {
  forbidden: Refused.forbidden,
  'no-such-device': Refused.device,
};

/** A report belongs to its maker, in the member group that it was made in. */
export function ownerOf(request: FastifyRequest): { readonly userId: number; readonly memberGroup: number } {
  const { userId, memberGroup } = scopeOf(callerOf(request));
  return { userId, memberGroup };
}

/** The caller's own, of a kind that the caller may have now. */
export async function findJob(
  request: FastifyRequest,
  id: string | number,
  { stores }: Pick<ReportRoutesDeps, 'stores'>,
): Promise<StoredReportJob | undefined> {
  const job = await stores.reportJobs.find(Number(id), ownerOf(request));
  return job !== undefined && mayHaveReport(job.kind, callerOf(request).user.permissions) ? job : undefined;
}

/** `expiresAtMs` is 0 once the result is gone. */
export function showJob({ jobs }: Pick<ReportsForCalls, 'jobs'>, job: StoredReportJob): ReportJob {
  const { memberGroup: _, userId: __, file, expiresAtMs, ...shown } = jobs.shown(job);
  return { ...shown, expiresAtMs: file === '' ? wallMs(0) : expiresAtMs };
}
