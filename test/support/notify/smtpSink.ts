import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { KeyAndCertificate } from '../../../server/http/tls/selfSigned.ts';

interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as it came: headers and body. */
  readonly text: string;
  readonly isSecure: boolean;
  /** Who signed in; '' for nobody. */
  readonly user: string;
}

export interface SmtpSink {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  close(): Promise<void>;
}

export interface SmtpSinkOptions {
  readonly tls?: KeyAndCertificate;
  /** TLS from the first byte on; if left out, STARTTLS is offered where there is a certificate. */
  readonly isSecure?: boolean;
  readonly password?: string;
  readonly options?: SMTPServerOptions;
  /** Called once all of a mail has come; if left out, the mail is taken. */
  readonly onMail?: (done: (error?: Error) => void, connection: Socket) => void;
}

/** A mail server of the test's own. */
export async function startSmtpSink(given: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const { tls, isSecure = false, password, options = {}, onMail = (done) => done() } = given;
  const mails: TakenMail[] = [];
  const connections = new Set<Socket>();
  const server = new SMTPServer({
    ...(tls ?? {}),
    secure: isSecure,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(password === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    authOptional: password === undefined,
    closeTimeout: 100,
    onAuth: ({ username = '', password: tried }, _session, done) => {
      if (tried === password) return done(null, { user: username });
      return done(new Error(`Wrong password ${tried} of ${Buffer.from(`\0${username}\0${tried}`).toString('base64')}`));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { envelope, secure, user } = session;
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const text = Buffer.concat(chunks).toString();
        mails.push({ from, to, text, isSecure: secure, user: String(user ?? '') });
        const [connection] = [...connections].slice(-1);
        if (connection !== undefined) onMail((error) => done(error), connection);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}
