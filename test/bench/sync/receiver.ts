// The process that receives files: the gateway's own server, or a bare socket that writes what comes.

import { createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { FtpServer } from '../../../server/ftp/ftpServer.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import type { ReceiverReady, ReceiverReport } from './messages.ts';

const HOUR_MS = 3_600_000;
const SAMPLE_MS = 5;

const [kind = 'ftp', folder = '', count = '1'] = process.argv.slice(2);
const send = (message: ReceiverReady | ReceiverReport): void => void process.send?.(message);
let storedBytes = 0;
let startBytes = 0;
let mostBytes = 0;

process.on('message', () => send({ grownBytes: mostBytes - startBytes, storedBytes }));
process.on('disconnect', () => process.exit());
send(kind === 'bare' ? await startBare() : await startFtp(Number(count)));
startBytes = process.memoryUsage.rss();
setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
}, SAMPLE_MS);

async function startFtp(logins: number): Promise<ReceiverReady> {
  const fail = (error: Error): void => {
    throw error;
  };
  const server = await FtpServer.start(
    { host: '127.0.0.1', port: 0, passivePorts: { first: 0, last: 0 }, publicHost: undefined, publicPort: undefined },
    {
      now: Date.now,
      runAfter: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      owners: ONE_OWNER,
      lookup: () => Promise.reject(new Error('nothing is looked up')),
      onLimit: ({ name }) => fail(new Error(name)),
      onFault: fail,
      onNote: () => undefined,
    },
  );
  const addresses = [];
  for (let at = 0; at < logins; at++) {
    const own = join(folder, String(at));
    await mkdir(own, { recursive: true });
    const opened = server.open({
      kind: 'upload',
      deviceId: `BENCH${at}`,
      incarnation: at,
      remoteAddress: '127.0.0.1',
      localAddress: '127.0.0.1',
      untilMs: Date.now() + HOUR_MS,
      folder: own,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxFiles: 10,
      onBytes: (bytes) => {
        storedBytes += bytes;
      },
      onFile: () => undefined,
    });
    if (opened === undefined) throw new Error('there is no room for a login');
    addresses.push(opened.address);
  }
  return { kind: 'ftp', logins: addresses };
}

/** A receiver that does as little as possible: what comes is written, synced and acknowledged with a byte. */
async function startBare(): Promise<ReceiverReady> {
  let files = 0;
  const take = (socket: Socket): void => {
    files++;
    const path = join(folder, `bare${files}`);
    socket.pipe(createWriteStream(path)).on('close', async () => {
      const handle = await open(path, 'r+');
      await handle.sync();
      await handle.close();
      socket.end('.');
    });
  };
  const server = createServer({ allowHalfOpen: true }, take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { kind: 'bare', port: typeof address === 'object' && address !== null ? address.port : 0 };
}
