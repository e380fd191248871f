// Data sync: rules, what is fetched, and what is where.
import { DownloadAddress } from '../protocol/api/lists.ts';
import {
  SYNC_ACT_PATH,
  SYNC_CALENDAR_PATH,
  SYNC_DAY_PATH,
  SYNC_FILE_PATH,
  SYNC_ITEMS_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncAct,
  SyncActed,
  SyncCalendar,
  SyncDay,
  SyncItem,
  type SyncRequest,
  SyncRequested,
  SyncRule,
  type SyncRuleContent,
} from '../protocol/api/sync/sync.ts';
import type { ApiResult } from './client.ts';
import { downloadAddressOf, type ListPage, type ListQuery, requestList } from './list.ts';
import { recordClient } from './recordClient.ts';
import { requestRecord } from './requestRecord.ts';

export const syncRules = recordClient<SyncRuleContent, typeof SyncRule>(SYNC_RULES_PATH, SyncRule);

export function listSyncItems(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<SyncItem>>> {
  return requestList(SYNC_ITEMS_PATH, SyncItem, query, signal);
}

/** How many of the items the act applied to. */
export function actOnSyncItems(act: SyncAct): Promise<ApiResult<{ readonly items: number }>> {
  return requestRecord(SYNC_ACT_PATH, SyncActed, { method: 'POST', body: act });
}

/** Numbers of the items that were made. */
export function requestSync(request: SyncRequest): Promise<ApiResult<SyncRequested>> {
  return requestRecord(SYNC_REQUEST_PATH, SyncRequested, { method: 'POST', body: request });
}

export interface CalendarQuestion {
  readonly deviceid: string;
  /** `YYYY-MM` in the time zone. */
  readonly month: string;
  readonly timeZone: string;
}

export function getSyncCalendar(question: CalendarQuestion, signal?: AbortSignal): Promise<ApiResult<SyncCalendar>> {
  return requestRecord(SYNC_CALENDAR_PATH, SyncCalendar, { query: { ...question }, signal });
}

export interface DayQuestion {
  readonly deviceid: string;
  /** `YYYY-MM-DD` in the time zone. */
  readonly day: string;
  readonly timeZone: string;
}

export function getSyncDay(question: DayQuestion, signal?: AbortSignal): Promise<ApiResult<SyncDay>> {
  return requestRecord(SYNC_DAY_PATH, SyncDay, { query: { ...question }, signal });
}

/** The address that the file is downloaded from, once. */
export async function startSyncFile(item: number): Promise<ApiResult<string>> {
  const result = await requestRecord(SYNC_FILE_PATH, DownloadAddress, { method: 'POST', body: { item } });
  return downloadAddressOf(SYNC_FILE_PATH, result);
}
