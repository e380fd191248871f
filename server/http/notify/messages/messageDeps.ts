import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { Stores } from '../../../store/stores.ts';

export interface NotifyMessageDeps {
  readonly stores: Pick<Stores, 'notifyMessages' | 'notifyMessageActs'>;
  readonly bus: Pick<ChangeBus, 'messagesChanged'>;
  readonly now: () => WallMs;
}

export const MESSAGE_ACCESS = { kind: 'permissions', all: [Permission.System, Permission.EventNotifyConfig] } as const;
