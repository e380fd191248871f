// Hands mails to a mail server. The connection comes through the guard; what is said on it is nodemailer's matter.
import { createTransport as createMailer } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { EmailSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Transport } from '../../outgoing.ts';
import { connectGuarded, trustOf } from '../guard/connect.ts';
import { type Attempt, CONNECT_MS, createTransport, type Outbound } from '../outbound.ts';
import { mailDomain, mailOf } from './mailOf.ts';
import { smtpLogger } from './smtpLogger.ts';
import { smtpFailure } from './smtpOutcome.ts';

const MAX_REPLY_BYTES = 64 * 1024;

export interface SmtpDeps extends Outbound {
  readonly publicUrl: string | undefined;
}

export function createSmtpTransport(deps: SmtpDeps): Transport {
  return createTransport(deps, async (attempt) => {
    const settings = attempt.sender.settings as EmailSettings;
    const domain = mailDomain(deps.publicUrl, settings);
    const mail = mailOf(attempt.message, settings, domain);
    if (mail === undefined) return { outcome: 'refused', answer: 'the recipient has no mail address' };
    const mailer = createMailer(optionsOf(attempt, { settings, domain, deps }));
    // A failure is told by the promise below.
    mailer.on('error', () => undefined);
    try {
      const { response } = await mailer.sendMail({ ...mail, signal: attempt.signal });
      return { outcome: 'sent', answer: response };
    } catch (error) {
      // The time is over, or the gateway stops: not the other side's answer.
      if (attempt.signal.aborted) throw error;
      attempt.note('note', error instanceof Error ? error.message : String(error));
      return smtpFailure(error);
    } finally {
      mailer.close();
    }
  });
}

interface Session {
  readonly settings: EmailSettings;
  readonly domain: string;
  readonly deps: SmtpDeps;
}

function optionsOf({ sender, signal, note }: Attempt, { settings, domain, deps }: Session): SMTPTransport.Options {
  const { host, port, security, username } = settings;
  const account =
    username === '' ? {} : { auth: { type: 'LOGIN' as const, user: username, pass: sender.secret }, forceAuth: true };
  const limits = {
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: deps.totalMs,
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
    // Never downgraded: a server that offers no STARTTLS is told nothing.
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
