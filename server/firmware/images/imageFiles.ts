// Images on disk, each under the hash of its content: what has a name is whole, and the same content is there once.
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile, undefinedIfMissing } from '../../uploads/fileHash.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const FOLDER_MODE = 0o700;

export interface ImageContent {
  readonly sha256: string;
  readonly bytes: number;
}

export class ImageFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async start(): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: FOLDER_MODE });
  }

  /** Moves a file here whose content has just been compared with its hash; one that may have been damaged since is replaced. */
  async adopt(path: string, sha256: string): Promise<void> {
    await rename(path, this.pathOf(sha256));
    const folder = await open(this.#root, 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Its path, once its content has been compared with its hash; undefined where it is damaged or gone. */
  async verifiedFile({ sha256, bytes }: ImageContent): Promise<string | undefined> {
    const path = this.pathOf(sha256);
    if ((await stat(path).catch(undefinedIfMissing))?.size !== bytes) return undefined;
    return (await sha256OfFile(path))?.sha256 === sha256 ? path : undefined;
  }

  /** One that isn't there is fine. */
  async remove(sha256: string): Promise<void> {
    await rm(this.pathOf(sha256), { force: true });
  }

  async hashes(): Promise<string[]> {
    return (await readdir(this.#root)).filter((name) => SHA256.test(name));
  }

  /** Throws for what is no hash: what comes from outside has been checked. */
  pathOf(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error('not a hash in hex');
    return join(this.#root, sha256);
  }
}
