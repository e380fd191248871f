import { Permission } from '../../../shared/protocol/permissions.ts';
import type { Stores } from '../../store/stores.ts';

export interface EventDefineDeps {
  readonly stores: Pick<Stores, 'eventTypes' | 'eventReasons'>;
  /** Makes events that begin from now on follow the types as they are stored. */
  readonly reloadEventTypes: () => Promise<void>;
}

export const MAY_DEFINE_EVENTS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.EventDefine] },
} as const;
