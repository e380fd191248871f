// One message for one browser: encrypted for it (RFC 8291) and signed for its push service (RFC 8292). Pure except for the keys with which
// each message is encrypted.
import webPush from 'web-push';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { OutgoingMessage } from '../../outgoing.ts';
import type { GuardedRequest } from '../http/guardedRequest.ts';
import { cutBytes } from '../syslog/syslogMessage.ts';
import type { OpenedSubscription } from './pushBrowsers.ts';
import type { VapidKeys } from './vapidKeys.ts';

/** Push services accept 4 KB including the encryption. */
const MAX_PAYLOAD_BYTES = 3_072;
/** A browser that is off for longer need not be notified any more. */
const TTL_SECONDS = 24 * 60 * 60;

const URGENCY = { critical: 'high', major: 'high', minor: 'normal', info: 'low' } as const satisfies Record<
  Severity,
  string
>;

/** Contact for the push service. */
export interface PushOrigin {
  readonly keys: VapidKeys;
  readonly contact: string;
}

export function pushRequest(
  message: OutgoingMessage,
  { endpoint, p256dh, auth }: OpenedSubscription,
  { keys, contact }: PushOrigin,
): GuardedRequest {
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payloadOf(message), {
    vapidDetails: { subject: contact, ...keys },
    TTL: TTL_SECONDS,
    urgency: URGENCY[message.severity],
    // A repeat replaces the one that waits for the browser.
    topic: message.key.replaceAll('-', '').slice(0, 32),
    contentEncoding: 'aes128gcm',
  });
  const { headers, body } = details as unknown as Pick<GuardedRequest, 'headers'> & { readonly body: Buffer };
  return { method: 'POST', url: endpoint, headers, body };
}

/** The content that the service worker shows; the body is cut until all of it fits. */
export function payloadOf({ subject, body, link, key }: OutgoingMessage): string {
  const title = cutBytes(subject, 512);
  const write = (text: string): string => JSON.stringify({ title, body: text, link, key });
  let text = cutBytes(body, MAX_PAYLOAD_BYTES);
  // JSON writes some characters longer than they are: the excess is only known once it is written.
  for (let over = excess(write(text)); over > 0 && text !== ''; over = excess(write(text))) {
    text = cutBytes(text, Math.max(0, Buffer.byteLength(text) - Math.max(1, Math.ceil(over / 6))));
  }
  return write(text);
}

function excess(payload: string): number {
  return Buffer.byteLength(payload) - MAX_PAYLOAD_BYTES;
}
