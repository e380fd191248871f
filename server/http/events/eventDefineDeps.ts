import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Stores } from '../../store/stores.ts';
import type { PermissionsAccess } from '../kernel/access.ts';

export interface EventDefineDeps {
  readonly stores: Pick<Stores, 'eventTypes' | 'eventReasons'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

export const EVENT_DEFINE_ACCESS: PermissionsAccess = {
  kind: 'permissions',
  all: [Permission.System, Permission.EventDefine],
};
export const MAY_DEFINE_EVENTS = { access: EVENT_DEFINE_ACCESS } as const;
