import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAlarmMark } from '../../../../server/device/jt808/codec/alarmMark.ts';
import { encodeBlock } from '../../../../server/device/jt808/codec/attachmentStream.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import { jpegBytes } from '../../../support/media/jpegBytes.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type AttachmentRequest, AttachmentTerminal, alarmWithFiles, sayAlarm } from './attachmentTerminal.ts';
import { type EvidenceScene, heard, startEvidenceScene } from './evidenceScene.ts';

const OK = GeneralResult.Ok;
const NAME = '00_64_6401_1_0123456789.jpg';
const PICTURE = jpegBytes(150_000);

async function startAlarm() {
  const scene = await startEvidenceScene();
  const terminal = await scene.signIn();
  const request = await alarmWithFiles(terminal);
  return { scene, terminal, request };
}

async function mediaOf(scene: EvidenceScene) {
  const event = (await scene.gateway.stores.eventLog.tracked(0)).find(({ alarmMark }) => alarmMark !== '');
  return scene.media(event?.id ?? 0);
}

/** Sends all of a file but the pieces that begin at these offsets. */
function sendBlocks(connection: AttachmentTerminal, bytes: Uint8Array, lost: readonly number[] = []): void {
  for (let offset = 0; offset < bytes.length; offset += 50_000) {
    const data = bytes.subarray(offset, offset + 50_000);
    if (!lost.includes(offset)) connection.send({ name: NAME, offset, data });
  }
}

