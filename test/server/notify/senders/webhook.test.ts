import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createSelfSigned } from '../../../../server/http/tls/selfSigned.ts';
import { createWebhookTransport } from '../../../../server/notify/senders/webhook/webhookTransport.ts';
import { type HttpSink, type SinkAnswer, startHttpSink } from '../../../support/notify/httpSink.ts';
import { anOutgoing, aSender, KEY, send } from '../../../support/notify/outgoing.ts';
import { createTestOutbound, type TestOutboundOptions } from '../../../support/notify/testOutbound.ts';
import { waitFor } from '../../../support/waitFor.ts';

const SECRET = 'a "secret" of 24 letters';
const NOW_MS = Date.UTC(2026, 10, 24, 12, 0, 0, 900);

const open: HttpSink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

interface PostOptions extends TestOutboundOptions {
  readonly secret?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly signal?: AbortSignal;
  readonly path?: string;
}

async function post(
  answer?: SinkAnswer,
  { secret = SECRET, headers = [], signal, path = '/hook?a=1', ...options }: PostOptions = {},
) {
  const sink = await startHttpSink(answer);
  open.push(sink);
  const outbound = createTestOutbound(options);
  const transport = createWebhookTransport(outbound, () => NOW_MS);
  const sender = aSender('webhook', { url: `http://127.0.0.1:${sink.port}${path}`, headers }, secret);
  const message = anOutgoing({ body: '{"text":"早安"}' });
  const sent = await send({ transport, sender, message, ...(signal === undefined ? {} : { signal }) });
  return { sent, sink, outbound };
}

