import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GeneralResult, MessageId } from '../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import { jpegBytes } from '../../../support/media/jpegBytes.ts';
import { waitFor } from '../../../support/waitFor.ts';
import type { RawTerminal } from '../../device/rawTerminal.ts';
import { heard, PLACE, startEvidenceScene } from './evidenceScene.ts';

const upload = (
  mediaId: number,
  data: Uint8Array,
  { time = wallMs(Date.now()), channel = 1 }: { readonly time?: WallMs; readonly channel?: number } = {},
): MessageBody => ({
  kind: 'mediaUpload',
  mediaId,
  type: 0,
  format: 0,
  event: 0,
  channel,
  position: { ...PLACE, time },
  data,
});

const confirmed = (terminal: RawTerminal) => heard(terminal, 'mediaUploadReply').map(({ mediaId }) => mediaId);
const results = (terminal: RawTerminal) =>
  heard(terminal, 'platformGeneralReply').flatMap(({ replyId, result }) =>
    replyId === MessageId.mediaUpload ? [result] : [],
  );

describe('a picture that a terminal uploads', () => {
  it('is on the disk, under the event in whose clip it was taken, before the terminal hears so', async () => {
    const scene = await startEvidenceScene();
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    const picture = jpegBytes(5_000);
    terminal.say(upload(7, picture));
    await waitFor('0x8800', () => confirmed(terminal).length > 0);
    expect(heard(terminal, 'mediaUploadReply')).toEqual([{ kind: 'mediaUploadReply', mediaId: 7, missing: [] }]);
    const [media] = await scene.media(eventId);
    expect(media).toMatchObject({ kind: 'snapshot', channel: 1, state: 'stored', terminalMediaId: 7 });
    const { fileId = '' } = media?.file ?? {};
    const stored = await readFile(join(scene.folder, 'evidence', fileId.slice(0, 2), fileId));
    expect(Buffer.compare(stored, picture)).toBe(0);
  });

  it('is stored once, however often it is sent', async () => {
    const scene = await startEvidenceScene();
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    const time = wallMs(Date.now());
    for (const _ of [1, 2]) terminal.say(upload(7, jpegBytes(5_000), { time }));
    await waitFor('both are answered', () => confirmed(terminal).length === 2);
    expect(await scene.media(eventId)).toHaveLength(1);
  });

  it('that was asked for is stored once where it comes again while it is stored', async () => {
    const scene = await startEvidenceScene([1]);
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    await waitFor('0x8801', () => heard(terminal, 'takePicture')[0]);
    const [replySerial = 0] = terminal.serialOf('takePicture');
    terminal.say({ kind: 'takePictureReply', replySerial, result: 0, mediaIds: [7] });
    const time = wallMs(Date.now());
    for (const _ of [1, 2, 3]) terminal.say(upload(7, jpegBytes(5_000), { time }));
    await waitFor('all are answered', () => confirmed(terminal).length === 3);
    expect(await scene.media(eventId)).toMatchObject([{ state: 'stored', terminalMediaId: 7 }]);
    const files = await readdir(join(scene.folder, 'evidence'), { recursive: true, withFileTypes: true });
    expect(files.filter((each) => each.isFile())).toHaveLength(1);
  });

  it('with other bytes behind its end is confirmed and stored without them', async () => {
    const scene = await startEvidenceScene();
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    const picture = jpegBytes(5_000);
    terminal.say(upload(7, Buffer.concat([picture, Buffer.from('buffer')])));
    await waitFor('0x8800', () => confirmed(terminal).length > 0);
    expect(await scene.media(eventId)).toMatchObject([{ state: 'stored', name: '', file: { bytes: picture.length } }]);
  });

  it('whose end is missing is confirmed and says so, also where it was asked for', async () => {
    const scene = await startEvidenceScene([1]);
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    await waitFor('0x8801', () => heard(terminal, 'takePicture')[0]);
    const [replySerial = 0] = terminal.serialOf('takePicture');
    terminal.say({ kind: 'takePictureReply', replySerial, result: 0, mediaIds: [7] });
    terminal.say(upload(7, jpegBytes(5_000).subarray(0, 2_000)));
    await waitFor('0x8800', () => confirmed(terminal).length > 0);
    expect(await scene.media(eventId)).toMatchObject([
      { state: 'incomplete', name: '', terminalMediaId: 7, file: { bytes: 2_000 } },
    ]);
  });

  it('that is none, or was cut before there is something to show, is refused, so that it is sent again', async () => {
    const scene = await startEvidenceScene();
    const terminal = await scene.signIn();
    terminal.say(upload(7, Buffer.from('MZ this is a program')));
    terminal.say(upload(8, jpegBytes().subarray(0, 30)));
    await waitFor('both are answered', () => results(terminal).length === 2);
    expect(results(terminal)).toEqual([GeneralResult.Failed, GeneralResult.Failed]);
    expect(confirmed(terminal)).toEqual([]);
  });
});

describe('a snapshot that an event asks for', () => {
  it('is asked for on each channel that the device has, and comes under the event', async () => {
    const scene = await startEvidenceScene([1, 2, 9]);
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    const answer = async (at: number, mediaIds: number[]): Promise<void> => {
      const asked = await waitFor('0x8801', () => heard(terminal, 'takePicture')[at]);
      expect(asked).toMatchObject({ command: 1, save: 0, resolution: 2 });
      const replySerial = terminal.serialOf('takePicture')[at] ?? 0;
      terminal.say({ kind: 'takePictureReply', replySerial, result: 0, mediaIds });
    };
    await answer(0, [70]);
    await answer(1, [71]);
    expect(heard(terminal, 'takePicture').map(({ channel }) => channel)).toEqual([1, 2]);
    await waitFor('both are promised', async () =>
      (await scene.media(eventId)).every(({ terminalMediaId }) => terminalMediaId !== undefined),
    );
    // Hours later by its own clock: what it was promised as counts.
    terminal.say(upload(71, jpegBytes(), { time: wallMs(Date.now() + 3_600_000), channel: 2 }));
    await waitFor('it is stored', () => confirmed(terminal).includes(71));
    const media = (await scene.media(eventId)).map(({ channel, state }) => [channel, state]);
    expect(media).toEqual([
      [1, 'requested'],
      [2, 'stored'],
    ]);
  });

  it('is asked for again after a restart, once the terminal is back', async () => {
    const scene = await startEvidenceScene([1]);
    const terminal = await scene.signIn();
    const { eventId } = await scene.alarm(terminal);
    await waitFor('0x8801', () => heard(terminal, 'takePicture')[0]);
    await scene.restart();
    const again = await scene.signIn();
    await waitFor('0x8801 again', () => heard(again, 'takePicture')[0]);
    const [media] = await scene.media(eventId);
    expect(media).toMatchObject({ state: 'requested' });
  });
});
