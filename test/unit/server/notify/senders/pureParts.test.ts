import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerValue, isOwnHeader } from '../../../../../server/notify/senders/http/headers.ts';
import { answerText, cutText, faultText } from '../../../../../server/notify/senders/outbound.ts';
import { payloadOf } from '../../../../../server/notify/senders/push/pushRequest.ts';
import { createRedactor } from '../../../../../server/notify/senders/redactor.ts';
import { smsRequest, unknownPlaceholders } from '../../../../../server/notify/senders/sms/smsRequest.ts';
import { mailDomain, oneLine } from '../../../../../server/notify/senders/smtp/mailOf.ts';
import { smtpFailure } from '../../../../../server/notify/senders/smtp/smtpOutcome.ts';
import { cutBytes, framed, syslogMessage } from '../../../../../server/notify/senders/syslog/syslogMessage.ts';
import { anOutgoing } from '../../../../support/notify/outgoing.ts';

const text = fc.string({ unit: 'binary' });

describe('a text that is cut', () => {
  it('is the beginning of it, and whole characters', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (given, max) => {
        const [cut, bytes] = [cutText(given, max), cutBytes(given, max)];
        expect(given.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(given.startsWith(bytes)).toBe(true);
        expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(max);
        expect(bytes).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  it('of a push fits, whatever its signs cost in JSON', () => {
    const long = fc.string({ unit: 'binary', minLength: 2_000, maxLength: 4_000 });
    fc.assert(
      fc.property(long, (body) => {
        expect(Buffer.byteLength(payloadOf(anOutgoing({ body: body })))).toBeLessThanOrEqual(3_072);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a line', () => {
  it('has no line breaks and no control characters, whoever wrote it', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const line of [oneLine(given), answerText(given), headerValue(given)]) {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
          expect(line).not.toMatch(/[\u0000-\u001f\u007f]/);
        }
        expect(headerValue(given)).toMatch(/^[\x20-\x7e\x80-\xff]*$/);
        expect(answerText(given).length).toBeLessThanOrEqual(1_000);
      }),
    );
  });

  it.each(['Host', 'CONTENT-LENGTH', 'x-fleetglass-other', 'Transfer-Encoding', 'idempotency-key'])(
    'of a header %s is the gateway’s own',
    (name) => expect(isOwnHeader(name)).toBe(true),
  );
});

describe('a redactor', () => {
  it('leaves a secret in no form that it is sent in', () => {
    const secret = fc.string({ minLength: 4, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(secret, text, text, (hidden, before, after) => {
        const redact = createRedactor({ secret: hidden, settings: { username: 'ann', url: 'https://bob:x@a/' } });
        const base64 = (value: string): string => Buffer.from(value).toString('base64');
        const forms = [hidden, encodeURIComponent(hidden), JSON.stringify(hidden).slice(1, -1), base64(hidden)];
        for (const form of [...forms, base64(`\0ann\0${hidden}`), base64(`bob:${hidden}`)]) {
          expect(redact(`${before} ${form} ${after}`)).not.toContain(form);
        }
      }),
    );
  });

  it('masks it as XML and HTML have it', () => {
    const redact = createRedactor({ secret: `a&"b'<c>`, settings: {} });
    expect(redact('a&#38;&#34;b&#39;&#60;c&#62; or a&amp;&quot;b&#39;&lt;c&gt;')).toBe('••• or •••');
  });

  it('takes half of a character for a secret', () => {
    const redact = createRedactor({ secret: 'half \ud800', settings: { username: 'ann' } });
    expect(redact('half%20%EF%BF%BD, half \ufffd, half \ud800')).toBe('•••, •••, •••');
  });

  it('masks what headers and addresses hold, and leaves what is no credential', () => {
    const headers = [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Key', value: 'Token abcdefgh {{secret}}' },
    ];
    const url = 'https://hooks.example/services/%41bcdefghijklmnopq?text={{text}}&user=fleet';
    const redact = createRedactor({ secret: '', settings: { headers, url } });
    expect(redact('application/json abcdefgh Token')).toBe('application/json ••• Token');
    expect(redact('/services/%41bcdefghijklmnopq /Abcdefghijklmnopq fleet hooks.example')).toBe(
      '/services/••• /••• fleet hooks.example',
    );
  });

  it('changes nothing without a secret', () => {
    fc.assert(fc.property(text, (given) => createRedactor({ secret: '', settings: {} })(given) === given));
  });
});

describe('a request to an SMS gateway', () => {
  const settings = { method: 'POST', url: 'https://sms.example/s?t={{to}}', headers: [], body: '' } as const;
  const value = fc.string({ unit: 'grapheme' });

  it('keeps values inside the places that they are put into', () => {
    fc.assert(
      fc.property(value, value, value, (secret, to, words) => {
        const values = { secret, to, text: words, key: 'k' };
        const body = '{"a":"{{text}}","b":"{{secret}}"}';
        const json = smsRequest({ ...settings, body }, values);
        expect(JSON.parse(String(json.body))).toEqual({ a: words, b: secret });
        const url = new URL(json.url);
        expect([url.origin, url.pathname, url.hash]).toEqual(['https://sms.example', '/s', '']);
        expect([...url.searchParams]).toEqual([['t', to]]);
        const form = smsRequest({ ...settings, body: 'a={{text}}&b={{secret}}' }, values);
        expect([...new URLSearchParams(String(form.body))]).toEqual([
          ['a', words],
          ['b', secret],
        ]);
      }),
    );
  });

  it('says which placeholders it does not know', () => {
    expect(unknownPlaceholders('{{to}} {{ text }} {{secret}} {{key}}')).toEqual([]);
    expect(unknownPlaceholders('{{device.name}} {{ }} {{To}}')).toEqual(['device.name', '', 'To']);
    expect(unknownPlaceholders('{{te xt}} {{text, upper}} {{{to}}}')).toEqual(['te xt', 'text, upper', '']);
    expect(unknownPlaceholders('{{to}')).toEqual(['to']);
    expect(unknownPlaceholders('{"a":{"to":"{{to}}"}}')).toEqual([]);
  });

  it('writes half of a character as the sign for what can not be read', () => {
    const values = { secret: '', to: '1\ud800', text: 'a\udfff', key: 'k' };
    const request = smsRequest({ ...settings, body: '{"text":"{{text}}"}' }, values);
    expect(request.url).toBe('https://sms.example/s?t=1%EF%BF%BD');
    expect(request.body).toBe('{"text":"a\ufffd"}');
  });

  it('fills in each placeholder once: a value with braces stays a value', () => {
    const values = { secret: 'hidden', to: '1', text: '{{secret}}', key: 'k' };
    const headers = [{ name: 'Content-Type', value: 'text/plain' }];
    expect(smsRequest({ ...settings, headers, body: '{{text}}' }, values).body).toBe('{{secret}}');
  });

  it('escapes XML', () => {
    const values = { secret: '', to: '', text: `<a> & "b" 'c'`, key: 'k' };
    const headers = [{ name: 'content-type', value: 'text/xml' }];
    const { body } = smsRequest({ ...settings, headers, body: '<t>{{text}}</t>' }, values);
    expect(body).toBe('<t>&#60;a&#62; &#38; &#34;b&#34; &#39;c&#39;</t>');
  });
});

describe('a syslog message', () => {
  it('is one frame whose length is right and whose structured data ends where it should', () => {
    fc.assert(
      fc.property(text, text, text, (deviceId, body, host) => {
        const facts = { eventId: 1, deviceId: deviceId, type: 'speeding' };
        const message = anOutgoing({ facts, body: body });
        const frame = framed(syslogMessage(message, { facility: 1, appName: 'a' }, host)).toString();
        const [length = ''] = frame.split(' ');
        expect(Buffer.byteLength(frame)).toBe(length.length + 1 + Number(length));
        expect(frame.slice(length.length + 1)).toMatch(
          /^<10>1 \S+ [\x21-\x7e]+ a - speeding \[event@32473( \w+="(\\["\]\\]|[^"\]\\])*")+\] \ufeff/,
        );
      }),
    );
  });
});

describe('the end of a conversation with a mail server', () => {
  const fault = (command: string, responseCode: number): Error =>
    Object.assign(new Error('why'), { command, responseCode });

  it.each([
    ['RCPT TO', 550, 'refused'],
    ['RCPT TO', 452, 'retry'],
    ['RCPT TO', 530, 'retry'],
    ['DATA', 554, 'refused'],
    ['DATA', 451, 'retry'],
    ['MAIL FROM', 553, 'retry'],
    ['AUTH PLAIN', 535, 'retry'],
    ['CONN', 554, 'retry'],
  ])('by %s and %i means %s', (command, code, outcome) => {
    expect(smtpFailure(fault(command, code))).toEqual({ outcome, answer: 'why' });
  });

  it('without an answer is tried again', () => {
    expect(smtpFailure('odd')).toEqual({ outcome: 'retry', answer: 'odd' });
  });
});

it.each([
  ['https://fleet.example/app', 'fleet.example'],
  ['http://10.0.0.5:8080', '10.0.0.5'],
  ['https://[::1]', 'mail.example'],
  [undefined, 'mail.example'],
])('Message-IDs with PUBLIC_URL %s are of %s', (publicUrl, domain) => {
  expect(mailDomain(publicUrl, { fromAddress: 'a@mail.example' })).toBe(domain);
});

it('a failure of several addresses is told once for each reason', () => {
  const refused = new Error('connect ECONNREFUSED ::1:1');
  expect(faultText(new AggregateError([refused, refused, new Error('other')]))).toBe(`${refused.message}; other`);
  expect(faultText(Object.assign(new Error(''), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
});