describe('files of an alarm', () => {
  it('are asked for, come in blocks of which some are lost, and are kept as they were', async () => {
    const { scene, request } = await startAlarm();
    expect(request.alarmNumber).toMatch(/^[0-9a-f]{32}$/);
    const connection = await AttachmentTerminal.dial(request);
    const note = new TextEncoder().encode('speed 92');
    const files = [
      { name: NAME, sizeBytes: PICTURE.length },
      { name: '說明.txt', sizeBytes: note.length },
    ];
    expect(await connection.list(request.alarmNumber, files)).toBe(OK);
    expect(await connection.file(NAME, PICTURE.length)).toBe(OK);
    sendBlocks(connection, PICTURE, [50_000, 150_000]);
    expect(await connection.done(NAME, PICTURE.length)).toMatchObject({
      result: 1,
      missing: [
        { offset: 50_000, lengthBytes: 50_000 },
        { offset: 150_000, lengthBytes: PICTURE.length - 150_000 },
      ],
    });
    sendBlocks(connection, PICTURE, [0, 100_000]);
    expect(await connection.done(NAME, PICTURE.length)).toMatchObject({ name: NAME, result: 0, missing: [] });
    expect(await connection.file('說明.txt', note.length)).toBe(OK);
    connection.send({ name: '說明.txt', offset: 0, data: note });
    expect(await connection.done('說明.txt', note.length)).toMatchObject({ result: 0 });
    const media = await mediaOf(scene);
    expect(media.map(({ name, state, file }) => [name, state, file?.contentType])).toEqual([
      [NAME, 'stored', 'image/jpeg'],
      ['說明.txt', 'stored', 'text/plain'],
    ]);
    const { fileId = '' } = media[0]?.file ?? {};
    const stored = await readFile(join(scene.folder, 'evidence', fileId.slice(0, 2), fileId));
    expect(Buffer.compare(stored, PICTURE)).toBe(0);
  });

  it('that broke off are failed, and come over another connection without those that are there', async () => {
    const { scene, request } = await startAlarm();
    const [other, data] = ['b.bin', Uint8Array.of(1, 2, 3)];
    const files = [
      { name: NAME, sizeBytes: PICTURE.length },
      { name: other, sizeBytes: 3 },
    ];
    const first = await AttachmentTerminal.dial(request);
    await first.list(request.alarmNumber, files);
    await first.file(other, 3);
    first.send({ name: other, offset: 0, data });
    await first.done(other, 3);
    await first.file(NAME, PICTURE.length);
    sendBlocks(first, PICTURE, [100_000]);
    // All of it has come once it is answered: what a socket has not sent yet goes with it.
    expect(await first.done(NAME, PICTURE.length)).toMatchObject({ result: 1 });
    first.destroy();
    const states = async () => (await mediaOf(scene)).map(({ state }) => state);
    await waitFor('it is failed', async () => (await states()).includes('failed'));
    expect(await states()).toEqual(['failed', 'stored']);
    // What has come waits for the rest, which members don't see.
    expect((await mediaOf(scene)).map(({ file }) => file === undefined)).toEqual([true, false]);
    await scene.restart();
    expect((await mediaOf(scene)).map(({ state, bytes }) => [state, bytes])).toEqual([
      ['incomplete', PICTURE.length],
      ['stored', 3],
    ]);
    const terminal = await scene.signIn();
    const again = await waitFor('0x9208 again', () => heard(terminal, 'attachmentRequest')[0]);
    expect(again?.alarmNumber).toBe(request.alarmNumber);
    const second = await AttachmentTerminal.dial(again as AttachmentRequest);
    expect(await second.list(request.alarmNumber, files)).toBe(OK);
    await second.file(other, 3);
    expect(await second.done(other, 3)).toMatchObject({ result: 0 });
    await second.file(NAME, PICTURE.length);
    sendBlocks(second, PICTURE);
    expect(await second.done(NAME, PICTURE.length)).toMatchObject({ result: 0 });
    expect(await states()).toEqual(['stored', 'stored']);
    const onDisk = await readdir(join(scene.folder, 'evidence'), { recursive: true, withFileTypes: true });
    expect(onDisk.filter((entry) => entry.isFile())).toHaveLength(2);
  });

  it('go on over the next connection with what is missing, also while the one before is half open', async () => {
    const { scene, request } = await startAlarm();
    const files = [{ name: NAME, sizeBytes: PICTURE.length }];
    const dead = await AttachmentTerminal.dial(request);
    await dead.list(request.alarmNumber, files);
    await dead.file(NAME, PICTURE.length);
    sendBlocks(dead, PICTURE, [50_000]);
    expect(await dead.done(NAME, PICTURE.length)).toMatchObject({ result: 1 });
    const second = await AttachmentTerminal.dial(request);
    expect(await second.list(request.alarmNumber, files)).toBe(OK);
    await waitFor('the one before is closed', () => dead.isClosed);
    expect(await second.file(NAME, PICTURE.length)).toBe(OK);
    expect(await second.done(NAME, PICTURE.length)).toMatchObject({
      result: 1,
      missing: [{ offset: 50_000, lengthBytes: 50_000 }],
    });
    second.send({ name: NAME, offset: 50_000, data: PICTURE.subarray(50_000, 100_000) });
    expect(await second.done(NAME, PICTURE.length)).toMatchObject({ result: 0 });
    const [media] = await mediaOf(scene);
    const { fileId = '' } = media?.file ?? {};
    const stored = await readFile(join(scene.folder, 'evidence', fileId.slice(0, 2), fileId));
    expect([media?.state, Buffer.compare(stored, PICTURE)]).toEqual(['stored', 0]);
  });

  it.each([
    ['shorter than announced', PICTURE.subarray(0, 100_000), PICTURE.length],
    ['a picture without its end', PICTURE.subarray(0, 100_000), 100_000],
  ])('are incomplete: %s', async (_what, bytes, sizeBytes) => {
    const { scene, request } = await startAlarm();
    const connection = await AttachmentTerminal.dial(request);
    await connection.list(request.alarmNumber, [{ name: NAME, sizeBytes }]);
    await connection.file(NAME, sizeBytes);
    sendBlocks(connection, bytes);
    let asked = 0;
    while ((await connection.done(NAME, sizeBytes))?.result === 1) asked++;
    expect(asked).toBe(bytes.length < sizeBytes ? 3 : 0);
    expect((await mediaOf(scene)).map(({ state, bytes: kept }) => [state, kept])).toEqual([['incomplete', 100_000]]);
  });

  it('are taken only under a number that was given out, from its terminal, at the address where that is signed in', async () => {
    const { scene, request } = await startAlarm();
    const files = [{ name: NAME, sizeBytes: 10 }];
    const refused = async (alarmNumber: string, options: { from?: string; number?: string }): Promise<void> => {
      const connection = await AttachmentTerminal.dial(request, options);
      expect(await connection.list(alarmNumber, files)).toBe(GeneralResult.Failed);
      await waitFor('it is closed', () => connection.isClosed);
    };
    await refused('0'.repeat(32), {});
    await refused('', {});
    await refused(request.alarmNumber, { from: '127.0.0.2' });
    await refused(request.alarmNumber, { number: '13800000002' });
    expect((await mediaOf(scene)).map(({ name, state }) => [name, state])).toEqual([['', 'requested']]);
    const connection = await AttachmentTerminal.dial(request);
    expect(await connection.list(request.alarmNumber, files)).toBe(OK);
  });

  it.each([
    ['too long a file', [{ name: NAME, sizeBytes: 64 * 1024 * 1024 + 1 }]],
    ['too much together', [1, 2, 3, 4, 5].map((at) => ({ name: `${at}`, sizeBytes: 60 * 1024 * 1024 }))],
    ['too many', Array.from({ length: 65 }, (_, at) => ({ name: `${at}`, sizeBytes: 1 }))],
  ])('are refused: %s', async (_what, files) => {
    const { request } = await startAlarm();
    const connection = await AttachmentTerminal.dial(request);
    expect(await connection.list(request.alarmNumber, files)).toBe(GeneralResult.Failed);
  });

  it('are listed again where the answer was late, and those of the next alarm over the same connection', async () => {
    const { scene, terminal, request } = await startAlarm();
    const connection = await AttachmentTerminal.dial(request);
    const files = [{ name: NAME, sizeBytes: 3 }];
    expect(await connection.list(request.alarmNumber, files)).toBe(OK);
    expect(await connection.file(NAME, 3)).toBe(OK);
    connection.send({ name: NAME, offset: 0, data: Uint8Array.of(1, 2, 3) });
    expect(await connection.list(request.alarmNumber, files)).toBe(OK);
    expect(await connection.done(NAME, 3)).toMatchObject({ result: 0 });
    const mark = createAlarmMark({ terminalId: 'T1', time: undefined, serial: 4, fileCount: 1 });
    sayAlarm(terminal, { type: 2, mark });
    const next = await waitFor('0x9208 of the next alarm', () => heard(terminal, 'attachmentRequest')[1]);
    expect(await connection.list(next?.alarmNumber ?? '', [{ name: 'next.bin', sizeBytes: 3 }])).toBe(OK);
    expect(await connection.file('next.bin', 3)).toBe(OK);
    connection.send({ name: 'next.bin', offset: 0, data: Uint8Array.of(1, 2, 3) });
    expect(await connection.done('next.bin', 3)).toMatchObject({ result: 0 });
    expect((await mediaOf(scene)).map(({ name, state }) => [name, state])).toEqual([[NAME, 'stored']]);
  });

  it('are those of the list, and end where they were said to end', async () => {
    const { scene, request } = await startAlarm();
    const connection = await AttachmentTerminal.dial(request);
    await connection.list(request.alarmNumber, [{ name: NAME, sizeBytes: 10 }]);
    expect(await connection.file('../../other.jpg', 10)).toBe(GeneralResult.Failed);
    expect(await connection.file(NAME, 1_000)).toBe(GeneralResult.Failed);
    expect(await connection.file(NAME, 10)).toBe(OK);
    connection.send({ name: NAME, offset: 5, data: new Uint8Array(10) });
    connection.send({ name: NAME, offset: 0xffffffff, data: new Uint8Array(10) });
    connection.send({ name: 'other', offset: 0, data: new Uint8Array(10) });
    expect(await connection.done(NAME, 10)).toMatchObject({ result: 1, missing: [{ offset: 0, lengthBytes: 10 }] });
    expect(await mediaOf(scene)).toMatchObject([{ name: NAME, state: 'receiving' }]);
  });

  it('are not taken from somebody who begins with anything else', async () => {
    const { request } = await startAlarm();
    for (const bytes of [
      encodeBlock({ name: NAME, offset: 0, data: new Uint8Array(10) }),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from('7e0000007e', 'hex'),
    ]) {
      const connection = await AttachmentTerminal.dial(request);
      connection.sendRaw(bytes);
      await waitFor('it is closed', () => connection.isClosed);
    }
  });

  it('that are sent over and over are cut', async () => {
    const { request } = await startAlarm();
    const connection = await AttachmentTerminal.dial(request);
    await connection.list(request.alarmNumber, [{ name: NAME, sizeBytes: 100_000 }]);
    await connection.file(NAME, 100_000);
    for (let at = 0; at < 40; at++) connection.send({ name: NAME, offset: 0, data: new Uint8Array(50_000) });
    await waitFor('it is closed', () => connection.isClosed);
  });
});
