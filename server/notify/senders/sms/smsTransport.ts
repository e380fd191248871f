// Hands messages to an SMS gateway over HTTP.
import type { SmsSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Transport } from '../../outgoing.ts';
import { addressOf } from '../addressOf.ts';
import { guardedRequest } from '../http/guardedRequest.ts';
import { answerLine, resultOf } from '../http/httpOutcome.ts';
import { createTransport, type Outbound } from '../outbound.ts';
import { smsRequest } from './smsRequest.ts';

const PHONE = /^\+?\d{3,20}$/;

export function createSmsTransport(outbound: Outbound): Transport {
  return createTransport(outbound, async ({ message, sender, signal, note }) => {
    const to = addressOf(message.destination);
    if (!PHONE.test(to)) return { outcome: 'refused', answer: 'the recipient has no phone number' };
    const { secret } = sender;
    const settings = sender.settings as SmsSettings;
    const request = smsRequest(settings, { secret, to, text: message.body, key: message.key });
    // Written as it is sent, with a mask for the secret itself: each place has its own encoding.
    const shown = smsRequest(settings, { secret: '•••', to, text: message.body, key: message.key });
    note('gateway', `${shown.method} ${settings.url}`);
    for (const [name, value] of Object.entries(shown.headers)) note('gateway', `${name}: ${value}`);
    note('gateway', String(shown.body));
    const answer = await guardedRequest(request, outbound, signal);
    note('server', answerLine(answer));
    return resultOf(answer);
  });
}
