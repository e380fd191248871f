// The data that parts of the notifications pass on: the composer words a stored message, a transport delivers it.
import type { Severity } from '../../shared/protocol/events/eventWords.ts';
import type { Locale } from '../../shared/protocol/locale.ts';
import type { AttemptOutcome, SenderKind } from '../../shared/protocol/notify/notifyWords.ts';

/** How a member is reached at present. */
export interface Contact {
  readonly userId: number;
  readonly name: string;
  /** Mail address or phone number; '' for push. */
  readonly address: string;
  readonly language: Locale;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
}

export type Destination =
  | { readonly to: 'service' }
  | { readonly to: 'address'; readonly address: string }
  | ({ readonly to: 'member' } & Contact);

export interface OutgoingMessage {
  /** Key that is the same in every attempt. */
  readonly key: string;
  readonly destination: Destination;
  /** '' where the kind has none. */
  readonly subject: string;
  readonly body: string;
  /** HTML part of a mail. */
  readonly html?: string | undefined;
  /** Picture of a mail, which the HTML part names by `cid:` and the file name. At most 500 KB. */
  readonly picture?: { readonly fileName: string; readonly contentType: string; readonly data: Buffer } | undefined;
  /** File beside the text of a mail. */
  readonly attachment?: { readonly fileName: string; readonly contentType: string; readonly data: Buffer } | undefined;
  /** Link to the event, for push; '' without PUBLIC_URL. */
  readonly link: string;
  readonly severity: Severity;
  readonly eventAtMs: number;
  /** Structured data of syslog; left out of a test. */
  readonly facts?:
    | {
        readonly eventId: number;
        /** '' for an event of the gateway itself. */
        readonly deviceId: string;
        /** Code of the event type. */
        readonly type: string;
      }
    | undefined;
}

/** A sender with its secret opened: never logged, never part of an answer. */
export interface OpenedSender {
  readonly id: number;
  readonly name: string;
  readonly kind: SenderKind;
  /** SENDER_SETTINGS of the kind. */
  readonly settings: unknown;
  /** '' for none. */
  readonly secret: string;
  /** Whether there is a secret that was sealed with another key: nothing can be sent until it is entered again. */
  readonly isSecretLost?: boolean | undefined;
}

export interface SendResult {
  readonly outcome: AttemptOutcome;
  /** The answer of the other side or the error of the connection, at most 1,000 characters, without secrets. */
  readonly answer: string;
  /** The wait before another attempt that the other side has asked for; left out: none. */
  readonly retryAfterMs?: number | undefined;
  /** Whether it wants no other message before, either. */
  readonly isBusy?: boolean | undefined;
}

/** Notes the messages of both sides, for a test that an administrator makes; it gets no secrets. */
export type Conversation = (side: 'gateway' | 'server' | 'note', text: string) => void;

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly note?: Conversation | undefined;
  /** Called once, when the other side has the whole message and has not answered for some time. The attempt goes on. */
  readonly onSlowAnswer?: (() => void) | undefined;
  /** Maximum duration of the attempt; left out: as long as the transport allows. */
  readonly longestMs?: number | undefined;
}

export interface Transport {
  /** Time by which an attempt has ended, whatever the other side does; left out: 30 s. */
  readonly longestMs?: number | undefined;
  /** Doesn't reject because of the other side or the network; ends soon after the signal. */
  send(message: OutgoingMessage, sender: OpenedSender, options: SendOptions): Promise<SendResult>;
}

export type Transports = Readonly<Record<SenderKind, Transport>>;
