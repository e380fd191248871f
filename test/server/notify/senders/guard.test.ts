import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolve } from '../../../../server/notify/senders/guard/guard.ts';
import { createWebhookTransport } from '../../../../server/notify/senders/webhook/webhookTransport.ts';
import { type HttpSink, startHttpSink } from '../../../support/notify/httpSink.ts';
import { aSender, send } from '../../../support/notify/outgoing.ts';
import { createTestOutbound, type TestOutboundOptions } from '../../../support/notify/testOutbound.ts';

const open: HttpSink[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});

async function startSink(): Promise<HttpSink> {
  const sink = await startHttpSink();
  open.push(sink);
  return sink;
}

function post(url: string, options: TestOutboundOptions = {}) {
  const transport = createWebhookTransport(createTestOutbound(options), Date.now);
  return send({ transport, sender: aSender('webhook', { url, headers: [] }) });
}

const always =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a private address', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost'])(
    'is refused as %s',
    async (host) => {
      const sink = await startSink();
      const { outcome, answer } = await post(`http://${host}:${sink.port}/`, { networks: [] });
      expect(outcome).toBe('retry');
      expect(answer).toMatch(/private address; add it to NOTIFY_NETWORKS$/);
      expect(sink.requests).toEqual([]);
    },
  );

  it('is refused when it is one of several that a name resolves to', async () => {
    const sink = await startSink();
    const resolve = always('8.8.8.8', '127.0.0.1');
    const { answer } = await post(`http://hooks.example:${sink.port}/`, { networks: [], resolve });
    expect(answer).toBe('hooks.example resolves to a private address; add it to NOTIFY_NETWORKS');
    expect(sink.requests).toEqual([]);
  });

  it('is refused once a name that was public resolves to it, without anything being saved again', async () => {
    const sink = await startSink();
    const names = { address: '127.0.0.1' };
    const options = { networks: ['127.0.0.1'], resolve: () => always(names.address)('') };
    const transport = createWebhookTransport(createTestOutbound(options), Date.now);
    const sender = aSender('webhook', { url: `http://hooks.example:${sink.port}/`, headers: [] });
    expect(await send({ transport, sender })).toMatchObject({ outcome: 'sent' });
    names.address = '127.0.0.2';
    expect(await send({ transport, sender })).toMatchObject({ outcome: 'retry' });
    expect(sink.requests).toHaveLength(1);
  });

  it('is reached when NOTIFY_NETWORKS names it', async () => {
    const sink = await startSink();
    const resolve = always('127.0.0.1');
    expect(await post(`http://hooks.example:${sink.port}/`, { resolve })).toMatchObject({ outcome: 'sent' });
    expect(sink.requests[0]?.headers.host).toBe(`hooks.example:${sink.port}`);
  });
});

describe('a name', () => {
  it('that resolves to nothing, or not at all, is a failed attempt with its reason', async () => {
    expect(await post('http://hooks.example/', { resolve: always() })).toMatchObject({
      outcome: 'retry',
      answer: 'hooks.example has no address',
    });
    const resolve: Resolve = async () => {
      throw new Error('getaddrinfo ENOTFOUND hooks.example');
    };
    expect(await post('http://hooks.example/', { resolve })).toMatchObject({
      outcome: 'retry',
      answer: 'getaddrinfo ENOTFOUND hooks.example',
    });
  });

  it('that is looked up for ever ends with the time of the attempt', async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const sent = await post('http://hooks.example/', { resolve, totalMs: 50 });
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'no answer within 0.05 s' });
  });
});

it('a port that nobody listens on is a failed attempt', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  const { outcome, answer } = await post(`http://127.0.0.1:${port}/`);
  expect([outcome, answer]).toEqual(['retry', `connect ECONNREFUSED 127.0.0.1:${port}`]);
});
