// The files of results. Who knows a name can't guess another one, and none is served by its name.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const NAME_BYTES = 16;
const NAME = /^[0-9a-f]{32}$/;
const ENDING = '.db';

export class ResultFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  newName(): string {
    return randomBytes(NAME_BYTES).toString('hex');
  }

  pathOf(name: string): string {
    if (!NAME.test(name)) throw new RangeError('that is no name of a result');
    return join(this.#path, `${name}${ENDING}`);
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** What no job names: a run that was killed left them. */
  async removeOthers(names: ReadonlySet<string>): Promise<void> {
    for (const file of await readdir(this.#path)) {
      const name = file.slice(0, 2 * NAME_BYTES);
      if (!NAME.test(name) || names.has(name)) continue;
      await rm(join(this.#path, file), { force: true });
    }
  }
}
