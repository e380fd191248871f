// The dependencies of the delivery: the outbox, the parts that compose and send messages, and its clock.

import type { PersonalKind } from '../../../shared/protocol/notify/notifyWords.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { After } from '../../faults/timers.ts';
import type { MessageQueueStore } from '../../store/notify/outbox/messageQueue.ts';
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import type { Contact, Destination, OpenedSender, OutgoingMessage, Transports } from '../outgoing.ts';
import type { DeliveryFigures } from './deliveryFigures.ts';
import type { SenderHealth } from './senderHealth.ts';

export interface DeliveringSender extends OpenedSender {
  readonly enabled: boolean;
  /** 0: no limit. */
  readonly perMinute: number;
}

/** The purpose for which a member is to be reached. */
interface ContactQuery {
  readonly kind: PersonalKind;
  readonly memberGroup: number;
  /** Whether the event is about the gateway itself, of which only members with `system` are notified. */
  readonly ofGateway: boolean;
  /** The rule, which may respect the member's own choices. */
  readonly rule: number;
}

export type Composed =
  | OutgoingMessage
  /** Not ready before that time. */
  | { readonly wait: number }
  /** Never ready, and why. */
  | { readonly cancel: string };

export interface DeliveryDeps {
  readonly queue: MessageQueueStore;
  /** A text gives the reason why the member can't be notified any more. */
  readonly contactOf: (userId: number, query: ContactQuery) => Contact | string;
  /** When a message that was just sent is repeated; undefined for never. */
  readonly repeatAt: (message: StoredMessage, sentAtMs: number) => number | undefined;
  readonly compose: (message: StoredMessage, destination: Destination) => Promise<Composed>;
  /** Undefined: the sender was deleted. */
  readonly openSender: (id: number) => Promise<DeliveringSender | undefined>;
  readonly transports: Transports;
  readonly health: SenderHealth;
  readonly figures: DeliveryFigures;
  readonly newKey: () => string;
  readonly now: () => number;
  readonly runAfter: After;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called with the ids of messages that have changed in the database. */
  readonly onChanged: (ids: readonly number[]) => void;
  readonly onFault: OnFault;
}
