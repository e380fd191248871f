// Runs the configured actions when an event begins. A failure affects that action alone: the event is stored already.
import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { faultOf } from '../../faults/onFault.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { EventDevice, TrackedEvent } from '../engine/trackedEvent.ts';

/** An event that has just begun, with the device it is about. */
export interface BegunEvent {
  readonly event: TrackedEvent & { readonly id: number };
  readonly device: EventDevice;
  readonly values: EventRuleValues;
}

/** Does nothing where the action isn't configured. */
export type EventAction = (begun: BegunEvent) => Promise<void> | undefined;

export interface EventActionsDeps {
  readonly actionsOf: (device: EventDevice, type: string) => EventRuleValues | undefined;
  readonly actions: readonly EventAction[];
  readonly onFault: OnFault;
}

export class EventActions {
  readonly #deps: EventActionsDeps;

  constructor(deps: EventActionsDeps) {
    this.#deps = deps;
  }

  /** Late events are left out: they are over, so that there is nobody to warn and nothing to see. */
  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const { device } = event;
      if (kind !== 'begun' || device === undefined || event.isLate) continue;
      const values = this.#deps.actionsOf(device, event.type);
      if (values !== undefined) this.#act({ event, device, values });
    }
  }

  #act(begun: BegunEvent): void {
    const { actions, onFault } = this.#deps;
    for (const action of actions) {
      const fail = (cause: unknown): void => onFault(faultOf('an action of an event failed', cause));
      try {
        action(begun)?.catch(fail);
      } catch (cause) {
        fail(cause);
      }
    }
  }
}
