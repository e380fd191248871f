// A mail server of a test's own, on this machine, which can be told to be unwell.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mail, readMail } from './readMail.ts';

export interface ReceivedMail extends Mail {
  readonly to: readonly string[];
}

export interface TestMailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** `fail`: each mail is refused for now. `hang`: nothing is answered after the mail's last line. */
  behave(as: 'well' | 'fail' | 'hang'): void;
  close(): Promise<void>;
}

/** Without TLS or sign-in, unless the options say otherwise. Who starts it closes it. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  let behavior: 'well' | 'fail' | 'hang' = 'well';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (behavior === 'hang') return;
        if (behavior === 'fail') return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ ...readMail(Buffer.concat(parts).toString('utf8')), to });
        done();
      });
    },
  });
  // A client that breaks off is what some tests are about.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    behave: (as) => {
      behavior = as;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
