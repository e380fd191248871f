// Uploads, images and downloads, over sockets, by those who mean well and those who don't.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../support/waitFor.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const CONTENT = randomBytes(100_000);
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const IMAGE = {
  name: 'Recorder',
  vendor: '',
  models: ['MDVR-*'],
  hardwareVersion: '',
  firmwareVersion: '2.0',
  minimumVersion: '',
  part: 'terminal',
  notes: '',
};
const SESSION = {
  deviceId: 'BUS1',
  incarnation: 1,
  remoteAddress: '127.0.0.1',
  localAddress: '127.0.0.1',
  relaxedMediaAddress: false,
};

describe('firmware images', () => {
  let test: TestApp;
  let base: string;
  let cookie: string;
  beforeEach(async () => {
    test = await createTestApp();
    const memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.addUser('ann', ['fwupdate'], [memberGroup]);
    await test.addUser('bob', ['fwupdate'], [memberGroup]);
    cookie = await cookieFor(test, 'ann');
    base = await test.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => test.close());

  async function call(method: string, path: string, body?: object | Buffer, as = cookie) {
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { cookie: as, origin: base, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const { code, data } = (await response.json()) as { code?: string; data: Record<string, never> };
    return { status: response.status, code, data };
  }
  const begin = async (bytes = CONTENT.length, sha256 = SHA256) => {
    const begun = await call('POST', '/api/upload/begin', { purpose: 'firmware', bytes, sha256 });
    return { ...begun, id: String(begun.data?.id) };
  };
  const part = (id: string, offset: number | string, bytes: Buffer, as?: string) =>
    call('POST', `/api/upload/part?id=${id}&offset=${offset}`, bytes, as);
  const addImage = async () => {
    const { id } = await begin();
    await part(id, 0, CONTENT);
    return call('POST', '/api/firmware/images', { ...IMAGE, upload: id });
  };
  const linkTo = async (session = SESSION, beforeEnd = async () => true) => {
    const file = await test.firmware.images.verifiedFile({ sha256: SHA256, bytes: CONTENT.length });
    if (file === undefined) throw new Error('no image');
    const image = { file, bytes: CONTENT.length, sha256: SHA256, vendor: '', firmwareVersion: '2.0', partCode: 0 };
    const sent: number[] = [];
    const untilMs = test.clock.now + 60_000;
    const onBytes = (_: number, bytes: number) => void sent.push(bytes);
    const link = test.firmware.links.open({ session, image, untilMs, onBytes, beforeEnd });
    if (link === undefined) throw new Error('no link');
    return { ...link, url: link.url.replace('http://gateway.example', base), sent };
  };

  it('are handed in by parts that may repeat bytes and leave no gap', async () => {
    const { id } = await begin();
    expect((await part(id, 0, CONTENT.subarray(0, 60_000))).data.receivedBytes).toBe(60_000);
    expect(await part(id, 70_000, CONTENT.subarray(70_000))).toMatchObject({
      status: 409,
      code: 'upload-misplaced',
      data: { current: { receivedBytes: 60_000 } },
    });
    const twice = await Promise.all([part(id, 0, CONTENT), part(id, 50_000, CONTENT.subarray(50_000))]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect((await part(id, 0, Buffer.concat([CONTENT, CONTENT]))).code).toBe('upload-misplaced');
    const added = await call('POST', '/api/firmware/images', { ...IMAGE, upload: id });
    expect(added).toMatchObject({ status: 200, data: { sha256: SHA256, bytes: CONTENT.length, openTasks: 0 } });
    expect(readdirSync(test.firmware.imageFolder)).toEqual([SHA256]);
    expect((await call('GET', `/api/upload/state?id=${id}`)).code).toBe('no-such-upload');
  });

  it('that are incomplete or damaged are refused with the reason', async () => {
    const { id } = await begin();
    expect((await call('POST', '/api/firmware/images', { ...IMAGE, upload: id })).code).toBe('upload-incomplete');
    await part(id, 0, randomBytes(CONTENT.length));
    expect((await call('POST', '/api/firmware/images', { ...IMAGE, upload: id })).code).toBe('upload-damaged');
    expect(readdirSync(test.firmware.uploadFolder)).toEqual([]);
    expect((await begin(0)).status).toBe(400);
    expect((await begin(513 * 1024 ** 2)).code).toBe('upload-too-large');
  });

  it('let a hundred beginnings at once through up to three, and nobody else and no path near them', async () => {
    // Each upload is of another file: one of the same file would resume.
    const all = await Promise.all(Array.from({ length: 100 }, (_, at) => begin(CONTENT.length + at)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(readdirSync(test.firmware.uploadFolder)).toHaveLength(3);
    const [{ id } = { id: '' }] = all.filter(({ status }) => status === 200);
    const bob = await cookieFor(test, 'bob');
    expect((await part(id, 0, CONTENT, bob)).code).toBe('no-such-upload');
    for (const wrong of ['../../etc/passwd', '%2e%2e%2f', `${id}%00`, 'A'.repeat(32)]) {
      expect((await part(wrong, 0, CONTENT)).status).toBe(400);
    }
    for (const offset of ['-1', '1e9', '999999999999999']) {
      expect([400, 409]).toContain((await part(id, offset, CONTENT)).status);
    }
  });

  it('lose nothing but the part whose connection breaks off', async () => {
    const { id } = await begin();
    await part(id, 0, CONTENT.subarray(0, 1_000));
    const { port } = new URL(base);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = `POST /api/upload/part?id=${id}&offset=1000 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${base}\r\n`;
    socket.write(`${head}cookie: ${cookie}\r\ncontent-type: application/octet-stream\r\ncontent-length: 50000\r\n\r\n`);
    await new Promise<void>((resolve) => socket.write(CONTENT.subarray(1_000, 20_000), () => resolve()));
    socket.destroy();
    expect((await part(id, 1_000, CONTENT.subarray(1_000))).data.receivedBytes).toBe(CONTENT.length);
  });

  it('are downloaded by terminals with ranges, and by nobody else', async () => {
    await addImage();
    const { url, sent, close } = await linkTo();
    const whole = await fetch(url);
    expect(Buffer.from(await whole.arrayBuffer()).equals(CONTENT)).toBe(true);
    expect(whole.headers.get('set-cookie')).toBeNull();
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(CONTENT.length);
    const end = await fetch(url, { headers: { range: 'bytes=99000-' } });
    expect([end.status, end.headers.get('content-range')]).toEqual([206, 'bytes 99000-99999/100000']);
    expect(Buffer.from(await end.arrayBuffer()).equals(CONTENT.subarray(99_000))).toBe(true);
    for (const range of ['bytes=9-1', 'pigs=1-2', 'bytes=0-1,5-6', 'bytes=--', 'bytes=abc-']) {
      const ignored = await fetch(url, { headers: { range } });
      expect([ignored.status, (await ignored.arrayBuffer()).byteLength], range).toEqual([200, CONTENT.length]);
    }
    expect((await fetch(url, { headers: { range: 'bytes=100000-' } })).status).toBe(416);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      '100000',
      `"${SHA256}"`,
    ]);
    const elsewhere = await linkTo({ ...SESSION, remoteAddress: '192.0.2.9' });
    expect((await fetch(elsewhere.url)).status).toBe(404);
    expect(
      (await fetch((await linkTo({ ...SESSION, remoteAddress: '192.0.2.9', relaxedMediaAddress: true })).url)).status,
    ).toBe(200);
    close();
    expect((await fetch(url)).status).toBe(404);
    await waitFor('no downloads', () => test.firmware.links.size === 0);
  });

  it('are broken off before their end, unless it may go out', async () => {
    await addImage();
    const asked: boolean[] = [];
    const { url, sent } = await linkTo(SESSION, async () => {
      asked.push(true);
      return asked.length > 2;
    });
    const beginning = await fetch(url, { headers: { range: 'bytes=0-98999' } });
    expect((await beginning.arrayBuffer()).byteLength).toBe(99_000);
    expect(asked).toHaveLength(0);
    for (const range of ['bytes=99000-', 'bytes=0-']) {
      const response = await fetch(url, { headers: { range } });
      const isWhole = await response.arrayBuffer().then(
        () => true,
        () => false,
      );
      expect(response.ok && isWhole, range).toBe(false);
    }
    expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * CONTENT.length);
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(CONTENT.length);
  });

  it('share their content, and take the file along with the last of them', async () => {
    const [first, second] = [await addImage(), await addImage()];
    const remove = (id: unknown) => call('DELETE', `/api/firmware/images/${String(id)}?version=1`);
    expect((await remove(first.data.id)).status).toBe(200);
    expect(readdirSync(test.firmware.imageFolder)).toEqual([SHA256]);
    const changed = await call('PUT', `/api/firmware/images/${String(second.data.id)}`, {
      ...IMAGE,
      notes: 'x',
      version: 1,
    });
    expect(changed.data.version).toBe(2);
    expect(await remove(second.data.id)).toMatchObject({
      status: 409,
      code: 'conflict',
      data: { current: { notes: 'x' } },
    });
    await call('DELETE', `/api/firmware/images/${String(second.data.id)}?version=2`);
    expect(readdirSync(test.firmware.imageFolder)).toEqual([]);
  });

  it('are exported with times as text', async () => {
    await addImage();
    const { data } = await call('POST', '/api/firmware/images/csv');
    const text = await (await fetch(`${base}${data.address}`)).text();
    expect(text).toContain(`,${SHA256},${new Date(test.clock.now).toISOString()},ann`);
  });

  it('know models of terminals, each once', async () => {
    const model = {
      pattern: 'MDVR-*',
      method: 'http',
      manufacturerBytes: 5,
      window: 8,
      template: '',
      passthroughType: 0,
    };
    expect((await call('POST', '/api/firmware/models', model)).status).toBe(200);
    expect((await call('POST', '/api/firmware/models', model)).status).toBe(409);
    expect((await call('POST', '/api/firmware/models', { ...model, pattern: 'B', method: 'text' })).code).toBe(
      'bad-fields',
    );
    expect((await call('GET', '/api/firmware/versions')).data).toEqual([]);
  });
});
