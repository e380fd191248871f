// Shows a message in the browsers of a member: each has a push service that is asked to deliver it.
import type { PushSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { SendResult, Transport } from '../../outgoing.ts';
import { guardedRequest } from '../http/guardedRequest.ts';
import { answerLine, outcomeOf } from '../http/httpOutcome.ts';
import { type Attempt, createTransport, faultText, type Outbound } from '../outbound.ts';
import { createAddressRedactor } from '../redactor.ts';
import type { OpenedSubscription, PushBrowsers } from './pushBrowsers.ts';
import { type PushOrigin, pushRequest } from './pushRequest.ts';
import type { VapidKeys } from './vapidKeys.ts';

export interface PushDeps extends Outbound {
  readonly browsers: Pick<PushBrowsers, 'subscriptionsOf' | 'forget' | 'noteUsed'>;
  readonly vapidKeys: () => Promise<VapidKeys>;
}

const NO_BROWSER: SendResult = { outcome: 'refused', answer: 'the member has no browser that takes notifications' };

export function createPushTransport(deps: PushDeps): Transport {
  return createTransport(deps, async (attempt) => {
    const { destination } = attempt.message;
    if (destination.to !== 'member') return NO_BROWSER;
    const subscriptions = await deps.browsers.subscriptionsOf(destination.userId);
    const origin = { keys: await deps.vapidKeys(), contact: (attempt.sender.settings as PushSettings).contact };
    const each = await Promise.all(subscriptions.map((browser) => tell(browser, attempt, { deps, origin })));
    return resultOfAll(each);
  });
}

/** Sent if at least one browser accepted it: the others must not show it twice because of one that fails. */
function resultOfAll(each: readonly BrowserResult[]): SendResult {
  const taken = each.filter(({ outcome }) => outcome === 'sent');
  const known = each.filter(({ outcome }) => outcome !== 'gone');
  const answer = each.map((result) => result.answer).join('; ');
  if (taken.length > 0) return { outcome: 'sent', answer: `${taken.length} of ${each.length} browsers: ${answer}` };
  return known.length === 0 ? NO_BROWSER : { outcome: 'retry', answer };
}

/** `gone`: the browser doesn't accept notifications any more. */
interface BrowserResult {
  readonly outcome: 'sent' | 'gone' | 'failed';
  readonly answer: string;
}

interface Telling {
  readonly deps: PushDeps;
  readonly origin: PushOrigin;
}

async function tell(
  browser: OpenedSubscription,
  { message, signal, note }: Attempt,
  { deps, origin }: Telling,
): Promise<BrowserResult> {
  // The path is what allows sending to the browser.
  const { host } = new URL(browser.endpoint);
  const redact = createAddressRedactor(browser.endpoint);
  try {
    note('gateway', `POST to ${host}`);
    const answer = await guardedRequest(pushRequest(message, browser, origin), deps, signal);
    const said = redact(answerLine(answer));
    note('server', said);
    if (answer.status === 404 || answer.status === 410) {
      await deps.browsers.forget(browser.id);
      return { outcome: 'gone', answer: `${host}: gone` };
    }
    const isSent = outcomeOf(answer) === 'sent';
    if (isSent) await deps.browsers.noteUsed(browser.id);
    return { outcome: isSent ? 'sent' : 'failed', answer: `${host}: ${said}` };
  } catch (error) {
    note('note', `${host}: ${faultText(error)}`);
    return { outcome: 'failed', answer: `${host}: ${faultText(error)}` };
  }
}
