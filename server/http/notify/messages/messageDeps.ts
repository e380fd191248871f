import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangedMessage } from '../../../store/notify/outbox/messageActs.ts';
import type { Stores } from '../../../store/stores.ts';

export interface NotifyMessageDeps {
  readonly stores: Pick<Stores, 'notifyMessages' | 'notifyMessageActs'>;
  /** Members have changed these in the database. */
  readonly messagesActed: (changed: readonly ChangedMessage[]) => void;
  readonly now: () => WallMs;
}

export const MESSAGE_ACCESS = { kind: 'permissions', all: [Permission.System, Permission.EventNotifyConfig] } as const;
