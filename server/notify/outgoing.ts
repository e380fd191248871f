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
  /** What the other side has asked to wait for before another attempt; left out: nothing. */
  readonly retryAfterMs?: number | undefined;
  /** It has asked for no other message before, either. */
  readonly isBusy?: boolean | undefined;
}

/** Notes what both sides say, for a test that an administrator makes; it is told no secrets. */
export type Conversation = (side: 'gateway' | 'server' | 'note', text: string) => void;

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly note?: Conversation | undefined;
  /** Told once, when the other side has the whole message and has not answered for some time. The attempt goes on. */
  readonly onSlowAnswer?: (() => void) | undefined;
  /** No attempt takes longer; left out: as long as the transport allows. */
  readonly longestMs?: number | undefined;
}

export interface Transport {
  /** By then an attempt has ended, whatever the other side does; left out: 30 s. */
  readonly longestMs?: number | undefined;
  /** Never rejects for what the other side or the network does; ends soon after the signal. */
  send(message: OutgoingMessage, sender: OpenedSender, options: SendOptions): Promise<SendResult>;
}

export type Transports = Readonly<Record<SenderKind, Transport>>;
