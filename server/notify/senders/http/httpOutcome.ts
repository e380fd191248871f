// The outcome of a message by the answer of a web server. Pure.
import type { SendResult } from '../../outgoing.ts';
import type { HttpAnswer } from './guardedRequest.ts';

/** Only `Gone` is final: everything else can be the fault of a server, or of settings that will be corrected. */
export function outcomeOf({ status }: Pick<HttpAnswer, 'status'>): SendResult['outcome'] {
  if (status >= 200 && status < 300) return 'sent';
  return status === 410 ? 'refused' : 'retry';
}

/** Result of an answer that came at the given time. */
export function resultOf(answer: HttpAnswer, nowMs: number): SendResult {
  const outcome = outcomeOf(answer);
  const result = { outcome, answer: answerLine(answer) };
  const retryAfterMs = outcome === 'retry' ? retryAfterMsOf(answer, nowMs) : 0;
  return retryAfterMs === 0 ? result : { ...result, retryAfterMs, isBusy: BUSY.has(answer.status) };
}

/** Statuses about the caller or the server, and not about the message. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Wait that `Retry-After` asks for (RFC 9110, 10.2.3): seconds, or a date on the clock of the other side. 0: none, or unreadable. */
export function retryAfterMsOf(
  { retryAfter = '', date = '' }: Pick<HttpAnswer, 'retryAfter' | 'date'>,
  nowMs: number,
): number {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const atMs = httpDateMs(text);
  if (Number.isNaN(atMs)) return 0;
  const sentAtMs = httpDateMs(date);
  return Math.max(0, atMs - (Number.isNaN(sentAtMs) ? nowMs : sentAtMs));
}

/** All three forms are in GMT; the oldest doesn't name it. */
function httpDateMs(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

export function answerLine({ status, reason, text }: HttpAnswer): string {
  const head = `HTTP ${status} ${reason}`.trim();
  if (status >= 300 && status < 400) return `${head}; redirects are not followed`;
  return text.trim() === '' ? head : `${head}: ${text}`;
}
