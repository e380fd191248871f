// Posts messages as JSON, signed so that the other side can verify their author and time (docs/notifications.md).
import { createHmac } from 'node:crypto';
import type { WebhookSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Transport } from '../../outgoing.ts';
import { guardedRequest } from '../http/guardedRequest.ts';
import { givenHeaders } from '../http/headers.ts';
import { answerLine, resultOf } from '../http/httpOutcome.ts';
import { type Attempt, createTransport, type Outbound } from '../outbound.ts';
import { SECRET_PLACEHOLDER } from '../sms/smsRequest.ts';

/** `now`: milliseconds since the epoch. */
export function createWebhookTransport(outbound: Outbound, now: () => number): Transport {
  return createTransport(outbound, async ({ message, sender, signal, note }: Attempt) => {
    const { url, headers } = sender.settings as WebhookSettings;
    const timestamp = Math.floor(now() / 1_000);
    const { body, key } = message;
    const given = givenHeaders(webhookHeaders(headers, sender.secret));
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': key,
      'x-fleetglass-timestamp': String(timestamp),
      ...(sender.secret === '' ? {} : { 'x-fleetglass-signature': signatureOf(sender.secret, timestamp, body) }),
    };
    note('gateway', `POST ${url}`);
    for (const [name, value] of Object.entries(own)) note('gateway', `${name}: ${value}`);
    // The values may be credentials.
    for (const name of Object.keys(given)) note('gateway', `${name}: •••`);
    note('gateway', body);
    const answer = await guardedRequest({ method: 'POST', url, headers: { ...given, ...own }, body }, outbound, signal);
    note('server', answerLine(answer));
    return resultOf(answer, now());
  });
}

/** Values may contain `{{secret}}`, for services that ask for a token and check no signature. */
function webhookHeaders(headers: WebhookSettings['headers'], secret: string): WebhookSettings['headers'] {
  return headers.map(({ name, value }) => ({ name, value: value.replaceAll(SECRET_PLACEHOLDER, () => secret) }));
}

/** `v1=` and the HMAC-SHA256 of seconds, a period and the body, in hex. */
function signatureOf(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
