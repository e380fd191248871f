// Programs of others that speak FTP: curl where it is installed, and a library.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { Client } from 'basic-ftp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FtpAddress } from '../../../server/ftp/ftpLogin.ts';
import { patterned, startFtpScene } from './ftpScene.ts';

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
const BYTES = patterned(2_000_000);

const urlOf = ({ host, port, path }: FtpAddress): string => `ftp://${host}:${port}${path}`;
const curl = ({ user, password }: FtpAddress, ...args: string[]) =>
  run('curl', ['--silent', '--show-error', '--noproxy', '*', '--user', `${user}:${password}`, ...args], {
    encoding: 'buffer',
    maxBuffer: 2 * BYTES.length,
  });

describe.skipIf(!hasCurl)('curl', () => {
  it.each([
    ['by EPSV', []],
    ['by PASV', ['--disable-epsv']],
    ['by EPRT', ['--ftp-port', '-']],
    ['by PORT', ['--ftp-port', '-', '--disable-eprt']],
    ['into folders that it makes', ['--ftp-create-dirs']],
  ] as const)('uploads %s', async (_, options) => {
    const scene = await startFtpScene();
    const { address, files } = await scene.upload();
    const source = join(scene.folder, 'source');
    await writeFile(source, BYTES);
    await curl(address, ...options, '--upload-file', source, `${urlOf(address)}/day/a.mp4`);
    expect(files).toMatchObject([{ name: 'a.mp4', bytes: BYTES.length, isWhole: true }]);
    expect((await readFile(files[0]?.path ?? '')).equals(BYTES)).toBe(true);
    expect(scene.faults).toEqual([]);
  });

  it('goes on with a file where it stopped', async () => {
    const scene = await startFtpScene();
    const { address, files } = await scene.upload();
    const source = join(scene.folder, 'source');
    const url = `${urlOf(address)}/a.mp4`;
    await writeFile(source, BYTES.subarray(0, 700_000));
    await curl(address, '--upload-file', source, url);
    await writeFile(source, BYTES);
    await curl(address, '--continue-at', '-', '--upload-file', source, url);
    expect((await readFile(files.at(-1)?.path ?? '')).equals(BYTES)).toBe(true);
    expect(new Set(files.map(({ path }) => path)).size).toBe(1);
  });

  it('fetches the one file of its login, from any place in it', async () => {
    const scene = await startFtpScene();
    const file = join(scene.folder, 'image');
    await writeFile(file, BYTES);
    const { address, sent } = scene.download({ file, bytes: BYTES.length });
    expect((await curl(address, urlOf(address))).stdout.equals(BYTES)).toBe(true);
    expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(BYTES.length);
    const rest = await curl(address, '--continue-at', '1500000', urlOf(address));
    expect(rest.stdout.equals(BYTES.subarray(1_500_000))).toBe(true);
  });

  it('is shown no list', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    await expect(curl(address, `ftp://${address.host}:${address.port}/`)).rejects.toThrow();
  });
});

describe('basic-ftp', () => {
  async function signedIn({ host, port, user, password }: FtpAddress): Promise<Client> {
    const client = new Client(20_000);
    onTestFinished(() => client.close());
    await client.access({ host, port, user, password });
    return client;
  }

  it('uploads, appends and asks for the size', async () => {
    const scene = await startFtpScene();
    const { address, files } = await scene.upload();
    const client = await signedIn(address);
    await client.cd(address.path);
    expect(await client.pwd()).toBe(address.path);
    await client.uploadFrom(Readable.from([BYTES.subarray(0, 900_000)]), 'a.mp4');
    expect(await client.size('a.mp4')).toBe(900_000);
    await client.appendFrom(Readable.from([BYTES.subarray(900_000)]), 'a.mp4');
    expect(files.map(({ bytes, isWhole }) => [bytes, isWhole])).toEqual([
      [900_000, true],
      // It changes now.
      [900_000, false],
      [BYTES.length, true],
    ]);
    expect((await readFile(files[0]?.path ?? '')).equals(BYTES)).toBe(true);
  });

  it('uploads many files over one connection', async () => {
    const scene = await startFtpScene();
    const { address, files } = await scene.upload();
    const client = await signedIn(address);
    for (let at = 1; at <= 8; at++) await client.uploadFrom(Readable.from([BYTES.subarray(0, at)]), `${at}`);
    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual(
      Array.from({ length: 8 }, (_, at) => [`${at + 1}`, at + 1]),
    );
  });

  it('fetches the one file of its login', async () => {
    const scene = await startFtpScene();
    const file = join(scene.folder, 'image');
    await writeFile(file, BYTES);
    const { address } = scene.download({ file, bytes: BYTES.length });
    const client = await signedIn(address);
    const pieces: Buffer[] = [];
    const into = new Writable({
      write: (chunk: Buffer, _, done) => {
        pieces.push(chunk);
        done();
      },
    });
    expect(await client.size(address.path)).toBe(BYTES.length);
    await client.downloadTo(into, address.path, 500_000);
    expect(Buffer.concat(pieces).equals(BYTES.subarray(500_000))).toBe(true);
    await expect(client.downloadTo(into, '/etc/passwd')).rejects.toThrow('550');
    await expect(client.uploadFrom(Readable.from(['x']), 'x')).rejects.toThrow('550');
    await expect(client.list()).rejects.toThrow();
  });
});
