// Files that are being handed in. Each is named by the random id of its upload, so that nothing from outside becomes a path.
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from './fileHash.ts';

const UPLOAD_ID = /^[0-9a-f]{32}$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export class UploadFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async start(): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: FOLDER_MODE });
  }

  async create(id: string): Promise<void> {
    const handle = await open(this.pathOf(id), 'wx', FILE_MODE);
    await handle.close();
    const folder = await open(this.#root, 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Undefined for one that isn't there. */
  async size(id: string): Promise<number | undefined> {
    return (await stat(this.pathOf(id)).catch(undefinedIfMissing))?.size;
  }

  /** Settles when the bytes would survive a power cut. A file that couldn't take all of them is as it was. */
  async append(id: string, at: number, bytes: Uint8Array): Promise<void> {
    const handle = await open(this.pathOf(id), constants.O_RDWR);
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
        done += bytesWritten;
      }
      await handle.datasync();
    } catch (error) {
      await handle.truncate(at);
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** One that isn't there is fine. */
  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true });
  }

  async ids(): Promise<string[]> {
    return (await readdir(this.#root)).filter((name) => UPLOAD_ID.test(name));
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#root);
    return bavail * bsize;
  }

  /** Throws for what isn't an id: whoever asks has checked it. */
  pathOf(id: string): string {
    if (!UPLOAD_ID.test(id)) throw new Error('not the id of an upload');
    return join(this.#root, id);
  }
}
