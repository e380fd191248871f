import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmsTransport } from '../../../../server/notify/senders/sms/smsTransport.ts';
import type { SmsSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { type HttpSink, startHttpSink } from '../../../support/notify/httpSink.ts';
import { anOutgoing, aSender, KEY, send } from '../../../support/notify/outgoing.ts';
import { createTestOutbound } from '../../../support/notify/testOutbound.ts';

const SECRET = 'p&ss "w=rd';
const TEXT = 'Bus 1: "94 km/h" & more\n早安';

let sink: HttpSink | undefined;
afterEach(() => sink?.close());

async function sendSms(settings: Partial<SmsSettings> & { readonly path?: string }, to = '+886912345678') {
  sink = await startHttpSink((response, { path, headers, body }) => {
    // A gateway that says what it was sent.
    response.end(`${path} ${headers['x-key']} ${headers.authorization} ${body}`);
  });
  const { path = '/', ...given } = settings;
  const transport = createSmsTransport(createTestOutbound(), Date.now);
  const base: SmsSettings = { method: 'POST', url: `http://127.0.0.1:${sink.port}${path}`, headers: [], body: '' };
  const message = anOutgoing({ destination: { to: 'address', address: to }, subject: '', body: TEXT });
  const sent = await send({ transport, sender: aSender('sms', { ...base, ...given }, SECRET), message });
  return { sent, request: sink.requests[0] };
}

function untold(told: string): void {
  for (const form of [SECRET, encodeURIComponent(SECRET), 'p&ss \\"w=rd', Buffer.from(SECRET).toString('base64')]) {
    expect(told).not.toContain(form);
  }
}

describe('an SMS gateway', () => {
  it('is asked with a URL whose values are encoded for it', async () => {
    const path = '/send?user=a&key={{secret}}&to={{ to }}&text={{text}}';
    const { sent, request } = await sendSms({ method: 'GET', path });
    const query = new URL(request?.path ?? '', 'http://x').searchParams;
    expect(Object.fromEntries(query)).toEqual({ user: 'a', key: SECRET, to: '+886912345678', text: TEXT });
    expect(request).toMatchObject({ method: 'GET', headers: { 'idempotency-key': KEY }, body: Buffer.alloc(0) });
    expect(sent.outcome).toBe('sent');
    untold(sent.told);
  });

  it('is posted a form', async () => {
    const { sent, request } = await sendSms({ body: 'key={{secret}}&to={{to}}&text={{text}}' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const form = new URLSearchParams(request?.body.toString());
    expect(Object.fromEntries(form)).toEqual({ key: SECRET, to: '+886912345678', text: TEXT });
    untold(sent.told);
  });

  it('is sent JSON', async () => {
    const headers = [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Key', value: 'key {{secret}}' },
    ];
    const body = '{"key":"{{secret}}","to":["{{to}}"],"text":"{{text}}","id":"{{key}}"}';
    const { sent, request } = await sendSms({ method: 'PUT', headers, body });
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      key: SECRET,
      to: ['+886912345678'],
      text: TEXT,
      id: KEY,
    });
    expect(request).toMatchObject({ method: 'PUT', headers: { 'x-key': `key ${SECRET}` } });
    untold(sent.told);
  });

  it('is sent a header that stays one header', async () => {
    const { request } = await sendSms({ headers: [{ name: 'X-Key', value: '{{text}}' }] });
    expect(Buffer.from(String(request?.headers['x-key']), 'latin1').toString()).toBe(TEXT.replace('\n', ' '));
  });

  it('is given a name and the secret as basic authentication', async () => {
    const { sent, request } = await sendSms({});
    expect(request?.headers.authorization).toBeUndefined();
    await sink?.close();
    sink = await startHttpSink((response, { headers }) => void response.end(headers.authorization));
    const transport = createSmsTransport(createTestOutbound(), Date.now);
    const url = `http://AC12:{{secret}}@127.0.0.1:${sink.port}/`;
    const settings: SmsSettings = { method: 'POST', url, headers: [], body: '' };
    const message = anOutgoing({ destination: { to: 'address', address: '+886912345678' } });
    const basic = await send({ transport, sender: aSender('sms', settings, SECRET), message });
    const credentials = Buffer.from(`AC12:${SECRET}`).toString('base64');
    expect(sink.requests[0]?.headers.authorization).toBe(`Basic ${credentials}`);
    expect(basic.answer).toBe('HTTP 200 OK: Basic •••');
    untold(sent.told + basic.told);
    expect(basic.told).not.toContain(credentials);
  });

  it.each([
    ['does not answer', () => undefined, 'no answer within 0.2 s'],
    ['breaks off', (response: ServerResponse) => void response.destroy(), 'socket hang up'],
  ])('that has the whole message and %s may have taken it', async (_, answer, reason) => {
    sink = await startHttpSink(answer);
    const transport = createSmsTransport(createTestOutbound({ totalMs: 200 }), Date.now);
    const settings: SmsSettings = {
      method: 'POST',
      url: `http://127.0.0.1:${sink.port}/`,
      headers: [],
      body: '{{text}}',
    };
    const message = anOutgoing({ destination: { to: 'address', address: '+886912345678' } });
    const sent = await send({ transport, sender: aSender('sms', settings, SECRET), message });
    expect(sent).toMatchObject({
      outcome: 'unknown',
      answer: `${reason}; the other side has the whole message and may have taken it`,
    });
  });

  it('is not asked for a recipient without a phone number', async () => {
    const { sent, request } = await sendSms({}, 'somebody@example.com');
    expect(sent).toMatchObject({ outcome: 'refused', answer: 'the recipient has no phone number' });
    expect(request).toBeUndefined();
  });
});

it('a secret that can not be opened is never taken for none', async () => {
  const transport = createSmsTransport(createTestOutbound(), Date.now);
  const sender = { ...aSender('sms', {}), isSecretLost: true };
  const { outcome, answer } = await send({ transport, sender });
  expect([outcome, answer]).toEqual(['retry', "the sender's secret can't be read any more; enter it again"]);
});
