import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  readonly path: string;
  /** Removes the folder and all in it; safe to call twice. */
  remove(): Promise<void>;
}

/** A new empty folder. Whoever asks for it removes it, in `onTestFinished` or `afterAll`. */
export async function createTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'fleetglass-test-'));
  return {
    path,
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
