import type { Transports } from '../outgoing.ts';
import { createPushTransport, type PushDeps } from './push/pushTransport.ts';
import { createSmsTransport } from './sms/smsTransport.ts';
import { createSmtpTransport, type SmtpDeps } from './smtp/smtpTransport.ts';
import { createSyslogTransport } from './syslog/syslogTransport.ts';
import { createWebhookTransport } from './webhook/webhookTransport.ts';

export interface TransportDeps extends PushDeps, SmtpDeps {
  /** Host name of this machine, for syslog. */
  readonly hostName: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createTransports(deps: TransportDeps): Transports {
  return {
    email: createSmtpTransport(deps),
    webhook: createWebhookTransport(deps, deps.now),
    sms: createSmsTransport(deps, deps.now),
    syslog: createSyslogTransport(deps, deps.hostName),
    push: createPushTransport(deps),
  };
}
