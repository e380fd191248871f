import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../../server/http/events/package/packageArchive.ts';

const SIGNER = { publicKey: 'key', sign: () => new Uint8Array(64) };
const MTIME = new Date(2026, 10, 23);

/** More than the archive takes before its download begins. */
function endlessFile(): Readable {
  const part = new Uint8Array(256 * 1024);
  return new Readable({
    read() {
      this.push(part);
    },
  });
}

describe('a package whose download is broken off', () => {
  it('closes the file that it is reading, and opens no other', async () => {
    const file = endlessFile();
    const opened: string[] = [];
    const open = (name: string) => async () => {
      opened.push(name);
      return file;
    };
    const body = openPackage(
      ['a.mp4', 'b.mp4'].map((name) => ({ name, open: open(name), bytes: 0 })),
      SIGNER,
      MTIME,
    );
    await once(body, 'readable');
    body.destroy();
    await once(file, 'close');
    expect(opened).toEqual(['a.mp4']);
  });

  it('closes a file that was being opened', async () => {
    const file = endlessFile();
    let arrive: (opened: Readable) => void = () => undefined;
    const opening = new Promise<Readable>((resolve) => {
      arrive = resolve;
    });
    const body = openPackage([{ name: 'a.mp4', open: () => opening, bytes: 0 }], SIGNER, MTIME);
    body.destroy();
    await once(body, 'close');
    const isClosed = once(file, 'close');
    arrive(file);
    await isClosed;
    expect(file.destroyed).toBe(true);
  });
});
