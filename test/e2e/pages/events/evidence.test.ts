// The evidence of an event, as it is found on the event's panel: its recording plays from before it, its files are the bytes that
// the terminal sent, and other programs find its package whole and signed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Download, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  CLIP_HEIGHT,
  CLIP_WIDTH,
  FRAME_MS,
  frameAt,
  KEY_FRAME_INTERVAL,
  LOOP_FRAMES,
} from '../../../../simulator/clip/clipFormat.ts';
import type { AlarmFile } from '../../../../simulator/evidence/alarmFiles.ts';
import { burntInFrames } from '../../../support/browser/burntInFrames.ts';
import { firstFrameNumbers } from '../../../support/browser/stripReader.ts';
import { canCheckPackages, checkPackage, unpackPackage } from '../../../support/evidencePackage.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { ALARM_VIDEO_SECONDS, type EvidenceScene, startEvidenceScene } from './evidenceScene.ts';

const run = promisify(execFile);
/** Time before and after an event in its clip, by the event's type. */
const CLIP_MS = { before: 10_000, after: 20_000 };
/** Recordings are requested by whole seconds. */
const MOST_EARLY_MS = 1_000;
/** A busy machine may leave out the first pictures. Those of the event itself come after ten seconds. */
const MOST_LATE_MS = 5_000;

let scene: EvidenceScene;
beforeAll(async () => {
  scene = await startEvidenceScene();
});
afterAll(() => scene?.close());

/** Begin of the event, as the page has it. */
async function beginOf(page: Page): Promise<number> {
  const id = await page.locator('[data-event]').getAttribute('data-event');
  const answer = await page.request.get(`/api/event/events/${id}`);
  return ((await answer.json()) as { data: { event: { beginAtMs: number } } }).data.event.beginAtMs;
}

