// How users want to be notified, and which of their browsers may be.
import {
  OWN_NOTIFY_PATH,
  OWN_PUSH_PATH,
  OwnNotify,
  type OwnNotifyContent,
  type PushSubscriptionContent,
} from '../../protocol/api/notify/ownNotify.ts';
import { Nothing } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

export function getOwnNotify(signal?: AbortSignal): Promise<ApiResult<OwnNotify>> {
  return requestRecord(OWN_NOTIFY_PATH, OwnNotify, { signal });
}

export function saveOwnNotify(content: OwnNotifyContent): Promise<ApiResult<OwnNotify>> {
  return requestRecord(OWN_NOTIFY_PATH, OwnNotify, { method: 'PUT', body: content });
}

export function allowBrowser(subscription: PushSubscriptionContent): Promise<ApiResult<unknown>> {
  return requestRecord(OWN_PUSH_PATH, Nothing, { method: 'POST', body: subscription });
}

export function removeBrowser(id: number): Promise<ApiResult<unknown>> {
  return requestRecord(`${OWN_PUSH_PATH}/${id}`, Nothing, { method: 'DELETE' });
}
