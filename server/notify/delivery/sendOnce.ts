// One attempt by a transport, which ends in time whatever the other side, or the transport, does.
import { followSignal } from '../../faults/followingSignal.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { After } from '../../faults/timers.ts';
import type { OpenedSender, OutgoingMessage, SendResult, Transport } from '../outgoing.ts';

export const SEND_TIMEOUT_MS = 30_000;
/** Time for a transport to end after its signal. */
const ABORT_GRACE_MS = 2_000;

export interface SendDeps {
  /** Aborted when the gateway ends. */
  readonly closing: AbortSignal;
  readonly runAfter: After;
  readonly onFault: OnFault;
  readonly onSlowAnswer?: () => void;
}

const FAULT: SendResult = { outcome: 'retry', answer: 'The message could not be sent because of an internal fault' };

/** Never rejects. */
export async function sendOnce(
  transport: Transport,
  { message, sender }: { readonly message: OutgoingMessage; readonly sender: OpenedSender },
  { closing, runAfter, onFault, onSlowAnswer }: SendDeps,
): Promise<SendResult> {
  const longestMs = transport.longestMs ?? SEND_TIMEOUT_MS;
  const noAnswer: SendResult = { outcome: 'retry', answer: `No answer within ${longestMs / 1_000} s` };
  const { signal, abort, release } = followSignal(closing);
  const cancels: (() => void)[] = [release];
  const tooLate = new Promise<SendResult>((resolve) => {
    const end = (): void => void cancels.push(runAfter(ABORT_GRACE_MS, () => resolve(noAnswer)));
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  cancels.push(runAfter(longestMs, () => abort()));
  try {
    return await Promise.race([attempt(transport, { message, sender, signal, onFault, onSlowAnswer }), tooLate]);
  } finally {
    for (const cancel of cancels) cancel();
  }
}

interface Sending {
  readonly message: OutgoingMessage;
  readonly sender: OpenedSender;
  readonly signal: AbortSignal;
  readonly onFault: OnFault;
  readonly onSlowAnswer: (() => void) | undefined;
}

async function attempt(
  transport: Transport,
  { message, sender, signal, onFault, onSlowAnswer }: Sending,
): Promise<SendResult> {
  try {
    return await transport.send(message, sender, { signal, onSlowAnswer });
  } catch (cause) {
    onFault(faultOf(`a message could not be handed to the sender ${sender.id}`, cause));
    return FAULT;
  }
}
