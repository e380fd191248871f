import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSelfSigned, type KeyAndCertificate } from '../../../../server/http/tls/selfSigned.ts';
import type { OutgoingMessage } from '../../../../server/notify/outgoing.ts';
import { createSyslogTransport } from '../../../../server/notify/senders/syslog/syslogTransport.ts';
import type { SyslogSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import { anOutgoing, aSender, KEY, send } from '../../../support/notify/outgoing.ts';
import { type SyslogSink, startSyslogSink } from '../../../support/notify/syslogSink.ts';
import { createTestOutbound, type TestOutboundOptions } from '../../../support/notify/testOutbound.ts';

const DAY_MS = 86_400_000;
const certificateOf = (host: string): KeyAndCertificate =>
  createSelfSigned({ hosts: [host], fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS });

let sink: SyslogSink | undefined;
afterEach(() => sink?.close());

interface SyslogOptions extends TestOutboundOptions {
  readonly tls?: KeyAndCertificate;
  readonly onConnection?: (socket: Socket) => void;
  readonly settings?: Partial<SyslogSettings>;
  readonly message?: Partial<OutgoingMessage>;
}

async function tell({ tls, onConnection, settings = {}, message = {}, ...options }: SyslogOptions = {}) {
  sink = await startSyslogSink(tls, onConnection);
  const outbound = createTestOutbound(options);
  const transport = createSyslogTransport(outbound, 'gate way.example');
  const base = { host: 'localhost', port: sink.port, transport: 'tcp', facility: 16, appName: 'fleet' } as const;
  const sender = aSender('syslog', { ...base, ...settings });
  const sent = await send({ transport, sender, message: anOutgoing({ subject: '', ...message }) });
  return { sent, received: sink.received(), faults: outbound.faults };
}

const HEAD = '<130>1 2026-11-24T10:20:30.040Z gateway.example fleet - speeding';
const FACTS = `[event@32473 id="7" deviceId="BUS1" key="${KEY}"]`;

describe('a syslog server', () => {
  it('is told in the form of RFC 5424, framed by its length', async () => {
    const { sent, received } = await tell({ message: { body: '巴士 1\nis fast' } });
    const text = `${HEAD} ${FACTS} \ufeff巴士 1\nis fast`;
    expect(received).toBe(`${Buffer.byteLength(text)} ${text}`);
    expect(sent).toMatchObject({ outcome: 'sent', answer: 'written' });
  });

  it.each([
    ['critical', 130],
    ['major', 131],
    ['minor', 132],
    ['info', 134],
  ] as const)('is told how severe %s is', async (severity, priority) => {
    expect((await tell({ message: { severity } })).received).toMatch(new RegExp(`^\\d+ <${priority}>1 `));
  });

  it('is told of devices with quotes and brackets in their ids, and of a test without an event', async () => {
    const facts = { eventId: 8, deviceId: 'a"]\\b', type: 'fuel loss' };
    const { received } = await tell({ message: { facts } });
    expect(received).toContain(` fuelloss [event@32473 id="8" deviceId="a\\"\\]\\\\b" key="${KEY}"] `);
    await sink?.close();
    expect((await tell({ message: { facts: undefined } })).received).toContain(` - - [event@32473 key="${KEY}"] `);
  });

  it('is told as much as every receiver takes, and no half of a character', async () => {
    const { received } = await tell({ message: { body: '巴'.repeat(5_000) } });
    const [length = ''] = received.split(' ');
    expect(Number(length)).toBeGreaterThan(8_189);
    expect(Number(length)).toBeLessThanOrEqual(8_192);
    expect(Buffer.byteLength(received)).toBe(length.length + 1 + Number(length));
    expect(received).toMatch(/巴$/);
  });

  it('is told by TLS once its certificate is trusted', async () => {
    const tls = certificateOf('localhost');
    const { sent, received } = await tell({ tls, settings: { transport: 'tls' }, authorities: [tls.cert] });
    expect(sent.outcome).toBe('sent');
    expect(received).toContain(HEAD);
  });

  it.each([
    ['signs itself', certificateOf('localhost'), false],
    ['is of another host', certificateOf('other.example'), true],
  ])('whose certificate %s is told nothing', async (_name, tls, trusts) => {
    const authorities = trusts ? [tls.cert] : [];
    const { sent, received } = await tell({ tls, settings: { transport: 'tls' }, authorities });
    expect(sent.outcome).toBe('retry');
    expect(sent.answer).toMatch(/certificate|altnames/);
    expect(received).toBe('');
  });

  it('that resets the connection is told again later', async () => {
    const { sent, faults } = await tell({ onConnection: (socket) => void socket.resetAndDestroy() });
    expect(sent.outcome).toBe('retry');
    expect(faults).toEqual([]);
  });

  it('that does not speak TLS is given up with the time of the attempt', async () => {
    const { sent } = await tell({ settings: { transport: 'tls' }, totalMs: 100 });
    expect(sent).toMatchObject({ outcome: 'retry', answer: 'no answer within 0.1 s' });
  });

  it('at a private address is not connected to', async () => {
    const { sent, received } = await tell({ networks: [], settings: { host: '127.0.0.1' } });
    expect(sent.answer).toBe('127.0.0.1 is a private address; add it to NOTIFY_NETWORKS');
    expect(received).toBe('');
  });
});

it('a server that keeps its side open has taken the message', async () => {
  const { sent } = await tell({ onConnection: (socket) => void Object.assign(socket, { allowHalfOpen: true }) });
  expect(sent.outcome).toBe('sent');
});
