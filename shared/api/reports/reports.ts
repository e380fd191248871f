// Reports: kinds, jobs, results and schedules.
import { DOWNLOAD_PATH, DownloadAddress } from '../../protocol/api/lists.ts';
import type { RecordOf } from '../../protocol/api/records.ts';
import { Nothing } from '../../protocol/api/records.ts';
import {
  REPORT_CHART_PATH,
  REPORT_FILE_PATH,
  REPORT_JOBS_PATH,
  REPORT_KINDS_PATH,
  REPORT_RESULT_PATH,
  REPORT_SCHEDULES_PATH,
  REPORT_SENDERS_PATH,
  ReportChart,
  type ReportFile,
  ReportJob,
  ReportKinds,
  type ReportRequest,
  ReportResult,
  ReportSchedule,
  type ReportScheduleContent,
  ReportSenders,
  reportAgainPath,
  reportCancelPath,
  reportJobPath,
} from '../../protocol/api/reports/reports.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

/** The kinds available to the member. */
export function getReportKinds(signal?: AbortSignal): Promise<ApiResult<RecordOf<typeof ReportKinds>>> {
  return requestRecord(REPORT_KINDS_PATH, ReportKinds, { signal });
}

export function listReportJobs(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<ReportJob>>> {
  return requestList(REPORT_JOBS_PATH, ReportJob, query, signal);
}

/** Codes of a refusal: `too-many-reports`, `no-such-device`. */
export function runReport(request: ReportRequest): Promise<ApiResult<ReportJob>> {
  return requestRecord(REPORT_JOBS_PATH, ReportJob, { method: 'POST', body: request });
}

/** Code of a refusal, here and below: `no-such-report`. */
export function getReportJob(id: number, signal?: AbortSignal): Promise<ApiResult<ReportJob>> {
  return requestRecord(reportJobPath(id), ReportJob, { signal });
}

/** Code of a refusal: `report-ended`. */
export function cancelReport(id: number): Promise<ApiResult<ReportJob>> {
  return requestRecord(reportCancelPath(id), ReportJob, { method: 'POST' });
}

/** Returns the new report. */
export function runReportAgain(id: number): Promise<ApiResult<ReportJob>> {
  return requestRecord(reportAgainPath(id), ReportJob, { method: 'POST' });
}

export interface ReportResultPlace {
  readonly job: number;
  /** Name of the column to sort by; left out: the report's own order. */
  readonly sort?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  /** Cursors of an earlier answer. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Codes of a refusal: `report-not-ready`, `report-expired`, `too-many-report-pages`. */
export function getReportResult(place: ReportResultPlace, signal?: AbortSignal): Promise<ApiResult<ReportResult>> {
  const { search, ...query } = place;
  return requestRecord(REPORT_RESULT_PATH, ReportResult, { query: { ...query, search: search || undefined }, signal });
}

/** Codes of a refusal: as above. */
export function getReportChart(job: number, signal?: AbortSignal): Promise<ApiResult<ReportChart>> {
  return requestRecord(REPORT_CHART_PATH, ReportChart, { query: { job }, signal });
}

/** The address that the browser downloads the file from. It works once, and for a minute. */
export async function startReportFile(file: ReportFile): Promise<ApiResult<string>> {
  const result = await requestRecord(REPORT_FILE_PATH, DownloadAddress, { method: 'POST', body: file });
  if (!result.ok) return result;
  const { address } = result.value;
  // The browser opens the address on its own, so it must be a download on this site and nothing else.
  if (address.startsWith(`${DOWNLOAD_PATH}/`)) return { ok: true, value: address };
  return { ok: false, kind: 'http', status: 200, message: `${REPORT_FILE_PATH}: no address of a download` };
}

export function listReportSchedules(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<ReportSchedule>>> {
  return requestList(REPORT_SCHEDULES_PATH, ReportSchedule, query, signal);
}

export function addReportSchedule(content: ReportScheduleContent): Promise<ApiResult<ReportSchedule>> {
  return requestRecord(REPORT_SCHEDULES_PATH, ReportSchedule, { method: 'POST', body: content });
}

export function saveReportSchedule(
  { id, version }: Pick<ReportSchedule, 'id' | 'version'>,
  content: ReportScheduleContent,
): Promise<ApiResult<ReportSchedule>> {
  const body = { ...content, version };
  return requestRecord(`${REPORT_SCHEDULES_PATH}/${id}`, ReportSchedule, { method: 'PUT', body });
}

export function removeReportSchedule({
  id,
  version,
}: Pick<ReportSchedule, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${REPORT_SCHEDULES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** A schedule as another window has left it, from a refusal. */
export function readReportSchedule(schedule: unknown): ReportSchedule {
  return readRecord(ReportSchedule, schedule);
}

export function getReportSenders(signal?: AbortSignal): Promise<ApiResult<ReportSenders>> {
  return requestRecord(REPORT_SENDERS_PATH, ReportSenders, { signal });
}
