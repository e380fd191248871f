// The delivery log.
import {
  MessagesChanged,
  NOTIFY_CANCEL_PATH,
  NOTIFY_COUNTS_PATH,
  NOTIFY_MESSAGES_PATH,
  NOTIFY_RESEND_PATH,
  NotifyCounts,
  NotifyMessage,
  NotifyMessageDetail,
} from '../../protocol/api/notify/notifyMessages.ts';
import type { RecordOf } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { requestRecord } from '../requestRecord.ts';

/** Filters: those of NotifyMessageFilters. */
export function listNotifyMessages(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<NotifyMessage>>> {
  return requestList(NOTIFY_MESSAGES_PATH, NotifyMessage, query, signal);
}

/** The message with its text and attempts. */
export function readNotifyMessage(id: number, signal?: AbortSignal): Promise<ApiResult<NotifyMessageDetail>> {
  return requestRecord(`${NOTIFY_MESSAGES_PATH}/${id}`, NotifyMessageDetail, { signal });
}

export function loadNotifyCounts(signal?: AbortSignal): Promise<ApiResult<NotifyCounts>> {
  return requestRecord(NOTIFY_COUNTS_PATH, NotifyCounts, { signal });
}

/** Messages that are waiting are left alone. MESSAGES_AT_ONCE at most. */
export function resendMessages(ids: readonly number[]): Promise<ApiResult<RecordOf<typeof MessagesChanged>>> {
  return requestRecord(NOTIFY_RESEND_PATH, MessagesChanged, { method: 'POST', body: { ids } });
}

/** Cancels only messages that are waiting. MESSAGES_AT_ONCE at most. */
export function cancelMessages(ids: readonly number[]): Promise<ApiResult<RecordOf<typeof MessagesChanged>>> {
  return requestRecord(NOTIFY_CANCEL_PATH, MessagesChanged, { method: 'POST', body: { ids } });
}
