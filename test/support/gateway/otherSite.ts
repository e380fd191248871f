// Another site than the product's: http://localhost, where the product is at 127.0.0.1.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherSite {
  readonly address: string;
  /** A page of this site with that address in a frame. */
  framing(address: string): string;
  /** A page of this site with that in its body. */
  showing(body: string): string;
}

/** Ends with the process. */
export async function startOtherSite(): Promise<OtherSite> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const framed = query.get('frame') ?? '';
    const frame = `<iframe src="${framed.replaceAll('&', '&amp;')}" width="1200" height="800"></iframe>`;
    const body = query.get('body') ?? frame;
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Host</title><link rel="icon" href="data:,">${body}`);
  });
  server.unref();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    address,
    showing: (body) => `${address}/?body=${encodeURIComponent(body)}`,
    framing: (framed) => `${address}/?frame=${encodeURIComponent(framed)}`,
  };
}
