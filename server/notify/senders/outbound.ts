// The basis of every transport: the guard of addresses, limits on time and size, and one form of errors.
import { followSignal } from '../../faults/followingSignal.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { runAfter } from '../../faults/timers.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Conversation, OpenedSender, OutgoingMessage, SendResult, Transport } from '../outgoing.ts';
import type { Guard } from './guard/guard.ts';
import { createRedactor } from './redactor.ts';

/** Size of a web server's answer to a notification, and of one reply of a mail server. The rest isn't read, and the connection is ended. */
export const ANSWER_BYTES_LIMIT: Limit = { name: 'notify.answers.bytes', max: 2_048 };
const MAX_ANSWER_TEXT = 1_000;

export interface Outbound {
  readonly guard: Guard;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
  /** Time after which an attempt has failed, whatever the other side is doing. */
  readonly totalMs: number;
  /** How long a mail server may take for its steps; left out: `totalMs` for each. */
  readonly smtpTimes?: SmtpTimes;
  /** PEM of authorities beside those that Node.js knows; left out: none. */
  readonly authorities?: readonly string[];
}

export const TOTAL_MS = 30_000;
export interface SmtpTimes {
  /** Time for each answer before the message, and for the message itself. */
  readonly stepMs: number;
  /** Time for the answer to the end of the message. */
  readonly acceptMs: number;
  /** Part of `acceptMs` after which others need not wait any longer. */
  readonly slowMs: number;
}

/**
 * RFC 5321 (4.5.3.2.6) gives ten minutes after the final dot, since a server delivers the mail or scans it before it answers: a client that
 * gives up earlier gets the mail delivered twice. Before the dot nothing is accepted, and an attempt can be repeated.
 */
export const SMTP_TIMES: SmtpTimes = { stepMs: 60_000, acceptMs: 600_000, slowMs: 15_000 };
/** Time until a connection is made, including TLS. */
export const CONNECT_MS = 10_000;

/** One attempt of a transport. */
export interface Attempt {
  readonly message: OutgoingMessage;
  readonly sender: OpenedSender;
  /** Aborted by the caller, and when the time is over. */
  readonly signal: AbortSignal;
  readonly note: Conversation;
  /** Restarts the time: from now on the attempt may go on for this long. */
  readonly allow: (ms: number) => void;
  readonly onSlowAnswer: () => void;
}

/** The other side got the whole message, and didn't report the outcome. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** May reject: then the attempt has failed. Texts may contain secrets. */
export type Deliver = (attempt: Attempt) => Promise<SendResult>;

/** `longestMs`: for a transport whose steps have times of their own. */
export function createTransport(
  { totalMs, onFault }: Pick<Outbound, 'totalMs' | 'onFault'>,
  deliver: Deliver,
  longestMs?: number,
): Transport {
  return {
    longestMs,
    send: async (message, sender, { signal, note, onSlowAnswer = ignored, longestMs: mostMs }) => {
      if (sender.isSecretLost === true) return failed(SECRET_LOST);
      const redact = createRedactor(sender);
      const { signal: limited, abort, release } = followSignal(signal);
      const after = (ms: number): (() => void) =>
        runAfter(ms, () => abort(new TimeIsOver(`no answer within ${ms / 1_000} s`)), onFault);
      const time = limitTime(totalMs, mostMs, after);
      const clean = (text: string): string => answerText(redact(text));
      const noteClean: Conversation = (side, text) => note?.(side, clean(text));
      try {
        const attempt = { message, sender, signal: limited, note: noteClean, allow: time.allow, onSlowAnswer };
        const result = await deliver(attempt);
        return { ...result, answer: clean(result.answer) };
      } catch (error) {
        const isUnknown = error instanceof Unanswered;
        const text = limited.aborted ? abortText(limited) : faultText(error);
        const reason = clean(isUnknown ? `${text}; ${MAY_HAVE_ARRIVED}` : text);
        noteClean('note', reason);
        return { outcome: isUnknown ? 'unknown' : 'retry', answer: reason };
      } finally {
        time.end();
        release();
      }
    },
  };
}

interface AttemptTime {
  readonly allow: (ms: number) => void;
  readonly end: () => void;
}

/** `mostMs`: limit of the whole attempt, however often it gets more time. `after`: ends the attempt then. */
function limitTime(firstMs: number, mostMs: number | undefined, after: (ms: number) => () => void): AttemptTime {
  let isOver = false;
  let cancelStep = after(firstMs);
  const cancelAll = mostMs === undefined ? ignored : after(mostMs);
  return {
    allow: (ms) => {
      // A transport may hear from the other side again, for example when the connection is closed.
      if (isOver) return;
      cancelStep();
      cancelStep = after(ms);
    },
    end: () => {
      isOver = true;
      cancelStep();
      cancelAll();
    },
  };
}

const MAY_HAVE_ARRIVED = 'the other side has the whole message and may have taken it';
const ignored = (): void => undefined;
const SECRET_LOST = "the sender's secret can't be read any more; enter it again";

function failed(answer: string): SendResult {
  return { outcome: 'retry', answer };
}

class TimeIsOver extends Error {}

function abortText({ reason }: { readonly reason: unknown }): string {
  return reason instanceof TimeIsOver ? reason.message : 'stopped before the other side answered';
}

/** The error in one line. */
export function faultText(error: unknown): string {
  // Several addresses were tried: each failed in its own way.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(faultText))].join('; ');
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}

/** On one line, and no longer than what is stored. */
export function answerText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return line.length <= MAX_ANSWER_TEXT ? line : `${cutText(line, MAX_ANSWER_TEXT - 1)}…`;
}

/** At most this many UTF-16 units, without half a character. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
