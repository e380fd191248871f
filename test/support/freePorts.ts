import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Ports of 127.0.0.1 that were free a moment ago, all different. Another program may take one before you do: give a server
 * port 0 and ask it where it listens, wherever it can be asked.
 */
export async function freePorts(count: number): Promise<number[]> {
  // All are held at once, otherwise the system may hand out the same port twice.
  const holders = await Promise.all(Array.from({ length: count }, hold));
  const ports = holders.map((holder) => (holder.address() as AddressInfo).port);
  await Promise.all(holders.map(release));
  return ports;
}

async function hold(): Promise<Server> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
