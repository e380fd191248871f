import type { BegunEvent } from '../../server/events/actions/eventActions.ts';
import { defaultValuesOf } from '../../server/events/config/ruleDefaults.ts';
import type { TrackedEvent } from '../../server/events/engine/trackedEvent.ts';
import { builtInRows } from '../../server/events/types/builtInRows.ts';
import type { EventRuleSettings } from '../../shared/protocol/events/eventRules.ts';
import { newTrackedEvent } from './newTrackedEvent.ts';

interface BegunOptions {
  readonly archiveNumber?: number;
  readonly event?: Partial<TrackedEvent>;
  /** Beside what holds where nothing is configured. */
  readonly values?: EventRuleSettings;
}

/** An event as the actions get it, number 5. */
export function begunEvent({ archiveNumber = 1, event = {}, values = {} }: BegunOptions = {}): BegunEvent {
  const device = { deviceId: `BUS${archiveNumber}`, incarnation: 1, archiveNumber };
  const tracked = newTrackedEvent({ device, ...event });
  const type = builtInRows().find(({ code }) => code === tracked.type);
  if (type === undefined) throw new Error(`no type ${tracked.type}`);
  return {
    event: { ...tracked, id: 5 },
    device,
    values: { ...defaultValuesOf({ ...type, version: 1 }), ...values },
  };
}
