// TLS before a gateway that speaks none, as a proxy before it has: what a page does that came by https.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { createSelfSigned } from '../../../server/http/tls/selfSigned.ts';

const DAY_MS = 86_400_000;

export interface SecureFront {
  /** Such as https://127.0.0.1:40001. */
  readonly address: string;
  close(): void;
}

/** Passes bytes on to the gateway at an address, and back. */
export async function startSecureFront(address: string): Promise<SecureFront> {
  const { hostname, port } = new URL(address);
  const nowMs = Date.now();
  const identity = createSelfSigned({ hosts: [hostname], fromMs: nowMs - DAY_MS, toMs: nowMs + DAY_MS });
  const open = new Set<TLSSocket>();
  const server = createServer(identity, (browser) => {
    const gateway = connect(Number(port), hostname);
    open.add(browser);
    browser.on('close', () => open.delete(browser));
    for (const [one, other] of [
      [browser, gateway],
      [gateway, browser],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
