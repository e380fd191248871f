// How fast the file transfer server takes files, beside a bare socket that writes the same, and what many at once cost.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { FtpClient } from '../../../simulator/ftp/ftpClient.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import type { ReceiverReady, ReceiverReport } from './messages.ts';

const MEGABYTE = 1e6;
const FILE_BYTES = 400 * MEGABYTE;
const PIECE = Buffer.alloc(256 * 1024, 'a piece of a recording, of which there are many; ');
const ROUNDS = 5;
const AT_ONCE = 20;
const FILE_AT_ONCE_BYTES = 40 * MEGABYTE;

export async function benchTransfers(): Promise<Record<string, Row[]>> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await withReceiver('ftp', 1, (ready) => megabytesPerSecond(ready, FILE_BYTES)));
    bare.push(await withReceiver('bare', 1, (ready) => megabytesPerSecond(ready, FILE_BYTES)));
  }
  const ratio = rounded(median(ours) / median(bare), 2);
  return {
    'file transfer': [{ 'FTP MB/s': rounded(median(ours)), 'bare socket MB/s': rounded(median(bare)), ratio }],
    'uploads at once': [await withReceiver('ftp', AT_ONCE, manyAtOnce)],
  };
}

async function manyAtOnce(ready: ReceiverReady, child: ChildProcess): Promise<Row> {
  const perSecond = await megabytesPerSecond(ready, FILE_AT_ONCE_BYTES);
  child.send('report');
  const [report] = (await once(child, 'message')) as [ReceiverReport];
  return {
    uploads: AT_ONCE,
    'stored MB': rounded(report.storedBytes / MEGABYTE),
    'MB/s': rounded(perSecond),
    'memory grown by MB': rounded(report.grownBytes / MEGABYTE),
  };
}

async function withReceiver<T>(
  kind: ReceiverReady['kind'],
  logins: number,
  run: (ready: ReceiverReady, child: ChildProcess) => Promise<T>,
): Promise<T> {
  const folder = await createTempFolder();
  const args = [kind, folder.path, String(logins)];
  const child = fork(join(import.meta.dirname, 'receiver.ts'), args, { execArgv: ['--import', 'tsx'] });
  try {
    const [ready] = (await once(child, 'message')) as [ReceiverReady];
    return await run(ready, child);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await folder.remove();
  }
}

/** Until everything is acknowledged, and so on the disk. */
async function megabytesPerSecond(ready: ReceiverReady, bytes: number): Promise<number> {
  const startedMs = performance.now();
  const logins = ready.kind === 'ftp' ? ready.logins : [];
  if (ready.kind === 'bare') await sendBare(ready.port, bytes);
  else await Promise.all(logins.map((login) => upload(login, bytes)));
  const seconds = (performance.now() - startedMs) / 1_000;
  return (bytes * Math.max(1, logins.length)) / MEGABYTE / seconds;
}

async function sendBare(port: number, bytes: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  await write(socket, bytes);
  socket.end();
  await once(socket, 'data');
}

async function upload(
  login: { readonly port: number; readonly user: string; readonly password: string },
  bytes: number,
): Promise<void> {
  const client = new FtpClient({ host: '127.0.0.1', port: login.port, isActive: false });
  await client.ask();
  for (const command of [`USER ${login.user}`, `PASS ${login.password}`, 'TYPE I']) await client.ask(command);
  const data = await client.openData('STOR a.mp4');
  if (data === undefined) throw new Error('the file was refused');
  await write(data, bytes);
  data.end();
  const { code, text } = await client.ask();
  if (code !== 226) throw new Error(`the file was not taken: ${text}`);
  client.close();
}

async function write(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= PIECE.length) {
    if (!socket.write(PIECE.subarray(0, Math.min(left, PIECE.length)))) await once(socket, 'drain');
  }
}
