// Delivers one message that is due, and records the outcome.
import { faultOf } from '../../faults/onFault.ts';
import type { AttemptRecord } from '../../store/notify/outbox/recordAttempt.ts';
import type { PlannedMessage, StoredMessage } from '../../store/notify/plannedMessage.ts';
import type { SendResult } from '../outgoing.ts';
import type { DeliveringSender, DeliveryDeps } from './deliveryDeps.ts';
import { outcomeOf } from './deliveryFigures.ts';
import { heldMs, nextAttempt } from './nextAttempt.ts';
import { prepareMessage } from './prepareMessage.ts';
import { sendOnce } from './sendOnce.ts';

/** Pause between two attempts to record an outcome. */
const KEEP_AGAIN_MS = 5_000;

export interface DeliverOptions {
  readonly sender: DeliveringSender;
  /** Aborted when the gateway ends. */
  readonly closing: AbortSignal;
  /** Called just before the message goes to the other side. */
  readonly onBegin: () => void;
  /** Called when the other side has the message and is slow to answer. */
  readonly onSlowAnswer: () => void;
  /** Called when the other side wants no further message for this time. */
  readonly onHold: (holdMs: number) => void;
}

/** Rejects for a fault of the database, after which the message still waits. */
export function deliverMessage(given: StoredMessage, options: DeliverOptions, deps: DeliveryDeps): Promise<void> {
  // If a message is sent again by hand, the log keeps the old text until the new one goes out.
  return deliver(given.attempts > 0 ? given : { ...given, subject: '', body: '' }, options, deps);
}

async function deliver(message: StoredMessage, options: DeliverOptions, deps: DeliveryDeps): Promise<void> {
  const { queue, figures, onChanged, now } = deps;
  const prepared = await prepareMessage(message, deps);
  if (options.closing.aborted) return;
  switch (prepared.kind) {
    case 'skip':
      return;
    case 'postpone':
      await queue.postpone(message, prepared.dueAtMs);
      return onChanged([message.id]);
    case 'end': {
      const { state, answer } = prepared;
      if (!(await queue.finish(message, { state, answer, atMs: now() }))) return;
      figures.note(message.kind, state);
      return onChanged([message.id]);
    }
    case 'fault': {
      const failed: SendResult = { outcome: 'retry', answer: prepared.answer };
      const text = { subject: message.subject, body: message.body };
      return keep({ message, ...text, result: failed, beginMs: now(), concernsSender: false }, options, deps);
    }
    case 'send': {
      const { outgoing } = prepared;
      options.onBegin();
      const beginMs = now();
      const sending = { message: outgoing, sender: options.sender };
      const { closing, onSlowAnswer } = options;
      const result = await sendOnce(deps.transports[message.kind], sending, { ...deps, closing, onSlowAnswer });
      // A message that the gateway's end broke off still waits, and is sent under the same key after the start. A message that the other
      // side may have accepted is recorded, since the start would send it again at once.
      if (closing.aborted && result.outcome !== 'sent' && result.outcome !== 'unknown') return;
      if (result.isBusy === true) options.onHold(heldMs(result.retryAfterMs ?? 0));
      const { subject, body } = outgoing;
      return keep({ message, subject, body, result, beginMs, concernsSender: true }, options, deps);
    }
  }
}

interface Ended {
  readonly message: StoredMessage;
  readonly subject: string;
  readonly body: string;
  readonly result: SendResult;
  readonly beginMs: number;
  readonly concernsSender: boolean;
}

async function keep(ended: Ended, { closing }: DeliverOptions, deps: DeliveryDeps): Promise<void> {
  const { figures, health, onChanged, now } = deps;
  const { message, result, concernsSender } = ended;
  const endMs = now();
  const record = recordOf(ended, endMs, deps);
  const kept = await keepSurely(record, closing, deps);
  if (kept === undefined) return;
  if (concernsSender) health.note(message.sender, result.outcome, endMs);
  figures.note(message.kind, outcomeOf(record.next.state));
  if (record.next.state === 'sent') figures.sentAfter(endMs - message.firstDueAtMs);
  onChanged(kept.repeatId === undefined ? [message.id] : [message.id, kept.repeatId]);
}

function recordOf(ended: Ended, endMs: number, deps: DeliveryDeps): AttemptRecord {
  const { message, subject, body, result, beginMs, concernsSender } = ended;
  const { outcome, answer } = result;
  const next = nextAttempt({
    attempts: message.attempts + 1,
    firstDueAtMs: message.firstDueAtMs,
    nowMs: endMs,
    outcome: result.outcome,
    retryAfterMs: result.retryAfterMs ?? 0,
    random: deps.random(),
  });
  return {
    message,
    attempt: { atMs: beginMs, tookMs: Math.max(0, endMs - beginMs), outcome, answer, concernsSender },
    next: { state: next.state, dueAtMs: next.state === 'waiting' ? next.dueAtMs : 0 },
    subject,
    body,
    repeat: next.state === 'sent' ? repeatOf(message, endMs, deps) : undefined,
  };
}

function repeatOf(message: StoredMessage, sentAtMs: number, deps: DeliveryDeps): PlannedMessage | undefined {
  if (message.repeatMs === 0 || message.isByHand) return undefined;
  const dueAtMs = repeatDueMs(message, sentAtMs, deps);
  if (dueAtMs === undefined || dueAtMs > message.repeatUntilMs) return undefined;
  const key = deps.newKey();
  // No later event joins a repeat: it is about the same events.
  const digestKey = message.digestKey === '' ? '' : `repeat ${key}`;
  return { ...message, key, digestKey, createdAtMs: sentAtMs, dueAtMs, waitsQuiet: false };
}

/** A fault here must not undo that the message was sent. */
function repeatDueMs(message: StoredMessage, sentAtMs: number, { repeatAt, onFault }: DeliveryDeps) {
  try {
    return repeatAt(message, sentAtMs);
  } catch (cause) {
    onFault(faultOf(`the repeat of the message ${message.id} could not be planned`, cause));
    return undefined;
  }
}

/** Retries until the database has the outcome: a sent message without one would be sent again. Undefined: the gateway ended. */
async function keepSurely(record: AttemptRecord, closing: AbortSignal, { queue, runAfter, onFault }: DeliveryDeps) {
  for (;;) {
    try {
      return await queue.record(record);
    } catch (cause) {
      if (closing.aborted) return undefined;
      onFault(faultOf('what became of a message could not be kept', cause));
      await pause(KEEP_AGAIN_MS, closing, runAfter);
    }
  }
}

function pause(ms: number, closing: AbortSignal, runAfter: DeliveryDeps['runAfter']): Promise<void> {
  if (closing.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    // The signal lives as long as the gateway: it must not keep a listener of each pause.
    const end = (): void => {
      cancel();
      closing.removeEventListener('abort', end);
      resolve();
    };
    const cancel = runAfter(ms, end);
    closing.addEventListener('abort', end, { once: true });
  });
}
