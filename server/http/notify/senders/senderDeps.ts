import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { SecretBox } from '../../../auth/secretBox.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { OnLimit } from '../../../limits/limit.ts';
import type { SenderRefusal } from '../../../notify/acts/senders.ts';
import type { Transports } from '../../../notify/outgoing.ts';
import type { Stores } from '../../../store/stores.ts';
import type { Refusal } from '../../kernel/envelope.ts';
import { recordRefusal } from '../../kernel/records/recordRoutes.ts';
import { showSender } from './senderShape.ts';

export interface SenderRoutesDeps {
  readonly stores: Pick<Stores, 'notifySenders' | 'audit'>;
  readonly secretBox: SecretBox;
  readonly transports: Transports;
  readonly onLimit: OnLimit;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

export const MAY_EDIT_SENDERS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Sender] },
} as const;

export const NO_SENDER = {
  status: 404,
  code: 'no-such-sender',
  message: "Sender not found, or you don't have access to it.",
} as const satisfies Refusal;
const SENDER_IN_USE = {
  status: 409,
  code: 'sender-in-use',
  message: 'Notification rules use this sender. Remove it from them, or turn it off instead of deleting it.',
} as const satisfies Refusal;
const TOO_MANY_SENDERS = {
  status: 409,
  code: 'too-many-senders',
  message: "You've reached the limit of senders. Delete one first.",
} as const satisfies Refusal;
export const TOO_MANY_TESTS = {
  status: 429,
  code: 'too-many-tests',
  message: 'Other tests of senders are running. Try again in a moment.',
} as const satisfies Refusal;

/** The refusal of a call that edits senders. */
export function refusalOfSender(refused: SenderRefusal): Refusal {
  if (refused.kind === 'used') return SENDER_IN_USE;
  const shown = refused.kind === 'conflict' ? { ...refused, current: showSender(refused.current) } : refused;
  return recordRefusal(shown, { gone: NO_SENDER, tooMany: TOO_MANY_SENDERS });
}
