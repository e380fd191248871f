// The use cases by which an import saves records: those that the calls of the pages have, in the name of the member who imports.
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import { createEventReasonActs, type EventReasonActs } from '../../../events/acts/reasons.ts';
import { createEventRuleActs, type EventRuleActs, type EventRuleStores } from '../../../events/acts/rules.ts';
import { createEventTypeActs, type EventTypeActs } from '../../../events/acts/types.ts';
import { createFenceActs, type FenceActs } from '../../../fences/acts/fences.ts';
import type { Actor } from '../../../records/recordActs.ts';
import type { Stores } from '../../../store/stores.ts';

/** What came of a record that was to be saved. `code`: the fault of a field, or that of the whole record. */
export type SavedPart =
  | { readonly ok: true; readonly id?: number | string }
  | { readonly ok: false; readonly code: string };

export interface PartActs {
  readonly fences: FenceActs;
  readonly eventTypes: EventTypeActs;
  readonly eventReasons: EventReasonActs;
  readonly eventRules: EventRuleActs;
}

/** Who saves, by which use cases. */
export interface PartSaver {
  readonly actor: Actor;
  readonly acts: PartActs;
}

export interface PartActsDeps {
  readonly stores: EventRuleStores & Pick<Stores, 'fences' | 'fenceReach' | 'eventTypes' | 'eventReasons'>;
  readonly bus: Pick<ChangeBus, 'listChanged' | 'recordsChanged'>;
  readonly now: () => WallMs;
}

export function createPartActs({ stores, bus, now }: PartActsDeps): PartActs {
  return {
    fences: createFenceActs({ store: stores.fences, reach: stores.fenceReach, bus, now }),
    eventTypes: createEventTypeActs({ store: stores.eventTypes, bus, now }),
    eventReasons: createEventReasonActs({ store: stores.eventReasons, bus, now }),
    eventRules: createEventRuleActs({ stores, bus, now }),
  };
}
