// Rules for which events are sent to whom.
import {
  DryRun,
  Explained,
  NOTIFY_CHOICES_PATH,
  NOTIFY_DRY_RUN_PATH,
  NOTIFY_EXPLAIN_PATH,
  NOTIFY_RULES_PATH,
  NotifyChoices,
  NotifyRule,
  type NotifyRuleContent,
} from '../../protocol/api/notify/notifyRules.ts';
import { Nothing } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

export function listNotifyRules(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<NotifyRule>>> {
  return requestList(NOTIFY_RULES_PATH, NotifyRule, query, signal);
}

/** Field codes of a refusal name parts of steps too: `steps.1.addresses`. */
export function addNotifyRule(content: NotifyRuleContent): Promise<ApiResult<NotifyRule>> {
  return requestRecord(NOTIFY_RULES_PATH, NotifyRule, { method: 'POST', body: content });
}

export function saveNotifyRule(
  { id, version }: Pick<NotifyRule, 'id' | 'version'>,
  content: NotifyRuleContent,
): Promise<ApiResult<NotifyRule>> {
  return requestRecord(`${NOTIFY_RULES_PATH}/${id}`, NotifyRule, { method: 'PUT', body: { ...content, version } });
}

export function removeNotifyRule({ id, version }: Pick<NotifyRule, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${NOTIFY_RULES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** A rule as another member has left it, from a refusal. */
export function readNotifyRule(rule: unknown): NotifyRule {
  return readRecord(NotifyRule, rule);
}

export function loadNotifyChoices(signal?: AbortSignal): Promise<ApiResult<NotifyChoices>> {
  return requestRecord(NOTIFY_CHOICES_PATH, NotifyChoices, { signal });
}

/** Code of a refusal: `no-such-event`. */
export function explainEvent(event: number, signal?: AbortSignal): Promise<ApiResult<Explained>> {
  return requestRecord(NOTIFY_EXPLAIN_PATH, Explained, { method: 'POST', body: { event }, signal });
}

/** What the rule would have sent; nothing is saved. */
export function dryRunRule(rule: NotifyRuleContent, signal?: AbortSignal): Promise<ApiResult<DryRun>> {
  return requestRecord(NOTIFY_DRY_RUN_PATH, DryRun, { method: 'POST', body: { rule }, signal });
}
