// The outcome of a message by the end of a conversation with a mail server. Pure.
import type { SendResult } from '../../outgoing.ts';
import { faultText } from '../outbound.ts';

/** Nodemailer's description of a failure. */
interface SmtpFault {
  readonly responseCode?: number;
  readonly command?: string;
}

/** Commands whose refusal concerns this message or its recipient alone. */
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** Replies that ask for a sign-in, and refuse one: an administrator can correct that. */
const ABOUT_THE_ACCOUNT: ReadonlySet<number> = new Set([530, 534, 535, 538]);

export function smtpFailure(error: unknown): SendResult {
  const { responseCode = 0, command = '' } = error instanceof Error ? (error as SmtpFault) : {};
  const isForGood = responseCode >= 500 && !ABOUT_THE_ACCOUNT.has(responseCode) && ABOUT_THE_MESSAGE.has(command);
  return { outcome: isForGood ? 'refused' : 'retry', answer: faultText(error) };
}
