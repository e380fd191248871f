import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import { hasRule, suggestedSettings } from '../../../shared/protocol/events/ruleSettings.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import { EVENTS_AN_HOUR, MERGE_WINDOW_MS } from '../engine/typeSettings.ts';

export function defaultValues({ code, enabled, severity, snapshotChannels }: StoredEventType): EventRuleValues {
  const {
    threshold = null,
    clearThreshold = null,
    lowThreshold = null,
    durationSeconds = null,
  } = hasRule(code) ? suggestedSettings(code) : {};
  return {
    enabled,
    severity,
    threshold,
    clearThreshold,
    lowThreshold,
    durationSeconds,
    schedule: [],
    mergeSeconds: MERGE_WINDOW_MS / 1_000,
    eventsAnHour: EVENTS_AN_HOUR,
    recordChannels: [],
    recordSeconds: 60,
    snapshotChannels: [...snapshotChannels],
    requestsFiles: true,
    popUp: false,
    driverText: '',
    isSpoken: false,
    confirms: false,
  };
}
