import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PMTiles, type RangeResponse } from 'pmtiles';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAP_FILE_PATH, MAP_PART_LIMIT } from '../../../../server/http/fleet/mapFileRoute.ts';
import { townFile } from '../../../../simulator/town/townFile.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const TOWN = townFile();

describe("the street map's file", () => {
  let folder: TempFolder;
  let path: string;
  let test: TestApp | undefined;
  beforeEach(async () => {
    folder = await createTempFolder();
    path = join(folder.path, 'region.pmtiles');
    writeFileSync(path, TOWN);
  });
  afterEach(async () => {
    await test?.close();
    test = undefined;
    await folder.remove();
  });

  /** Starts the app and signs in; gives how to ask for the file. */
  async function open(env: Readonly<Record<string, string>> = { MAP_PMTILES: path }) {
    const opened = await createTestApp(env);
    test = opened;
    await opened.addUser('op');
    const cookie = await opened.signIn('op');
    const get = (headers: Readonly<Record<string, string>> = {}) =>
      opened.request({ url: MAP_FILE_PATH, headers: { cookie, ...headers } });
    return { opened, cookie, get };
  }

  const range = (text: string) => ({ range: `bytes=${text}` });

  it('is for signed-in users alone, and the page is told where it is', async () => {
    const { opened, cookie } = await open();
    expect((await opened.request({ url: MAP_FILE_PATH, headers: range('0-9') })).statusCode).toBe(401);
    const { data } = (await opened.request({ url: '/api/dashboard/map', headers: { cookie } })).json();
    expect(data).toEqual({ styleUrl: '', pmtilesUrl: MAP_FILE_PATH, attribution: '' });
  });

  it('is nowhere unless one is configured', async () => {
    const { opened, cookie, get } = await open({});
    expect((await get(range('0-9'))).statusCode).toBe(404);
    const { data } = (await opened.request({ url: '/api/dashboard/map', headers: { cookie } })).json();
    expect(data.pmtilesUrl).toBe('');
  });

  it('comes in the parts that are asked for', async () => {
    const { get } = await open();
    const part = await get(range('100-299'));
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload).toEqual(TOWN.subarray(100, 300));
    expect(part.headers).toMatchObject({
      'content-range': `bytes 100-299/${TOWN.length}`,
      'content-length': '200',
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
    });
    expect((await get(range('-50'))).rawPayload).toEqual(TOWN.subarray(-50));
    // More than there is, in more digits than a number has.
    const rest = await get(range(`7-${'9'.repeat(40)}`));
    expect([rest.statusCode, rest.rawPayload.length]).toEqual([206, TOWN.length - 7]);
    const beyond = await get(range(`${TOWN.length}-`));
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${TOWN.length}`]);
    // A small file is answered whole to whoever asks for no part of it.
    const whole = await get();
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, TOWN.length]);
  });

  it('is never answered with more than a bounded part, however large file and range are', async () => {
    truncateSync(path, 3 * MAP_PART_LIMIT.max);
    const { get } = await open();
    const part = await get(range('10-'));
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, MAP_PART_LIMIT.max]);
    expect(part.headers['content-range']).toBe(`bytes 10-${MAP_PART_LIMIT.max + 9}/${3 * MAP_PART_LIMIT.max}`);
    expect((await get()).statusCode).toBe(400);
    expect((await get({ ...range('0-9'), 'if-range': '"of another file"' })).statusCode).toBe(400);
  });

  it('has another tag when it was replaced while the gateway runs', async () => {
    const { get } = await open();
    const before = String((await get(range('0-9'))).headers.etag);
    expect(before).toMatch(/^"[\w-]+"$/);
    expect((await get({ ...range('0-9'), 'if-range': before })).statusCode).toBe(206);
    const next = join(folder.path, 'next');
    writeFileSync(next, TOWN);
    appendFileSync(next, 'more');
    renameSync(next, path);
    const after = await get({ ...range('0-9'), 'if-range': before });
    expect([after.statusCode, after.rawPayload.length]).toEqual([200, TOWN.length + 4]);
    expect(after.headers.etag).not.toBe(before);
  });

  it.each([
    ['is missing', () => renameSync(path, `${path}.away`), 'ENOENT'],
    ['is something else', () => writeFileSync(path, 'hello'), 'it is no PMTiles file'],
    ['is cut off', () => truncateSync(path, TOWN.length - 1), 'it is cut off before its tiles end'],
    ['is of another version', () => writeFileSync(path, changed(7, 2)), 'it is PMTiles of version 2, not 3'],
    ['holds pictures', () => writeFileSync(path, changed(99, 2)), 'not vector tiles'],
    ['is packed as browsers cannot read', () => writeFileSync(path, changed(98, 3)), 'something else than gzip'],
  ])('that %s is a clear answer and one line of the log', async (_how, spoil, reason) => {
    spoil();
    const { opened, get } = await open();
    expect(opened.logged()).toContain(reason);
    const answer = await get(range('0-9'));
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'map-unreadable']);
    await get(range('0-9'));
    expect(opened.logged().split("MAP_PMTILES) can't be used").length - 1).toBe(1);
    writeFileSync(`${path}.good`, TOWN);
    renameSync(`${path}.good`, path);
    expect((await get(range('0-9'))).statusCode).toBe(206);
    expect(opened.logged()).toContain('can be read again');
  });

  it('may not be a folder', async () => {
    const { opened, get } = await open({ MAP_PMTILES: folder.path });
    expect(opened.logged()).toContain("can't be used: it is no file");
    expect((await get(range('0-9'))).statusCode).toBe(503);
  });

  it('is read by the library that the page reads it with', async () => {
    const { get } = await open();
    const source = {
      getKey: () => 'map',
      getBytes: async (offset: number, length: number): Promise<RangeResponse> => {
        const { rawPayload } = await get(range(`${offset}-${offset + length - 1}`));
        return { data: new Uint8Array(rawPayload).buffer };
      },
    };
    const map = new PMTiles(source);
    expect(await map.getMetadata()).toMatchObject({ attribution: 'Fictional town' });
    expect((await map.getZxy(0, 0, 0))?.data.byteLength).toBeGreaterThan(10);
  });
});

/** The town with one byte of its header changed. */
function changed(at: number, value: number): Buffer {
  const file = Buffer.from(TOWN);
  file.writeUInt8(value, at);
  return file;
}
