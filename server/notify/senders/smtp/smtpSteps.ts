// The progress of a conversation with a mail server, from nodemailer's log: each step has its own time.

import type { OnFault } from '../../../faults/onFault.ts';
import { runAfter } from '../../../faults/timers.ts';
import type { Conversation } from '../../outgoing.ts';
import type { Attempt, SmtpTimes } from '../outbound.ts';

export interface SmtpSteps {
  /** To be called with each line of the conversation. */
  readonly note: Conversation;
  /** Whether the final dot was sent, and there is no answer to it. */
  readonly isUnanswered: boolean;
  stop(): void;
}

export function followSmtpSteps(
  { note, allow, onSlowAnswer }: Pick<Attempt, 'note' | 'allow' | 'onSlowAnswer'>,
  times: SmtpTimes,
  onFault: OnFault,
): SmtpSteps {
  let state: 'before' | 'unanswered' | 'answered' = 'before';
  let cancelSlow = (): void => undefined;
  allow(times.stepMs);
  return {
    note: (side, text) => {
      note(side, text);
      // The gateway's only line of this kind is written when all of the message has been handed over.
      if (side === 'note' && state === 'before') {
        state = 'unanswered';
        allow(times.acceptMs);
        cancelSlow = runAfter(times.slowMs, onSlowAnswer, onFault);
        return;
      }
      if (side === 'server' && state === 'unanswered') {
        state = 'answered';
        cancelSlow();
      }
      allow(times.stepMs);
    },
    get isUnanswered() {
      return state === 'unanswered';
    },
    stop: () => cancelSlow(),
  };
}
