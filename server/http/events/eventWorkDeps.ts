import type { EventCounts } from '../../../shared/protocol/api/events.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { EventScope } from '../../store/events/list/eventFilter.ts';
import type { Stores } from '../../store/stores.ts';
import type { CallerScope } from '../kernel/callerScope.ts';

export interface EventWorkDeps {
  readonly stores: Pick<
    Stores,
    'eventActs' | 'eventAssignees' | 'eventFilters' | 'eventList' | 'eventMedia' | 'eventReasons' | 'eventTypes'
  >;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  /** Counts of the events that are open now, whenever they began. */
  readonly eventCountsOf: (scope: EventScope) => Promise<EventCounts>;
  readonly bus: Pick<ChangeBus, 'eventsActed' | 'messagesChanged'>;
  readonly now: () => WallMs;
}

export const EVENT_ACCESS = { kind: 'permissions', all: [Permission.Event] } as const;

/** Events of the gateway itself are for administrators. */
export function eventScopeOf({ memberGroup, isAdministrator }: CallerScope): EventScope {
  return { memberGroup, seesGateway: isAdministrator };
}
