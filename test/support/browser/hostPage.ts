// A page of another site (localhost against 127.0.0.1) that frames pages of a gateway and keeps what they post to it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface HostMessage {
  readonly origin: string;
  readonly data: unknown;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

declare global {
  var __hostMessages: HostMessage[] | undefined;
}

const RECORDER = `<script>
  globalThis.__hostMessages = [];
  addEventListener('message', (event) => {
    __hostMessages.push({ origin: event.origin, data: event.data, atMs: Date.now() });
  });
</script>`;

/** Serves `body` as a page that also records messages; gives its address. Ends with the test. */
export async function startHostPage(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>host</title><link rel="icon" href="data:,">${RECORDER}${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

export function hostMessages(page: Page): Promise<HostMessage[]> {
  return page.evaluate(() => globalThis.__hostMessages ?? []);
}
