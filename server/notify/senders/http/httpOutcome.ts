// What the answer of a web server means for a message. Pure.
import type { SendResult } from '../../outgoing.ts';
import type { HttpAnswer } from './guardedRequest.ts';

/** Only `Gone` is for good: everything else can be the fault of a server, or of settings that are still put right. */
export function outcomeOf({ status }: Pick<HttpAnswer, 'status'>): SendResult['outcome'] {
  if (status >= 200 && status < 300) return 'sent';
  return status === 410 ? 'refused' : 'retry';
}

export function resultOf(answer: HttpAnswer): SendResult {
  return { outcome: outcomeOf(answer), answer: answerLine(answer) };
}

export function answerLine({ status, reason, text }: HttpAnswer): string {
  const head = `HTTP ${status} ${reason}`.trim();
  if (status >= 300 && status < 400) return `${head}; redirects are not followed`;
  return text.trim() === '' ? head : `${head}: ${text}`;
}
