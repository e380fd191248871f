// Servers that do what no server should: each attempt ends, with a bound on what is read, and says why.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmtpTransport } from '../../../../server/notify/senders/smtp/smtpTransport.ts';
import { createWebhookTransport } from '../../../../server/notify/senders/webhook/webhookTransport.ts';
import type { EmailSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { anOutgoing, aSender, type Sent, send } from '../../../support/notify/outgoing.ts';
import { type SyslogSink, startSyslogSink } from '../../../support/notify/syslogSink.ts';
import { createTestOutbound, type TestOutbound } from '../../../support/notify/testOutbound.ts';
import { waitFor } from '../../../support/waitFor.ts';

const SECRET = 'pass word';
const MEGABYTE = 1024 * 1024;

let server: SyslogSink | undefined;
afterEach(() => server?.close());

type Behave = (socket: Socket) => void;

interface Attempted {
  readonly sent: Sent;
  readonly outbound: TestOutbound;
  /** Text that the server was sent. */
  readonly received: string;
}

async function attempt(
  behave: Behave,
  totalMs: number,
  run: (port: number, outbound: TestOutbound) => Promise<Sent>,
): Promise<Attempted> {
  server = await startSyslogSink(undefined, behave);
  const outbound = createTestOutbound({ totalMs });
  const sent = await run(server.port, outbound);
  expect(outbound.faults).toEqual([]);
  return { sent, outbound, received: server.received() };
}

function mail(behave: Behave, settings: Partial<EmailSettings> = {}, totalMs = 10_000): Promise<Attempted> {
  return attempt(behave, totalMs, (port, outbound) => {
    const transport = createSmtpTransport({ ...outbound, publicUrl: 'https://fleet.example' });
    const all: EmailSettings = {
      host: '127.0.0.1',
      port,
      security: 'none',
      username: 'fleet',
      fromAddress: 'fleet@example.com',
      fromName: '',
      ...settings,
    };
    const message = anOutgoing({ destination: { to: 'address', address: 'ann@example.com' } });
    return send({ transport, sender: aSender('email', all, SECRET), message });
  });
}

function post(behave: Behave, totalMs = 10_000): Promise<Attempted> {
  return attempt(behave, totalMs, (port, outbound) => {
    const transport = createWebhookTransport(outbound, Date.now);
    return send({ transport, sender: aSender('webhook', { url: `http://127.0.0.1:${port}/`, headers: [] }) });
  });
}

/** Writes as fast as the other side reads; gives how much was written. */
function flood(socket: Socket, block: string): { readonly written: () => number } {
  let written = 0;
  const write = (): void => {
    while (!socket.destroyed && written < 200 * MEGABYTE) {
      written += block.length;
      if (!socket.write(block)) return void socket.once('drain', write);
    }
  };
  write();
  return { written: () => written };
}

/** Writes a few characters at a time, for as long as somebody listens. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}

/** Answers each command by its verb; undefined closes the connection. */
function smtp(answers: Readonly<Record<string, string | undefined>>): Behave {
  return (socket) => {
    const say = (text: string | undefined): void => void (text === undefined ? socket.destroy() : socket.write(text));
    say(answers.CONNECT);
    socket.on('data', (chunk) => {
      const [verb = ''] = chunk.toString().trim().split(/[ :]/);
      say(verb.toUpperCase() in answers ? answers[verb.toUpperCase()] : '250 fine\r\n');
    });
  };
}

const GREETED = { CONNECT: '220 mail\r\n', EHLO: '250-mail\r\n250 AUTH PLAIN\r\n', AUTH: '235 welcome\r\n' };

describe('a mail server', () => {
  it.each([
    ['a greeting without an end', '', 'x'.repeat(64 * 1024)],
    ['endless lines of a greeting', '', '220-more\r\n'.repeat(5_000)],
    ['endless extensions', '220 mail\r\n', '250-X-MORE\r\n'.repeat(5_000)],
  ])('that says %s is not listened to for long', async (_what, greeting, block) => {
    let flooded: ReturnType<typeof flood> | undefined;
    const { sent } = await mail((socket) => {
      if (greeting === '') flooded = flood(socket, block);
      else {
        socket.write(greeting);
        socket.once('data', () => {
          flooded = flood(socket, block);
        });
      }
    });
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'Server response exceeds maximum allowed size' });
    await waitFor('the flood', () => flooded !== undefined);
    expect(flooded?.written()).toBeLessThan(20 * MEGABYTE);
    expect(sent.told.length).toBeLessThan(100_000);
  });

  it('that never finishes a line is given up', async () => {
    const { sent } = await mail((socket) => drip(socket, '2'), {}, 300);
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'no answer within 0.3 s' });
  });

  it.each(['CONNECT', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'])(
    'that closes the connection at %s is asked again later',
    async (verb) => {
      const { sent } = await mail(smtp({ ...GREETED, [verb]: undefined }));
      expect(sent.outcome).toBe('retry');
      expect(sent.answer).toMatch(/closed|ECONNRESET|EPIPE/i);
      expect(sent.told).not.toContain(SECRET);
    },
  );

  it('whose answers were slipped in before TLS is told no password', async () => {
    const slipped = '220 go\r\n250-mail\r\n250 AUTH PLAIN LOGIN\r\n235 welcome\r\n';
    const behave = smtp({ CONNECT: '220 mail\r\n', EHLO: '250-mail\r\n250 STARTTLS\r\n', STARTTLS: slipped });
    const { sent, received } = await mail(behave, { security: 'starttls' }, 500);
    expect(sent.outcome).toBe('retry');
    expect(received).toContain('STARTTLS');
    expect(received).not.toContain('AUTH');
    expect(received).not.toContain(Buffer.from(`\0fleet\0${SECRET}`).toString('base64'));
  });
});

describe('a web server', () => {
  it('whose headers have no end is not listened to for long', async () => {
    let flooded: ReturnType<typeof flood> | undefined;
    const { sent } = await post((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flooded = flood(socket, 'X-More: yes\r\n'.repeat(5_000));
    });
    expect(sent).toMatchObject({ outcome: 'retry', answer: expect.stringContaining('Header overflow') });
    expect(flooded?.written()).toBeLessThan(20 * MEGABYTE);
  });

  it.each([
    ['a head a few signs at a time', 'X-A: b\r\n'],
    ['only answers that announce another', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that sends %s is given up', async (what, text) => {
    const { sent } = await post((socket) => {
      if (what.startsWith('a head')) socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, text);
    }, 300);
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'no answer within 0.3 s' });
  });

  it.each([
    ['speaks something else', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['says two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ])('that %s is asked again later', async (_what, text) => {
    const { sent } = await post((socket) => void socket.end(text));
    expect(sent.outcome).toBe('retry');
    expect(sent.answer).not.toBe('');
  });
});
