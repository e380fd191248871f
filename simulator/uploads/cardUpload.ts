// One upload of a simulated terminal (0x9206): its files one after another, with the habits that it has.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { BodyOf } from '../../server/device/jt808/codec/message.ts';
import { runAfter } from '../../server/faults/timers.ts';
import { FtpClient } from '../ftp/ftpClient.ts';
import type { UploadQuirks } from '../quirks.ts';
import { reportFault } from '../reportFault.ts';
import type { UploadFile } from './uploadFiles.ts';

export interface CardUploadOptions {
  readonly target: Pick<BodyOf<'fileUpload'>, 'host' | 'port' | 'user' | 'password' | 'path'>;
  readonly files: readonly UploadFile[];
  readonly quirks: UploadQuirks;
  /** The server has said that it has the file (226). */
  readonly onAcknowledged: (file: UploadFile) => void;
}

const PIECE_BYTES = 32 * 1024;

/** Owns its connections until `run` has settled. */
export class CardUpload {
  readonly #options: CardUploadOptions;
  #client: FtpClient | undefined;
  #isPaused = false;
  #isCanceled = false;
  #hasBroken = false;
  #wake = (): void => undefined;

  constructor(options: CardUploadOptions) {
    this.#options = options;
  }

  /** Whether all files are there. */
  async run(): Promise<boolean> {
    for (const file of this.#options.files) if (!(await this.#upload(file))) return false;
    await this.#client?.ask('QUIT');
    this.#client?.close();
    return true;
  }

  pause(): void {
    this.#isPaused = true;
  }

  goOn(): void {
    this.#isPaused = false;
    this.#wake();
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#client?.close();
    this.#wake();
  }

  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  async #upload(file: UploadFile): Promise<boolean> {
    const isThere = await this.#bring(file);
    if (isThere) this.#options.onAcknowledged(file);
    return isThere;
  }

  async #bring({ name, bytes: make }: UploadFile): Promise<boolean> {
    const bytes = make();
    const { resumes } = this.#options.quirks;
    if (await this.#attempt(name, bytes, 0)) return true;
    if (resumes === undefined || this.#isCanceled) return false;
    if (resumes === 'anew') return this.#attempt(name, bytes, 0);
    const client = await this.#signedIn();
    const size = await client?.ask(`SIZE ${name}`);
    const offset = size?.code === 213 ? Number(size.text.slice(4)) : 0;
    return this.#attempt(name, bytes, offset);
  }

  async #attempt(name: string, bytes: Uint8Array, offset: number): Promise<boolean> {
    const client = await this.#signedIn();
    if (client === undefined) return false;
    const isAppended = offset > 0 && this.#options.quirks.resumes === 'append';
    if (offset > 0 && !isAppended) await client.ask(`REST ${offset}`);
    const data = await client.openData(`${isAppended ? 'APPE' : 'STOR'} ${name}`);
    if (data === undefined || !(await this.#write(data, bytes, offset))) {
      client.reset();
      this.#client = undefined;
      return false;
    }
    data.end();
    return (await client.ask()).code === 226;
  }

  /** No faster than the network takes it, or than its own habit. */
  async #write(data: Socket, bytes: Uint8Array, offset: number): Promise<boolean> {
    const { breaksOffAfterBytes = Number.POSITIVE_INFINITY, bytesPerSecond } = this.#options.quirks;
    const breaksAt = this.#hasBroken ? Number.POSITIVE_INFINITY : breaksOffAfterBytes;
    for (let at = offset; at < bytes.length; at += PIECE_BYTES) {
      while (this.#isPaused && !this.#isCanceled) await this.#sleep(undefined);
      if (this.#isCanceled || data.destroyed) return false;
      if (at >= breaksAt) {
        this.#hasBroken = true;
        return false;
      }
      if (!data.write(bytes.subarray(at, at + PIECE_BYTES))) await drained(data);
      if (bytesPerSecond !== undefined) await this.#sleep((PIECE_BYTES * 1_000) / bytesPerSecond);
    }
    return !data.destroyed;
  }

  async #signedIn(): Promise<FtpClient | undefined> {
    if (this.#client !== undefined) return this.#client;
    const { target, quirks } = this.#options;
    const client = new FtpClient({ host: target.host, port: target.port, isActive: quirks.isActive === true });
    this.#client = client;
    if ((await client.signIn(target)) && (await client.ask(`CWD ${target.path}`)).code === 250) return client;
    client.close();
    this.#client = undefined;
    return undefined;
  }

  /** Without a time: until it is told to go on. */
  async #sleep(delayMs: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = delayMs === undefined ? undefined : runAfter(delayMs, resolve, reportFault);
      this.#wake = () => {
        cancel?.();
        resolve();
      };
    });
  }
}

async function drained(data: Socket): Promise<void> {
  if (data.destroyed) return;
  const end = new AbortController();
  await Promise.race(
    ['drain', 'close'].map((event) => once(data, event, { signal: end.signal }).catch(() => undefined)),
  );
  end.abort();
}
