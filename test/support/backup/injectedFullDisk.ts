// A disk that is full after so many bytes, for those who may mount none: of files that are written through a handle of Node.
import { type FileHandle, open } from 'node:fs/promises';
import { vi } from 'vitest';

export interface InjectedFullDisk {
  /** Bytes that were asked to be written. */
  readonly asked: () => number;
  /** There is room again. */
  release(): void;
}

export async function fillDiskAfter(bytes: number): Promise<InjectedFullDisk> {
  const handle = await open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  let asked = 0;
  const take = (length: number): void => {
    asked += length;
    if (asked > bytes) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const { write, writeFile } = prototype;
  const spies = [
    vi.spyOn(prototype, 'write').mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
      const [part, at = 0] = given as [Buffer, number | undefined];
      take(part.length - at);
      return Reflect.apply(write, this, given);
    } as typeof write),
    vi.spyOn(prototype, 'writeFile').mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
      take(String(given[0]).length);
      return Reflect.apply(writeFile, this, given);
    } as typeof writeFile),
  ];
  return {
    asked: () => asked,
    release: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
