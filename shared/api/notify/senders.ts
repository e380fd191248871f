// What carries messages. Secrets are sent and never read back.
import {
  type ChangedSender,
  SENDER_TEST_PATH,
  SENDERS_PATH,
  Sender,
  type SenderContent,
  type SenderTest,
  SenderTestResult,
} from '../../protocol/api/notify/senders.ts';
import { Nothing } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { requestRecord } from '../requestRecord.ts';

/** Filters: those of SenderFilters. */
export function listSenders(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<Sender>>> {
  return requestList(SENDERS_PATH, Sender, query, signal);
}

/** Fields of the settings are refused by their path: `settings.host`. */
export function addSender(sender: SenderContent): Promise<ApiResult<Sender>> {
  return requestRecord(SENDERS_PATH, Sender, { method: 'POST', body: sender });
}

export function saveSender(id: number, sender: ChangedSender): Promise<ApiResult<Sender>> {
  return requestRecord(`${SENDERS_PATH}/${id}`, Sender, { method: 'PUT', body: sender });
}

export function removeSender({ id, version }: Pick<Sender, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${SENDERS_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** Sends a real message. What goes wrong on its way is in the result; a failure is a call that was refused. */
export function testSender(test: SenderTest): Promise<ApiResult<SenderTestResult>> {
  return requestRecord(SENDER_TEST_PATH, SenderTestResult, { method: 'POST', body: test });
}
