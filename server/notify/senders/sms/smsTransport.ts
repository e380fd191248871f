// Hands messages to an SMS gateway over HTTP.
import type { SmsSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Transport } from '../../outgoing.ts';
import { addressOf } from '../addressOf.ts';
import { guardedRequest } from '../http/guardedRequest.ts';
import { answerLine, resultOf } from '../http/httpOutcome.ts';
import { createTransport, faultText, type Outbound, Unanswered } from '../outbound.ts';
import { smsRequest } from './smsRequest.ts';

const PHONE = /^\+?\d{3,20}$/;

/** `now`: milliseconds since the epoch. */
export function createSmsTransport(outbound: Outbound, now: () => number): Transport {
  return createTransport(outbound, async ({ message, sender, signal, note }) => {
    const to = addressOf(message.destination);
    if (!PHONE.test(to)) return { outcome: 'refused', answer: 'the recipient has no phone number' };
    const { secret } = sender;
    const settings = sender.settings as SmsSettings;
    const request = smsRequest(settings, { secret, to, text: message.body, key: message.key });
    // The request as it is sent, with a mask for the secret itself: each place has its own encoding.
    const shown = smsRequest(settings, { secret: '•••', to, text: message.body, key: message.key });
    note('gateway', `${shown.method} ${settings.url}`);
    for (const [name, value] of Object.entries(shown.headers)) note('gateway', `${name}: ${value}`);
    note('gateway', String(shown.body));
    let isWritten = false;
    const onWritten = (): void => {
      isWritten = true;
    };
    const answer = await guardedRequest(request, outbound, signal, onWritten).catch((error: unknown) => {
      // Not all gateways recognize a repeat by its key, and each text message is paid for.
      throw isWritten ? new Unanswered(faultText(error), { cause: error }) : error;
    });
    note('server', answerLine(answer));
    return resultOf(answer, now());
  });
}
