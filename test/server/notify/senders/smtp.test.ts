import { afterEach, describe, expect, it } from 'vitest';
import { createSelfSigned } from '../../../../server/http/tls/selfSigned.ts';
import type { OutgoingMessage } from '../../../../server/notify/outgoing.ts';
import { createSmtpTransport } from '../../../../server/notify/senders/smtp/smtpTransport.ts';
import type { EmailSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { anOutgoing, aSender, KEY, send } from '../../../support/notify/outgoing.ts';
import { type SmtpSink, type SmtpSinkOptions, startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { createTestOutbound, type TestOutboundOptions } from '../../../support/notify/testOutbound.ts';

const DAY_MS = 86_400_000;
const SECRET = 'pass word é';
const CERTIFICATE = certificateOf('localhost');
const MAY_HAVE_ARRIVED = 'the other side has the whole message and may have taken it';

function certificateOf(host: string, fromMs = Date.now() - DAY_MS) {
  return createSelfSigned({ hosts: [host], fromMs, toMs: fromMs + 2 * DAY_MS });
}

let sink: SmtpSink | undefined;
afterEach(() => sink?.close());

interface MailOptions extends TestOutboundOptions {
  readonly server?: SmtpSinkOptions;
  readonly settings?: Partial<EmailSettings>;
  readonly secret?: string;
  readonly message?: Partial<OutgoingMessage>;
  readonly signal?: AbortSignal;
}

async function mail({ server = {}, settings = {}, secret = '', message = {}, signal, ...options }: MailOptions = {}) {
  sink = await startSmtpSink(server);
  const outbound = createTestOutbound({ authorities: [CERTIFICATE.cert], ...options });
  const transport = createSmtpTransport({ ...outbound, publicUrl: 'https://fleet.example/app' });
  const base: EmailSettings = {
    host: 'localhost',
    port: sink.port,
    security: 'none',
    username: '',
    fromAddress: 'fleet@example.com',
    fromName: 'Fleet',
  };
  const destination = { to: 'address', address: 'ann@example.com' } as const;
  const sender = aSender('email', { ...base, ...settings }, secret);
  const sent = await send({ transport, sender, message: anOutgoing({ destination, ...message }), signal });
  return { sent, mails: sink.mails, faults: outbound.faults };
}

describe('a mail', () => {
  it('has a text and an HTML part, its picture, and headers by which repeats and automatic mail are known', async () => {
    const data = Buffer.from('not quite a picture');
    const { sent, mails } = await mail({
      message: {
        html: '<p>早安 <img src="cid:shot.jpg"></p>',
        picture: { fileName: 'shot.jpg', contentType: 'image/jpeg', data },
      },
    });
    expect(sent).toMatchObject({ outcome: 'sent' });
    expect(sent.answer).toMatch(/^250 /);
    const [taken] = mails;
    expect(taken).toMatchObject({ from: 'fleet@example.com', to: ['ann@example.com'], isSecure: false, user: '' });
    const text = taken?.text ?? '';
    for (const line of [
      `Message-ID: <${KEY}@fleet.example>`,
      'From: Fleet <fleet@example.com>',
      'To: ann@example.com',
      'Subject: Speeding: Bus 1',
      'Auto-Submitted: auto-generated',
      'X-Priority: 1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Type: text/html; charset=utf-8',
      'Content-ID: <shot.jpg>',
    ]) {
      expect(text).toContain(`${line}\r\n`);
    }
    expect(text).toContain(data.toString('base64'));
  });

  it('of an event that is not critical asks for no attention', async () => {
    const { mails } = await mail({ message: { severity: 'minor' } });
    expect(mails[0]?.text).not.toContain('X-Priority');
  });

  it('gets no headers from names and subjects with line breaks', async () => {
    const evil = 'Bus\r\nBcc: eve@example.com\r\n\r\nHello';
    const { mails } = await mail({
      settings: { fromName: evil },
      message: {
        subject: evil,
        destination: {
          to: 'member',
          userId: 1,
          name: evil,
          address: 'ann@example.com',
          language: 'en',
          timeZone: '',
        },
      },
    });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(['ann@example.com']);
    expect(mails[0]?.text).not.toMatch(/^Bcc:/im);
    expect(mails[0]?.text).toContain('Subject: Bus Bcc: eve@example.com Hello\r\n');
  });

  it.each(['', 'ann', 'ann@example.com, eve@example.com', 'ann@example.com>\r\nRCPT TO:<eve@example.com', 'a b@c'])(
    'for %j is not sent to anybody',
    async (address) => {
      const { sent, mails } = await mail({ message: { destination: { to: 'address', address } } });
      expect(sent).toMatchObject({ outcome: 'refused', answer: 'the recipient has no mail address' });
      expect(mails).toEqual([]);
    },
  );

  it('reads no files and no addresses that its text names', async () => {
    const { mails } = await mail({ message: { html: '<img src="file:///etc/passwd">' } });
    expect(mails[0]?.text).toContain('file:///etc/passwd');
    expect(mails[0]?.text).not.toContain('root:');
  });
});

describe('the connection', () => {
  it.each([
    ['tls', { isSecure: true }],
    ['starttls', { isSecure: false }],
  ] as const)('by %s is secure, and signs in', async (security, { isSecure }) => {
    const { sent, mails } = await mail({
      server: { tls: CERTIFICATE, isSecure, password: SECRET },
      settings: { security, username: 'fleet' },
      secret: SECRET,
    });
    expect(sent.outcome).toBe('sent');
    expect(mails[0]).toMatchObject({ isSecure: true, user: 'fleet' });
    expect(sent.conversation.join('\n')).toMatch(/gateway: EHLO fleet\.example\n.*gateway: AUTH .*server: 250/s);
    expectUntold(sent.told);
  });

  it('by none stays plain even if the server offers STARTTLS', async () => {
    const { sent, mails } = await mail({ server: { tls: certificateOf('other.example') } });
    expect(sent.outcome).toBe('sent');
    expect(mails[0]?.isSecure).toBe(false);
  });

  it('by STARTTLS is never downgraded', async () => {
    const { sent, mails } = await mail({
      server: { password: SECRET },
      settings: { security: 'starttls', username: 'fleet' },
      secret: SECRET,
    });
    expect(sent.outcome).toBe('retry');
    expect(sent.told).not.toContain('gateway: AUTH');
    expect(mails).toEqual([]);
  });

  it.each([
    ['signs itself', CERTIFICATE, []],
    ['is of another host', certificateOf('other.example'), undefined],
    ['has expired', certificateOf('localhost', Date.now() - 3 * DAY_MS), undefined],
  ] as const)('to a server whose certificate %s is not made', async (_name, tls, authorities) => {
    for (const security of ['tls', 'starttls'] as const) {
      const { sent, mails } = await mail({
        server: { tls, isSecure: security === 'tls' },
        settings: { security },
        authorities: authorities ?? [tls.cert],
      });
      expect(sent.outcome).toBe('retry');
      expect(sent.answer).toMatch(/certificate/);
      expect(mails).toEqual([]);
      await sink?.close();
    }
  });

  it('to a private address is refused', async () => {
    const { sent, mails } = await mail({ networks: [] });
    expect(sent).toMatchObject({
      outcome: 'retry',
      answer: 'localhost resolves to a private address; add it to NOTIFY_NETWORKS',
    });
    expect(mails).toEqual([]);
  });
});

function expectUntold(told: string): void {
  for (const form of [SECRET, Buffer.from(SECRET).toString('base64')]) expect(told).not.toContain(form);
  expect(told).not.toContain(Buffer.from(`\0fleet\0${SECRET}`).toString('base64'));
}

function refusal(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

describe('a server', () => {
  it('that does not take the password is asked again later, and what it says is told without it', async () => {
    const { sent } = await mail({
      server: { password: 'other' },
      settings: { username: 'fleet' },
      secret: SECRET,
    });
    expect(sent.outcome).toBe('retry');
    expect(sent.answer).toMatch(/^Invalid login: 535 Wrong password ••• of •••/);
    expectUntold(sent.told);
  });

  it('that offers no sign-in is not given a mail of an account', async () => {
    const { sent, mails } = await mail({ settings: { username: 'fleet' }, secret: SECRET });
    expect(sent.outcome).toBe('retry');
    expect(mails).toEqual([]);
    expectUntold(sent.told);
  });

  it.each([
    [550, 'refused'],
    [450, 'retry'],
  ])('that answers the recipient with %i means %s', async (code, outcome) => {
    const options: SmtpSinkOptions['options'] = {
      onRcptTo: (_address, _session, done) => done(refusal(code, 'no such user')),
    };
    const { sent } = await mail({ server: { options } });
    expect(sent.outcome).toBe(outcome);
    expect(sent.answer).toContain(`${code} no such user`);
  });

  it.each([
    [554, 'refused'],
    [451, 'retry'],
  ])('that answers the message with %i means %s', async (code, outcome) => {
    const { sent } = await mail({ server: { onMail: (done) => done(refusal(code, 'not this one')) } });
    expect(sent.outcome).toBe(outcome);
  });

  it('that does not take the sender is asked again later: settings can be put right', async () => {
    const options: SmtpSinkOptions['options'] = {
      onMailFrom: (_address, _session, done) => done(refusal(550, 'not from you')),
    };
    expect((await mail({ server: { options } })).sent.outcome).toBe('retry');
  });

  it('that breaks off after the whole mail may have taken it', async () => {
    const { sent, faults } = await mail({ server: { onMail: (_done, connection) => void connection.destroy() } });
    expect(sent).toMatchObject({ outcome: 'unknown', answer: `Connection closed unexpectedly; ${MAY_HAVE_ARRIVED}` });
    expect(faults).toEqual([]);
  });

  it('that never answers is given up', async () => {
    const { sent } = await mail({ server: { onMail: () => undefined }, totalMs: 300 });
    expect(sent).toMatchObject({ outcome: 'unknown', answer: `no answer within 0.3 s; ${MAY_HAVE_ARRIVED}` });
  });

  it('that is slow to say that it has the mail is waited for longer than for its other answers', async () => {
    const smtpTimes = { stepMs: 300, acceptMs: 10_000, slowMs: 300 };
    const onMail: SmtpSinkOptions['onMail'] = (done) => void setTimeout(done, 900);
    const { sent } = await mail({ server: { onMail }, smtpTimes });
    expect(sent.outcome).toBe('sent');
  });

  it('that is slow when the gateway stops may have taken the mail', async () => {
    const stop = new AbortController();
    const { sent } = await mail({ server: { onMail: () => stop.abort() }, signal: stop.signal });
    expect(sent).toMatchObject({
      outcome: 'unknown',
      answer: `stopped before the other side answered; ${MAY_HAVE_ARRIVED}`,
    });
  });
});
