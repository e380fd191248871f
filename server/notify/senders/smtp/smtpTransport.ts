// Hands mails to a mail server. The connection comes from the guard; nodemailer handles the conversation.
import { createTransport as createMailer } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { EmailSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { SendResult, Transport } from '../../outgoing.ts';
import { connectGuarded, trustOf } from '../guard/connect.ts';
import { type Attempt, createTransport, faultText, type Outbound, type SmtpTimes, Unanswered } from '../outbound.ts';
import { mailDomain, mailOf } from './mailOf.ts';
import { smtpLogger } from './smtpLogger.ts';
import { smtpFailure } from './smtpOutcome.ts';
import { followSmtpSteps } from './smtpSteps.ts';

const MAX_REPLY_BYTES = 64 * 1024;

export interface SmtpDeps extends Outbound {
  readonly publicUrl: string | undefined;
}

/** Number of steps before the message; each can take its whole time. */
const STEPS = 12;

export function createSmtpTransport(deps: SmtpDeps): Transport {
  const { totalMs } = deps;
  const times = deps.smtpTimes ?? { stepMs: totalMs, acceptMs: totalMs, slowMs: totalMs };
  return createTransport(deps, (attempt) => deliverMail(attempt, deps, times), longestOf(times));
}

function longestOf({ stepMs, acceptMs }: SmtpTimes): number {
  return STEPS * stepMs + acceptMs;
}

async function deliverMail(attempt: Attempt, deps: SmtpDeps, times: SmtpTimes): Promise<SendResult> {
  const settings = attempt.sender.settings as EmailSettings;
  const domain = mailDomain(deps.publicUrl, settings);
  const mail = mailOf(attempt.message, settings, domain);
  if (mail === undefined) return { outcome: 'refused', answer: 'the recipient has no mail address' };
  const steps = followSmtpSteps(attempt, times, deps.onFault);
  const mailer = createMailer(optionsOf({ ...attempt, note: steps.note }, { settings, domain, deps, times }));
  // The promise below reports failures.
  mailer.on('error', () => undefined);
  try {
    const { response } = await mailer.sendMail({ ...mail, signal: attempt.signal });
    return { outcome: 'sent', answer: response };
  } catch (error) {
    if (steps.isUnanswered) throw new Unanswered(faultText(error), { cause: error });
    // The time is over, or the gateway stops: this is not the other side's answer.
    if (attempt.signal.aborted) throw error;
    attempt.note('note', error instanceof Error ? error.message : String(error));
    return smtpFailure(error);
  } finally {
    steps.stop();
    mailer.close();
  }
}

interface Session {
  readonly settings: EmailSettings;
  readonly domain: string;
  readonly deps: SmtpDeps;
  readonly times: SmtpTimes;
}

function optionsOf(
  { sender, signal, note }: Attempt,
  { settings, domain, deps, times }: Session,
): SMTPTransport.Options {
  const { host, port, security, username } = settings;
  const account =
    username === '' ? {} : { auth: { type: 'LOGIN' as const, user: username, pass: sender.secret }, forceAuth: true };
  // The times of the steps end the attempt earlier.
  const lateMs = 2 * longestOf(times);
  const limits = {
    connectionTimeout: lateMs,
    greetingTimeout: lateMs,
    socketTimeout: lateMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: MAX_REPLY_BYTES,
  };
  return {
    host,
    port,
    name: domain,
    ...account,
    ...limits,
    secure: security === 'tls',
    // Never downgraded: a server without STARTTLS gets nothing.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: trustOf(deps),
    logger: smtpLogger(note),
    transactionLog: true,
    getSocket: (_options, callback) => {
      connectGuarded(settings, deps, signal).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, undefined),
      );
    },
  };
}
