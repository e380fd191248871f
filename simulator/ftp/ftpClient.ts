// The FTP of a simulated terminal: as much of it as such firmware has.
import type { Server, Socket } from 'node:net';
import { createTcpServer, listenOn, openSocket } from '../../server/faults/sockets.ts';
import { reportFault } from '../reportFault.ts';

export interface FtpReply {
  readonly code: number;
  readonly text: string;
}

/** The connection is over. */
const NO_REPLY: FtpReply = { code: 0, text: '' };

/** Owns its sockets until `close`. Answers are waited for one at a time. */
export class FtpClient {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #isActive: boolean;
  readonly #replies: FtpReply[] = [];
  #text = '';
  #wake: (() => void) | undefined;
  #isClosed = false;
  #data: Socket | undefined;
  #listener: Server | undefined;

  /** `isActive`: the server has to dial. */
  constructor({ host, port, isActive }: { readonly host: string; readonly port: number; readonly isActive: boolean }) {
    this.#host = host;
    this.#isActive = isActive;
    this.#socket = openSocket({ host, port }, reportFault);
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#heard(text));
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#wake?.();
    });
  }

  /** Gives its answer, or that to the connection itself when there is no command. Code 0: the connection is over. */
  async ask(command?: string): Promise<FtpReply> {
    if (command !== undefined) this.#socket.write(`${command}\r\n`);
    while (this.#replies.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#replies.shift() ?? NO_REPLY;
  }

  /** Hears the welcome, which is the first answer, and asks for files as bytes. */
  async signIn({ user, password }: { readonly user: string; readonly password: string }): Promise<boolean> {
    const answers = [await this.ask()];
    for (const command of [`USER ${user}`, `PASS ${password}`, 'TYPE I']) answers.push(await this.ask(command));
    return answers.every(({ code }) => code >= 200 && code < 400);
  }

  /** A data connection for STOR, APPE or RETR; undefined when the server takes none. */
  async openData(command: string): Promise<Socket | undefined> {
    const data = await (this.#isActive ? this.#beDialled(command) : this.#dial(command));
    this.#data = data;
    return data;
  }

  /** At once, as when the network is gone. */
  reset(): void {
    this.#data?.resetAndDestroy();
    this.close();
  }

  close(): void {
    this.#listener?.close();
    this.#data?.destroy();
    this.#socket.destroy();
  }

  async #dial(command: string): Promise<Socket | undefined> {
    const { text } = await this.ask('PASV');
    const [, high, low] = /,(\d{1,3}),(\d{1,3})\)/.exec(text) ?? [];
    if (high === undefined || low === undefined) return undefined;
    // The address that the server names may be one that is only right outside: the control connection's own is.
    const data = openSocket({ host: this.#host, port: Number(high) * 256 + Number(low) }, reportFault);
    if ((await this.ask(command)).code === 150) return data;
    data.destroy();
    return undefined;
  }

  async #beDialled(command: string): Promise<Socket | undefined> {
    let accept = (_: Socket | undefined): void => undefined;
    const came = new Promise<Socket | undefined>((resolve) => {
      accept = resolve;
    });
    const listener = createTcpServer({}, (socket) => accept(socket), reportFault);
    this.#listener = listener;
    const host = this.#socket.localAddress ?? '127.0.0.1';
    await listenOn(listener, host, 0);
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ready = await this.ask(`PORT ${[...host.split('.'), port >>> 8, port & 0xff].join(',')}`);
    const isOpening = ready.code === 200 && (await this.ask(command)).code === 150;
    if (!isOpening) accept(undefined);
    this.#socket.once('close', () => accept(undefined));
    const data = await came;
    listener.close();
    return data;
  }

  #heard(text: string): void {
    const lines = (this.#text + text).split('\r\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      // Lines of a longer answer have no code, or a dash behind it.
      const [, code] = /^(\d{3}) /.exec(line) ?? [];
      if (code !== undefined) this.#replies.push({ code: Number(code), text: line });
    }
    this.#wake?.();
  }
}
