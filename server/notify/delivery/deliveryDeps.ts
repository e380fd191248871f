// What the delivery is given: the outbox, the parts that word and carry messages, and its clock.

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

/** For what a member is to be reached. */
interface ContactQuery {
  readonly kind: PersonalKind;
  readonly memberGroup: number;
  /** Of an event of the gateway itself, of which only members with `system` are told. */
  readonly ofGateway: boolean;
  /** Which may respect the member's own choices. */
  readonly rule: number;
}

export type Composed =
  | OutgoingMessage
  /** Not yet: until then. */
  | { readonly wait: number }
  /** Never, and why. */
  | { readonly cancel: string };

export interface DeliveryDeps {
  readonly queue: MessageQueueStore;
  /** A text says why the member cannot be told any more. */
  readonly contactOf: (userId: number, query: ContactQuery) => Contact | string;
  /** When a message that was sent just now is repeated; undefined for never. */
  readonly repeatAt: (message: StoredMessage, sentAtMs: number) => number | undefined;
  readonly compose: (message: StoredMessage, destination: Destination) => Promise<Composed>;
  /** Undefined: it was deleted. */
  readonly openSender: (id: number) => Promise<DeliveringSender | undefined>;
  readonly transports: Transports;
  readonly health: SenderHealth;
  readonly figures: DeliveryFigures;
  readonly newKey: () => string;
  readonly now: () => number;
  readonly runAfter: After;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Messages that the database has otherwise than before. */
  readonly onChanged: (ids: readonly number[]) => void;
  readonly onFault: OnFault;
}
