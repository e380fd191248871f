// Connections that ask for nothing, on real sockets.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../testApp.ts';

const TIMES = { headersMs: 300, requestMs: 600, checkMs: 50 };

async function openApp() {
  const test = await createTestApp({}, { connectionTimes: TIMES });
  onTestFinished(() => test.close());
  const address = await test.app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(address).port);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { test, open, address };
}

async function endOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

it.each([
  ['that sends nothing', ''],
  ['that sends its headers one at a time', 'GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: '],
])('a connection %s is closed in time', async (_what, bytes) => {
  const { test, open } = await openApp();
  const socket = await open();
  socket.write(bytes);
  const drip = setInterval(() => socket.write(bytes === '' ? '' : 'a'), 40);
  onTestFinished(() => clearInterval(drip));
  expect(await endOf(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error":true/);
  expect(test.limits).toContain('http.headers.ms');
});

it('a request whose body does not come is ended in time', async () => {
  const { test, open } = await openApp();
  const socket = await open();
  socket.write(
    'POST /api/user/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  expect(await endOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  expect(test.limits).toContain('http.request.ms');
});

it('headers that are too long, and what is no request, get an answer in the shape of all others', async () => {
  const { test, open } = await openApp();
  const long = await open();
  long.write(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`);
  const answer = await endOf(long);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('cache-control: no-store');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: true, code: 'bad-request' });
  expect(test.limits).toContain('http.header.bytes');
  const other = await open();
  other.write('\u0016\u0003\u0001\r\n\r\n');
  expect(await endOf(other)).toMatch(/^HTTP\/1\.1 400 /);
});

it('a connection that was reset leaves the server as it was', async () => {
  const { open, address } = await openApp();
  for (const bytes of ['', 'GET / HT', 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n']) {
    const socket = await open();
    socket.write(bytes);
    socket.resetAndDestroy();
  }
  await wait(0);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});
