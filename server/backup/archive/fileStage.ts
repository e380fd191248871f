// Writes the files of an archive into a folder, `<kind>/<name>`, each synced. Both names consist of our own letters: never a path.
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileHeader } from './manifest.ts';

export class FileStage {
  readonly #folder: string;
  #handle: FileHandle | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Rejects for a name that has come before. */
  async begin({ kind, name }: FileHeader): Promise<void> {
    const folder = join(this.#folder, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#handle = await open(join(folder, name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  }

  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await this.#open.write(bytes, at)).bytesWritten;
  }

  async end(): Promise<void> {
    await this.#open.sync();
    await this.close();
  }

  /** Closes a file that was begun. Safe at any time. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  get #open(): FileHandle {
    if (this.#handle === undefined) throw new Error('bytes of no file');
    return this.#handle;
  }
}
