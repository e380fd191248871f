// Takes the conversation from nodemailer's log, which has neither passwords nor the message itself.
import { format } from 'node:util';
import type { Logger } from 'nodemailer/lib/shared';
import type { Conversation } from '../../outgoing.ts';

type Line = readonly unknown[];

export function smtpLogger(note: Conversation): Logger {
  const tell = (...line: Line): void => noteLine(note, line);
  const ignore = (): void => undefined;
  return { trace: tell, debug: tell, info: tell, warn: ignore, error: ignore, fatal: ignore };
}

/** Takes an object with facts about the line, and a text with its values. */
function noteLine(note: Conversation, [about, text, ...values]: Line): void {
  const { tnx } = (typeof about === 'object' && about !== null ? about : {}) as { readonly tnx?: unknown };
  if (tnx === 'client') note('gateway', String(text));
  if (tnx === 'server') note('server', String(text));
  if (tnx === 'message') note('note', format(text, ...values));
}
