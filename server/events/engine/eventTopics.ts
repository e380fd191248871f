// What happens to events inside the gateway, with those who follow it in the order in which they are called.
import { Topic } from '../../bus/topic.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Observation } from '../signals/signal.ts';
import type { StoredChange } from './eventWriter.ts';
import type { WatchedDevice } from './ruleRunner.ts';
import type { EventDevice } from './trackedEvent.ts';

const STORED = [
  'open pages',
  'pictures',
  'attachments',
  'clips',
  'actions of events',
  'clips from devices',
  'pop-ups',
] as const;
const OBSERVED = ['events'] as const;
const SETTINGS_RELOADED = ['rules'] as const;

interface Observed {
  readonly device: EventDevice;
  readonly observation: Observation;
}

export interface EventTopics {
  /** The changes of one transaction, in their order. */
  readonly stored: Topic<readonly StoredChange[], (typeof STORED)[number]>;
  /** What rules and geofences have found without a report. */
  readonly observed: Topic<Observed, (typeof OBSERVED)[number]>;
  /** All devices, with the settings that now apply to them. */
  readonly settingsReloaded: Topic<readonly WatchedDevice[], (typeof SETTINGS_RELOADED)[number]>;
}

export function createEventTopics(onFault: OnFault): EventTopics {
  const textOf = (what: string) => () => `a part of the gateway could not act on ${what}`;
  return {
    stored: new Topic({ followers: STORED, faultText: textOf('stored events'), onFault }),
    observed: new Topic({ followers: OBSERVED, faultText: textOf('an observation'), onFault }),
    settingsReloaded: new Topic({ followers: SETTINGS_RELOADED, faultText: textOf('settings of events'), onFault }),
  };
}
