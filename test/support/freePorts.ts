import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below what systems choose by themselves, for connections and for port 0: Linux from 32768 on, others from 49152. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

/** Ports of 127.0.0.1 that were free a moment ago, all different, and which the system gives to nobody who does not name them. */
export async function freePorts(count: number): Promise<number[]> {
  const holders: Server[] = [];
  const ports: number[] = [];
  try {
    while (ports.length < count) {
      const port = randomInt(FIRST_PORT, LAST_PORT + 1);
      const holder = await hold(port);
      if (holder === undefined) continue;
      holders.push(holder);
      ports.push(port);
    }
  } finally {
    await Promise.all(holders.map(release));
  }
  return ports;
}

/** Undefined when somebody else listens there. */
async function hold(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