/** How much later than a moment a picture was taken; the clip returns to its first picture after a minute. */
function lateMs(frame: number, atMs: number): number {
  const frames = (frame - frameAt(atMs) + 1.5 * LOOP_FRAMES) % LOOP_FRAMES;
  return (frames - LOOP_FRAMES / 2) * FRAME_MS;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hashOfFile = (file: AlarmFile | undefined): string => hashOf(file?.bytes ?? new Uint8Array());

async function downloaded(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return download;
}

/** The recording plays from ten seconds before the event, as the clock in its pictures says. */
async function playRecording(page: Page): Promise<void> {
  await scene.openEvent(page);
  const reading = firstFrameNumbers(page, 5, { canvases: '[aria-label=Video] canvas' });
  await page.getByRole('button', { name: 'Recording', exact: true }).click();
  const startMs = (await beginOf(page)) - CLIP_MS.before;
  const shown = (await reading).map((frame) => lateMs(frame, startMs));
  expect(shown).toHaveLength(5);
  expect(shown[0]).toBeGreaterThanOrEqual(-MOST_EARLY_MS);
  expect(shown[0]).toBeLessThan(MOST_LATE_MS);
  expect(shown).toEqual([...shown].sort((left, right) => left - right));
}

/** The picture is whole, though blocks were lost on their way; it is loaded where it is seen. */
async function expectPicture(page: Page, loaded: Response, picture: AlarmFile | undefined): Promise<void> {
  expect(hashOf(await loaded.body())).toBe(hashOfFile(picture));
  const image = page.getByRole('button', { name: /^Enlarge / }).locator('img');
  await image.evaluate((element: HTMLImageElement) => element.decode());
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(CLIP_WIDTH);
}

/** Begin of the event, which the first test has found. */
let beginMs: number;
/** Package of the event, which is only looked at with ffmpeg and openssl. */
let archive: Download;

test('the recording of an event plays from before it, and the files of the alarm are whole', async () => {
  const [picture, video] = await scene.alarmFiles();
  const page = await scene.openTodayEvent();
  const [loaded] = await Promise.all([
    page.waitForResponse(/\/api\/event\/media\/\d+$/, { timeout: 60_000 }),
    playRecording(page).then(() =>
      page.getByRole('region', { name: 'Evidence' }).evaluate((section) => section.scrollIntoView()),
    ),
  ]);
  await expectPicture(page, loaded, picture);
  const file = await downloaded(page, `Download ${video?.name}`);
  expect(file.suggestedFilename()).toMatch(/^event-file-\d+\.mp4$/);
  expect(hashOf(await readFile(await file.path()))).toBe(hashOfFile(video));

  // The gateway has told the terminal what it lacked of each file.
  const judged = scene.heard.flatMap((body) => (body.kind === 'attachmentFileReply' ? [body] : []));
  expect(judged.map(({ name, missing }) => [name, missing.length > 0])).toEqual([
    [picture?.name, true],
    [picture?.name, false],
    [video?.name, true],
    [video?.name, false],
  ]);

  beginMs = await beginOf(page);
  archive = await downloaded(page, 'Evidence package');
  expect(archive.suggestedFilename()).toMatch(/^event-\d+\.zip$/);
});

const tools = findFfmpeg();

describe.skipIf(tools === undefined || !canCheckPackages())('the evidence package of an event', () => {
  test('is what other programs find whole and signed, until a byte of it is changed', async () => {
    const [picture, video] = await scene.alarmFiles();
    const temporary = await createTempFolder();
    onTestFinished(temporary.remove);
    const folder = join(temporary.path, 'package');
    const names = await unpackPackage(await archive.path(), folder);

    const [hashes, signature] = await checkPackage(folder);
    const listed = names.filter((name) => !name.startsWith('SHA256SUMS'));
    expect(hashes).toEqual({ isPassed: true, output: listed.map((name) => `${name}: OK\n`).join('') });
    expect(signature).toEqual({ isPassed: true, output: 'Signature Verified Successfully\n' });

    const pathsIn = (part: string) => names.filter((name) => name.startsWith(part)).map((name) => join(folder, name));
    const [sentPicture = '', sentVideo = ''] = pathsIn('attachments/');
    expect([hashOf(await readFile(sentPicture)), hashOf(await readFile(sentVideo))]).toEqual([
      hashOfFile(picture),
      hashOfFile(video),
    ]);
    expect(await lengthOf(sentVideo)).toBeGreaterThanOrEqual(2 * ALARM_VIDEO_SECONDS);
    const [clip = ''] = pathsIn('video/');
    await expectClip(clip, beginMs - CLIP_MS.before);

    await changeByte(clip);
    const [changed, untouched] = await checkPackage(folder);
    expect([changed.isPassed, untouched.isPassed]).toEqual([false, true]);
    expect(changed.output).toContain(`${relative(folder, clip)}: FAILED`);
    // The signature reveals a new hash that somebody writes into the list.
    const list = join(folder, 'SHA256SUMS');
    const lines = (await readFile(list, 'utf8')).split('\n');
    const name = relative(folder, clip);
    const hash = hashOf(await readFile(clip));
    await writeFile(list, lines.map((line) => (line.endsWith(name) ? `${hash}  ${name}` : line)).join('\n'));
    expect((await checkPackage(folder)).map(({ isPassed }) => isPassed)).toEqual([true, false]);
  });
});

/** The file is a recording of the event's time, from the key frame before it on, without a hole. */
async function expectClip(file: string, fromMs: number): Promise<void> {
  const frames = await burntInFrames(tools?.ffmpegPath ?? '', file);
  const [first = 0] = frames;
  expect(frames).toEqual(frames.map((_, index) => (first + index) % LOOP_FRAMES));
  expect(lateMs(first, fromMs)).toBeLessThanOrEqual(0);
  expect(lateMs(first, fromMs)).toBeGreaterThan(-KEY_FRAME_INTERVAL * FRAME_MS);
  const lengthMs = CLIP_MS.before + CLIP_MS.after - lateMs(first, fromMs);
  expect(Math.abs(frames.length * FRAME_MS - lengthMs)).toBeLessThanOrEqual(FRAME_MS);
  expect(await lengthOf(file)).toBeCloseTo(lengthMs / 1000, 0);
}

/** Length in seconds of a video of the camera's size to which ffprobe has no objections. */
async function lengthOf(file: string): Promise<number> {
  const what = ['-show_entries', 'stream=codec_name,width,height:format=duration', '-of', 'json'];
  const { stdout, stderr } = await run(tools?.ffprobePath ?? '', ['-v', 'warning', ...what, file]);
  expect(stderr).toBe('');
  const { streams, format } = JSON.parse(stdout) as { streams: unknown; format: { duration: string } };
  expect(streams).toEqual([{ codec_name: 'h264', width: CLIP_WIDTH, height: CLIP_HEIGHT }]);
  return Number(format.duration);
}

async function changeByte(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}
