// What every transport stands on: the guard of addresses, bounds on time and size, and one form of what went wrong.
import { followSignal } from '../../faults/followingSignal.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { runAfter } from '../../faults/timers.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Conversation, OpenedSender, OutgoingMessage, SendResult, Transport } from '../outgoing.ts';
import type { Guard } from './guard/guard.ts';
import { createRedactor } from './redactor.ts';

/** Of an HTTP answer, and of one reply of a mail server. */
export const ANSWER_BYTES_LIMIT: Limit = { name: 'notify.answers.bytes', max: 2_048 };
const MAX_ANSWER_TEXT = 1_000;

export interface Outbound {
  readonly guard: Guard;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
  /** After so long an attempt has failed, whatever the other side is doing. */
  readonly totalMs: number;
  /** PEM. Authorities beside those that Node.js knows; left out: none. */
  readonly authorities?: readonly string[];
}

export const TOTAL_MS = 30_000;
/** Until a connection is made, its TLS included. */
export const CONNECT_MS = 10_000;

/** One attempt of a transport. */
export interface Attempt {
  readonly message: OutgoingMessage;
  readonly sender: OpenedSender;
  /** Aborted by whoever sends, and when the time is over. */
  readonly signal: AbortSignal;
  readonly note: Conversation;
}

/** May reject: that is an attempt which failed. Texts may have secrets in them. */
export type Deliver = (attempt: Attempt) => Promise<SendResult>;

export function createTransport(
  { totalMs, onFault }: Pick<Outbound, 'totalMs' | 'onFault'>,
  deliver: Deliver,
): Transport {
  return {
    send: async (message, sender, { signal, note }) => {
      if (sender.isSecretLost === true) return failed(SECRET_LOST);
      const redact = createRedactor(sender);
      const { signal: limited, abort, release } = followSignal(signal);
      const cancel = runAfter(totalMs, () => abort(new TimeIsOver(`no answer within ${totalMs / 1_000} s`)), onFault);
      const clean = (text: string): string => answerText(redact(text));
      const noteClean: Conversation = (side, text) => note?.(side, clean(text));
      try {
        const { outcome, answer } = await deliver({ message, sender, signal: limited, note: noteClean });
        return { outcome, answer: clean(answer) };
      } catch (error) {
        const reason = clean(limited.aborted ? abortText(limited) : faultText(error));
        noteClean('note', reason);
        return failed(reason);
      } finally {
        cancel();
        release();
      }
    },
  };
}

const SECRET_LOST = "the sender's secret can't be read any more; enter it again";

function failed(answer: string): SendResult {
  return { outcome: 'retry', answer };
}

class TimeIsOver extends Error {}

function abortText({ reason }: { readonly reason: unknown }): string {
  return reason instanceof TimeIsOver ? reason.message : 'stopped before the other side answered';
}

/** What went wrong, in a line. */
export function faultText(error: unknown): string {
  // Several addresses were tried: each failed in its own way.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(faultText))].join('; ');
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}

/** On one line, and not longer than is kept. */
export function answerText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return line.length <= MAX_ANSWER_TEXT ? line : `${cutText(line, MAX_ANSWER_TEXT - 1)}…`;
}

/** At most so many UTF-16 units, and no half of a character. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
