import { Permission } from '../../../shared/protocol/permissions.ts';
import type { Stores } from '../../store/stores.ts';

export interface EventDefineDeps {
  readonly stores: Pick<Stores, 'eventTypes' | 'eventReasons'>;
}

export const MAY_DEFINE_EVENTS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.EventDefine] },
} as const;
