import type { Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

/** A message as planned when its event is written; the columns of `notify_message` explain the fields. */
export interface PlannedMessage {
  readonly key: string;
  readonly memberGroup: number;
  readonly rule: number;
  readonly ruleName: string;
  readonly step: number;
  readonly sender: number;
  readonly senderName: string;
  readonly kind: SenderKind;
  readonly template: number;
  readonly language: Locale;
  /** Undefined for a service or a plain address. */
  readonly userId: number | undefined;
  readonly address: string;
  readonly recipient: string;
  readonly eventBeginAtMs: number;
  readonly archiveNumber: number;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly type: string;
  readonly severity: Severity;
  readonly digestKey: string;
  readonly waitsQuiet: boolean;
  readonly repeatMs: number;
  readonly repeatUntilMs: number;
  readonly createdAtMs: number;
  readonly dueAtMs: number;
}

/** A message that is written together with events. */
export interface EventMessage {
  /** Index of its event in the batch's `added`. */
  readonly event: number;
  readonly message: PlannedMessage;
  /** For a digest: the event joins no message that is due before this time. */
  readonly joinsFromMs: number;
}

/** A message that is in the database. */
export interface StoredMessage extends PlannedMessage {
  readonly id: number;
  readonly eventId: number;
  readonly events: number;
  readonly firstDueAtMs: number;
  /** Attempts since it was created, or was last sent again by hand. */
  readonly attempts: number;
  /** A member sent it again: it is sent whether its event is answered or not, and is not repeated. */
  readonly isByHand: boolean;
  /** Both '' until the first attempt. */
  readonly subject: string;
  readonly body: string;
}
