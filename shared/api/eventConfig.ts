// The calls for the configuration of events and for the alarm limits of devices.
import {
  ALARM_LIMITS_PATH,
  type ChangedAlarmLimits,
  type ChangedEventRule,
  DeviceAlarmLimits,
  EVENT_RULE_GROUPS_PATH,
  EVENT_RULE_PREVIEW_PATH,
  EVENT_RULES_PATH,
  EventRuleRow,
  EventRuleRows,
  RuleGroups,
  RulePreview,
  type RulePreviewRequest,
  type RuleScopeQuery,
} from '../protocol/api/eventConfig.ts';
import { type ApiResult, mapResult } from './client.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

/** Only the device groups that the caller sees. */
export function loadRuleGroups(signal?: AbortSignal): Promise<ApiResult<RuleGroups>> {
  return requestRecord(EVENT_RULE_GROUPS_PATH, RuleGroups, { signal });
}

export async function loadEventRules(
  place: RuleScopeQuery,
  signal?: AbortSignal,
): Promise<ApiResult<readonly EventRuleRow[]>> {
  const result = await requestRecord(EVENT_RULES_PATH, EventRuleRows, { query: place, signal });
  return mapResult(result, (rows) => rows as readonly EventRuleRow[]);
}

export async function saveEventRule(rule: ChangedEventRule): Promise<ApiResult<EventRuleRow>> {
  const result = await requestRecord(EVENT_RULES_PATH, EventRuleRow, { method: 'PUT', body: rule });
  return mapResult(result, (row) => row as EventRuleRow);
}

/** A rule as another administrator has left it, from a refusal. */
export function readEventRule(row: unknown): EventRuleRow {
  return readRecord(EventRuleRow, row) as EventRuleRow;
}

/** The events that the settings would have raised; nothing is saved. */
export function previewEventRule(request: RulePreviewRequest, signal?: AbortSignal): Promise<ApiResult<RulePreview>> {
  return requestRecord(EVENT_RULE_PREVIEW_PATH, RulePreview, { method: 'POST', body: request, signal });
}

export function loadAlarmLimits(deviceid: string, signal?: AbortSignal): Promise<ApiResult<DeviceAlarmLimits>> {
  return requestRecord(ALARM_LIMITS_PATH, DeviceAlarmLimits, { query: { deviceid }, signal });
}

/** Limits as another administrator has left them, from a refusal. */
export function readAlarmLimits(limits: unknown): DeviceAlarmLimits {
  return readRecord(DeviceAlarmLimits, limits);
}

/** Limits are sent at once or, while the terminal is offline, when it connects. */
export function sendAlarmLimits(change: ChangedAlarmLimits): Promise<ApiResult<DeviceAlarmLimits>> {
  return requestRecord(ALARM_LIMITS_PATH, DeviceAlarmLimits, { method: 'PUT', body: change });
}
