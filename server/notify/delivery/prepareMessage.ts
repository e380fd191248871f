// Decides about a message that is due: send it, postpone it, or end it.
import type { CancelReason } from '../../../shared/protocol/notify/notifyWords.ts';
import { isPersonal } from '../../../shared/protocol/notify/notifyWords.ts';
import { faultOf } from '../../faults/onFault.ts';
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import type { Destination, OutgoingMessage } from '../outgoing.ts';
import type { Composed, DeliveryDeps } from './deliveryDeps.ts';
import { TOO_OLD_AFTER_MS } from './nextAttempt.ts';

export type Prepared =
  | { readonly kind: 'send'; readonly outgoing: OutgoingMessage }
  /** The message no longer waits. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'postpone'; readonly dueAtMs: number }
  | { readonly kind: 'end'; readonly state: 'failed' | 'canceled'; readonly answer: string }
  /** The message could not be composed; it may work later. */
  | { readonly kind: 'fault'; readonly answer: string };

type PrepareDeps = Pick<DeliveryDeps, 'queue' | 'contactOf' | 'compose' | 'now' | 'onFault'>;

export const TOO_OLD = 'It could not be sent within a day';
const NOT_MADE = 'The message could not be made';
/** Shortest wait of the composer, so that a message that is never ready keeps nothing busy. */
const MIN_WAIT_MS = 1_000;

export async function prepareMessage(message: StoredMessage, deps: PrepareDeps): Promise<Prepared> {
  const state = await deps.queue.stillDue(message);
  if (state === 'not-waiting') return { kind: 'skip' };
  if (deps.now() > message.firstDueAtMs + TOO_OLD_AFTER_MS) return { kind: 'end', state: 'failed', answer: TOO_OLD };
  if (state === 'gone') return canceled('event-gone');
  if (state === 'answered' && !message.isByHand) return canceled('answered');
  const composed = await compose(message, deps);
  if (composed === undefined) return { kind: 'fault', answer: NOT_MADE };
  if ('cancel' in composed) return canceled(composed.cancel);
  if ('wait' in composed) return { kind: 'postpone', dueAtMs: Math.max(composed.wait, deps.now() + MIN_WAIT_MS) };
  return { kind: 'send', outgoing: withKeptText(composed, message) };
}

function canceled(answer: CancelReason | string): Prepared {
  return { kind: 'end', state: 'canceled', answer };
}

/** Members are looked up again: they may have left the group since the message was written. */
function destinationOf(message: StoredMessage, { contactOf }: PrepareDeps): Destination | string {
  const { userId, address, kind, memberGroup, rule } = message;
  if (userId === undefined) return address === '' ? { to: 'service' } : { to: 'address', address };
  if (!isPersonal(kind)) return { to: 'service' };
  const ofGateway = message.archiveNumber === 0;
  const contact = contactOf(userId, { kind, memberGroup, ofGateway, rule });
  return typeof contact === 'string' ? contact : { to: 'member', ...contact };
}

/** Undefined: the message could not be composed, which was reported. */
async function compose(message: StoredMessage, deps: PrepareDeps): Promise<Composed | undefined> {
  try {
    const destination = destinationOf(message, deps);
    if (typeof destination === 'string') return { cancel: destination };
    return await deps.compose(message, destination);
  } catch (cause) {
    deps.onFault(faultOf(`the message ${message.id} could not be made`, cause));
    return undefined;
  }
}

/** A later attempt has the same text as the first one. The HTML part is made again: it is not stored. */
function withKeptText(composed: OutgoingMessage, { key, subject, body }: StoredMessage): OutgoingMessage {
  return subject !== '' || body !== '' ? { ...composed, key, subject, body } : { ...composed, key };
}
