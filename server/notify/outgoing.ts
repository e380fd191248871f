// What is handed from one part of notifications to the next: the composer words a stored message, a transport delivers it.
import type { Severity } from '../../shared/protocol/events/eventWords.ts';
import type { Locale } from '../../shared/protocol/locale.ts';
import type { AttemptOutcome, SenderKind } from '../../shared/protocol/notify/notifyWords.ts';

/** Whom a member's message reaches, as of now. */
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
  /** The same in every attempt. */
  readonly key: string;
  readonly destination: Destination;
  /** '' where the kind has none. */
  readonly subject: string;
  readonly body: string;
  /** Of mail. */
  readonly html?: string | undefined;
  /** Of mail; the HTML part names it by `cid:` and its name. At most 500 KB. */
  readonly picture?: { readonly fileName: string; readonly contentType: string; readonly data: Buffer } | undefined;
  /** Of mail: a file beside the text. */
  readonly attachment?: { readonly fileName: string; readonly contentType: string; readonly data: Buffer } | undefined;
  /** To the event, for push; '' without PUBLIC_URL. */
  readonly link: string;
  readonly severity: Severity;
  readonly eventAtMs: number;
  /** Of syslog, in its structured data; left out of a test. */
  readonly facts?:
    | {
        readonly eventId: number;
        /** '' for an event of the gateway itself. */
        readonly deviceId: string;
        /** Code. */
        readonly type: string;
      }
    | undefined;
}

/** With its secret opened: never logged, never answered. */
export interface OpenedSender {
  readonly id: number;
  readonly name: string;
  readonly kind: SenderKind;
  /** SENDER_SETTINGS of the kind. */
  readonly settings: unknown;
  /** '' for none. */
  readonly secret: string;
  /** There is one, but it was sealed with another key: nothing can be sent until it is entered again. */
  readonly isSecretLost?: boolean | undefined;
}

export interface SendResult {
  readonly outcome: AttemptOutcome;
  /** What the other side or the connection said, at most 1,000 characters, without secrets. */
  readonly answer: string;
}

/** Notes what both sides say, for a test that an administrator makes; it is told no secrets. */
export type Conversation = (side: 'gateway' | 'server' | 'note', text: string) => void;

export interface Transport {
  /** Never rejects for what the other side or the network does; ends soon after the signal. */
  send(
    message: OutgoingMessage,
    sender: OpenedSender,
    options: { readonly signal: AbortSignal; readonly note?: Conversation },
  ): Promise<SendResult>;
}

export type Transports = Readonly<Record<SenderKind, Transport>>;
