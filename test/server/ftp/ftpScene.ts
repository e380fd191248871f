// A file transfer server on free ports, and terminals that say to it what the test wants.
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FtpAddress, FtpDownloadLogin, FtpFile, FtpUploadLogin } from '../../../server/ftp/ftpLogin.ts';
import type { FtpNote } from '../../../server/ftp/ftpNote.ts';
import { FtpServer, type FtpServerDeps } from '../../../server/ftp/ftpServer.ts';
import { ONE_OWNER } from '../../support/fakes/deviceOwners.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

export const OWNER = {
  deviceId: 'BUS1',
  incarnation: 1,
  remoteAddress: '127.0.0.1',
  localAddress: '127.0.0.1',
} as const;
const HOUR_MS = 3_600_000;

export interface FtpScene {
  readonly server: FtpServer;
  readonly folder: string;
  readonly faults: Error[];
  readonly notes: FtpNote[];
  readonly limits: string[];
  upload(change?: Partial<FtpUploadLogin>): Promise<OpenUpload>;
  download(change: Pick<FtpDownloadLogin, 'file' | 'bytes'> & Partial<FtpDownloadLogin>): OpenDownload;
}

export interface OpenUpload {
  readonly address: FtpAddress;
  readonly close: () => void;
  readonly folder: string;
  readonly files: FtpFile[];
  readonly receivedBytes: () => number;
}

interface OpenDownload {
  readonly address: FtpAddress;
  readonly close: () => void;
  readonly sent: { readonly offset: number; readonly bytes: number }[];
}

/** Closed when the test has finished. Faults are for the test to look at. */
export async function startFtpScene(
  change: Partial<FtpServerDeps> = {},
  passivePorts = { first: 0, last: 0 },
): Promise<FtpScene> {
  const temp = await createTempFolder();
  const faults: Error[] = [];
  const notes: FtpNote[] = [];
  const limits: string[] = [];
  const server = await FtpServer.start(
    {
      host: '127.0.0.1',
      port: 0,
      passivePorts,
      publicHost: undefined,
      publicPort: undefined,
    },
    {
      now: Date.now,
      runAfter: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      owners: ONE_OWNER,
      lookup: () => Promise.reject(new Error('nothing is looked up')),
      onLimit: ({ name }) => limits.push(name),
      onFault: (error) => faults.push(error),
      onNote: (note) => notes.push(note),
      ...change,
    },
  );
  onTestFinished(async () => {
    await server.close();
    await temp.remove();
  });
  let opened = 0;
  return {
    server,
    folder: temp.path,
    faults,
    notes,
    limits,
    upload: async (login = {}) => {
      opened++;
      const folder = join(temp.path, `upload${opened}`);
      await mkdir(folder);
      const files: FtpFile[] = [];
      let bytes = 0;
      const open = server.open({
        ...OWNER,
        kind: 'upload',
        untilMs: Date.now() + HOUR_MS,
        folder,
        maxBytes: 64 * 1024 * 1024,
        maxFiles: 8,
        onFile: (file) => void files.push(file),
        ...login,
        onBytes: (count) => {
          bytes += count;
          login.onBytes?.(count);
        },
      });
      if (open === undefined) throw new Error('there is no room for a login');
      return { ...open, folder, files, receivedBytes: () => bytes };
    },
    download: ({ file, bytes, beforeEnd = async () => true }) => {
      const sent: { offset: number; bytes: number }[] = [];
      const open = server.open({
        ...OWNER,
        kind: 'download',
        untilMs: Date.now() + HOUR_MS,
        file,
        bytes,
        onBytes: (offset, count) => sent.push({ offset, bytes: count }),
        beforeEnd,
      });
      if (open === undefined) throw new Error('there is no room for a login');
      return { ...open, sent };
    },
  };
}

/** A control connection on which every byte is the test's. */
export class RawFtpClient {
  readonly socket: Socket;
  #text = '';
  #isClosed = false;

  constructor({ port }: Pick<FtpAddress, 'port'>, localAddress = '127.0.0.1') {
    this.socket = connect({ host: '127.0.0.1', port, localAddress });
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
    });
    this.socket.on('close', () => {
      this.#isClosed = true;
    });
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** The next answer, whole. */
  async reply(): Promise<string> {
    const isWhole = (text: string): boolean => /^\d{3} [^\n]*\n|^(\d{3})-[\s\S]*?\n\1 [^\n]*\n/.test(text);
    await waitFor('an answer', () => isWhole(this.#text) || this.#isClosed);
    const [whole = ''] = /^\d{3} [^\n]*\n|^(\d{3})-[\s\S]*?\n\1 [^\n]*\n/.exec(this.#text) ?? [];
    this.#text = this.#text.slice(whole.length);
    return whole.trim();
  }

  /** The code of the answer to a command. */
  async code(command: string): Promise<number> {
    return Number((await this.ask(command)).slice(0, 3));
  }

  async ask(command: string): Promise<string> {
    this.send(`${command}\r\n`);
    return this.reply();
  }

  closed(): Promise<unknown> {
    return waitFor('the connection is closed', () => this.#isClosed);
  }

  async signIn({ user, password }: FtpAddress): Promise<this> {
    await this.reply();
    await this.ask(`USER ${user}`);
    const answer = await this.ask(`PASS ${password}`);
    if (!answer.startsWith('230')) throw new Error(`not signed in: ${answer}`);
    return this;
  }

  /** The port that PASV or EPSV names. */
  async passive(command = 'EPSV'): Promise<number> {
    const answer = await this.ask(command);
    const extended = /\|\|\|(\d+)\|/.exec(answer);
    if (extended !== null) return Number(extended[1]);
    const [, high, low] = /,(\d+),(\d+)\)/.exec(answer) ?? [];
    return Number(high) * 256 + Number(low);
  }

  async data(command?: string): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: await this.passive(command) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Gives the last answer. */
  async store(command: string, bytes: Uint8Array): Promise<string> {
    const data = await this.data();
    const opening = await this.ask(command);
    if (!opening.startsWith('150')) {
      data.destroy();
      return opening;
    }
    data.end(bytes);
    return this.reply();
  }
}

export async function dial(address: FtpAddress): Promise<RawFtpClient> {
  return new RawFtpClient(address).signIn(address);
}

/** Waits for one connection, as a terminal in active mode. */
export async function listenOnce(): Promise<{ readonly port: number; readonly came: Promise<Socket> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const came = once(server, 'connection').then(([socket]) => {
    const accepted = socket as Socket;
    accepted.on('error', () => undefined);
    return accepted;
  });
  return { port: typeof address === 'object' && address !== null ? address.port : 0, came };
}

/** Bytes of which no two pieces are alike. */
export function patterned(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + (at >>> 8) * 7 + (at >>> 16)) & 0xff;
  return bytes;
}