describe('a webhook', () => {
  it('is posted as JSON with its key and a signature over time and body that anybody with the secret can check', async () => {
    const { sent, sink } = await post();
    expect(sent).toMatchObject({ outcome: 'sent', answer: 'HTTP 200 OK: taken' });
    const [request] = sink.requests;
    const { headers } = request ?? { headers: {} };
    const timestamp = String(NOW_MS / 1_000 - 0.9);
    const signed = createHmac('sha256', SECRET).update(`${timestamp}.{"text":"早安"}`).digest('hex');
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1', body: Buffer.from('{"text":"早安"}') });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': KEY,
      'x-fleetglass-timestamp': timestamp,
      'x-fleetglass-signature': `v1=${signed}`,
    });
    expect(sent.told).not.toContain(SECRET);
  });

  it('sends the secret in a header that asks for it, and tells nobody', async () => {
    const echo: SinkAnswer = (response, { headers }) => void response.end(headers.authorization);
    const { sent, sink } = await post(echo, { headers: [{ name: 'Authorization', value: 'Bearer {{secret}}' }] });
    expect(sink.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}` });
    expect(sent.answer).toBe('HTTP 200 OK: Bearer •••');
    expect(sent.told).not.toContain(SECRET);
  });

  it('without a secret is not signed', async () => {
    const { sink } = await post(undefined, { secret: '' });
    expect(sink.requests[0]?.headers).not.toHaveProperty('x-fleetglass-signature');
  });

  it('sends the headers of its settings, which can neither replace those of the gateway nor add others', async () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer hidden' },
      { name: 'X-Name', value: '早安' },
      { name: 'X-Break', value: 'a\r\nX-Other: b' },
      { name: 'Idempotency-Key', value: 'other' },
      { name: 'X-Fleetglass-Signature', value: 'other' },
      { name: 'Content-Type', value: 'text/plain' },
      { name: 'Host', value: 'other' },
      { name: 'Transfer-Encoding', value: 'chunked' },
    ];
    const { sent, sink } = await post(undefined, { headers });
    const taken = sink.requests[0]?.headers ?? {};
    expect(taken).toMatchObject({ authorization: 'Bearer hidden', 'x-break': 'a X-Other: b', 'idempotency-key': KEY });
    expect(Buffer.from(String(taken['x-name']), 'latin1').toString()).toBe('早安');
    expect(taken).not.toHaveProperty('x-other');
    expect(taken['x-fleetglass-signature']).toMatch(/^v1=/);
    expect(taken['content-type']).toMatch(/^application\/json/);
    expect(taken.host).toBe(`127.0.0.1:${sink.port}`);
    expect(sent.told).not.toContain('hidden');
  });
});

function status(code: number, headers: Readonly<Record<string, string>> = {}): SinkAnswer {
  return (response) => void response.writeHead(code, headers).end('why');
}

describe('an answer', () => {
  it.each([
    [204, 'sent'],
    [302, 'retry'],
    [400, 'retry'],
    [408, 'retry'],
    [410, 'refused'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('%i means %s', async (code, outcome) => {
    const { sent } = await post(status(code));
    expect(sent.outcome).toBe(outcome);
    expect(sent.answer).toMatch(new RegExp(`^HTTP ${code} `));
  });

  it('that leads elsewhere is not followed', async () => {
    const elsewhere = await startHttpSink();
    open.push(elsewhere);
    const { sent } = await post(status(307, { location: `http://127.0.0.1:${elsewhere.port}/` }));
    expect(sent).toMatchObject({
      outcome: 'retry',
      answer: 'HTTP 307 Temporary Redirect; redirects are not followed',
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it('of 200 MB is read to its first 2 KB, and the connection is ended', async () => {
    let written = 0;
    let isEnded = false;
    const flood = (response: ServerResponse): void => {
      const block = Buffer.alloc(64 * 1024, 'x');
      const write = (): void => {
        while (!response.destroyed && written < 200 * 1024 * 1024) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', write);
        }
      };
      response.once('close', () => {
        isEnded = true;
      });
      write();
    };
    const { sent, outbound } = await post(flood);
    expect(sent.outcome).toBe('sent');
    expect(sent.answer).toMatch(/^HTTP 200 OK: x+…$/);
    expect(sent.answer).toHaveLength(1_000);
    expect(outbound.limits).toEqual(['notify.answers.bytes']);
    await waitFor('the end of the connection', () => isEnded);
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });

  it('that never comes ends with the time of the attempt', async () => {
    const { sent } = await post(() => undefined, { totalMs: 100 });
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'no answer within 0.1 s' });
  });

  it('that nobody waits for any more is given up', async () => {
    const stop = new AbortController();
    const { sent } = await post(() => stop.abort(), { signal: stop.signal });
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'stopped before the other side answered' });
  });

  it('whose body never ends counts by its head', async () => {
    const { sent } = await post((response) => void response.writeHead(200).write('begun'), { totalMs: 200 });
    expect(sent).toMatchObject({ outcome: 'sent', answer: 'HTTP 200 OK: begun' });
  });

  it('that breaks off before its head is a failed attempt', async () => {
    const { sent } = await post((response) => void response.destroy());
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'socket hang up' });
  });

  it('is told without the secret, in whatever form the other side gives it back, and on one line', async () => {
    const forms = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64'), JSON.stringify(SECRET)];
    const { sent, outbound } = await post((response) => void response.writeHead(500).end(forms.join('\r\n')));
    expect(sent.answer).toBe('HTTP 500 Internal Server Error: ••• ••• ••• "•••"');
    for (const form of forms.slice(0, 3)) expect(sent.told).not.toContain(form);
    expect(outbound.faults).toEqual([]);
  });

  it('is told without the tokens of the address and of the headers, though it is a page that names them', async () => {
    const echo: SinkAnswer = (response, { path, headers }) =>
      void response.writeHead(404).end(`Cannot POST ${path} as ${headers.authorization} for ${headers['x-site']}`);
    const headers = [
      { name: 'Authorization', value: 'Bearer 0123456789abcdef' },
      { name: 'X-Site', value: 'north' },
    ];
    const path = '/services/T0001/b7Xk2mQ9rT4vW6yZ8aC1?key=hidden-key&a=1';
    const { sent } = await post(echo, { headers, path });
    expect(sent.answer).toBe('HTTP 404 Not Found: Cannot POST /services/T0001/•••?key=•••&a=1 as Bearer ••• for north');
    expect(sent.told).not.toMatch(/b7Xk2mQ9|hidden-key|0123456789/);
  });
});

describe('a service with TLS', () => {
  const day = 86_400_000;
  const certificate = (host: string, fromMs = Date.now() - day, toMs = Date.now() + day) =>
    createSelfSigned({ hosts: [host], fromMs, toMs });

  async function postTo(tls: ReturnType<typeof certificate>, trusts: boolean) {
    const sink = await startHttpSink(undefined, tls);
    open.push(sink);
    const outbound = createTestOutbound(trusts ? { authorities: [tls.cert] } : {});
    const transport = createWebhookTransport(outbound, Date.now);
    const sender = aSender('webhook', { url: `https://localhost:${sink.port}/`, headers: [] });
    const sent = await send({ transport, sender });
    return { sent, requests: sink.requests };
  }

  it('is told once its certificate is trusted and names it', async () => {
    expect((await postTo(certificate('localhost'), true)).sent.outcome).toBe('sent');
  });

  it.each([
    ['signs itself', certificate('localhost'), false, /self-signed certificate/],
    ['is of another host', certificate('other.example'), true, /does not match certificate's altnames/],
    ['has expired', certificate('localhost', Date.now() - 3 * day, Date.now() - day), true, /certificate has expired/],
  ])('whose certificate %s is told nothing', async (_name, tls, trusts, reason) => {
    const { sent, requests } = await postTo(tls, trusts);
    expect(sent.outcome).toBe('retry');
    expect(sent.answer).toMatch(reason);
    expect(requests).toEqual([]);
  });
});
