// 0x9206 as a whole: the request, the terminal's FTP, its files, and 0x1206.
import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import type { UploadOrder, UploadRequest } from '../../../server/device/uploads/uploadOrder.ts';
import { UploadRequests } from '../../../server/device/uploads/uploadRequests.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { UploadQuirks } from '../../../simulator/quirks.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { waitFor } from '../../support/waitFor.ts';
import { type OpenUpload, startFtpScene } from '../ftp/ftpScene.ts';
import { PROFILE, startTestGateway } from './testGateway.ts';

const MINUTE_MS = 60_000;
/** Start of the last whole hour, whose minutes are past, so that its files are complete. */
const HOUR_MS = Math.floor(Date.now() / (60 * MINUTE_MS) - 1) * 60 * MINUTE_MS;

interface Asked {
  readonly upload: OpenUpload;
  readonly request: UploadRequest;
}

async function startScene(uploads: UploadQuirks, profile: Partial<VehicleProfile> = {}) {
  const ftp = await startFtpScene();
  const test = await startTestGateway();
  onTestFinished(() => test.close());
  await test.addDevice();
  const faults: Error[] = [];
  const requests = new UploadRequests({
    feed: test.feed,
    sessionOf: (deviceId) => test.gateway.registry.session(deviceId),
    runAfter: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onLimit: () => undefined,
    onFault: (error) => faults.push(error),
  });
  onTestFinished(() => requests.close());
  const terminal = test.start({ card: { gaps: [] }, quirks: { uploads }, ...profile });
  await test.online();
  const ask = async (change: Partial<UploadOrder> = {}): Promise<Asked> => {
    const noted: { request?: UploadRequest } = {};
    const upload = await ftp.upload({ onBytes: () => noted.request?.noteBytes() });
    const session = test.gateway.registry.session(PROFILE.deviceId);
    if (session === undefined) throw new Error('the terminal is not online');
    const request = requests.request(session, {
      target: upload.address,
      channel: 1,
      quality: 'main',
      start: wallMs(HOUR_MS),
      end: wallMs(HOUR_MS + MINUTE_MS),
      networks: { wifi: true, lan: true, mobile: true },
      ...change,
    });
    if (request === undefined) throw new Error('there is no room for a request');
    noted.request = request;
    return { upload, request };
  };
  return { terminal, ask, faults: () => [...faults, ...ftp.faults, ...test.faults] };
}

describe('an upload of recordings', () => {
  it.each([
    ['mp4', 4, 'ftyp'],
    ['raw', 0, '\0\0\0\u0001'],
    ['packets', 0, '01cd'],
  ] as const)('brings the range as %s', async (format, at, magic) => {
    const scene = await startScene({ format });
    const { upload, request } = await scene.ask();
    expect(await request.accepted).toEqual({ ok: true });
    expect(await request.done).toEqual({ kind: 'done' });
    expect(upload.files).toMatchObject([{ isWhole: true }]);
    const bytes = await readFile(upload.files[0]?.path ?? '');
    expect(bytes.subarray(at, at + 4).toString('latin1')).toBe(magic);
    expect(bytes.length).toBe(upload.files[0]?.bytes);
    expect(scene.faults()).toEqual([]);
  });

  it('brings a file for each piece of the card, or several', async () => {
    const scene = await startScene({ parts: 2 });
    const { upload, request } = await scene.ask({ end: wallMs(HOUR_MS + 6 * MINUTE_MS) });
    expect(await request.done).toEqual({ kind: 'done' });
    expect(upload.files.map(({ isWhole }) => isWhole)).toEqual([true, true, true, true]);
  });

  it('may bring what is no recording', async () => {
    const scene = await startScene({ isGarbage: true });
    const { upload, request } = await scene.ask();
    expect(await request.done).toEqual({ kind: 'done' });
    expect(upload.files).toMatchObject([{ bytes: 300_000, isWhole: true }]);
  });

  it('comes in active mode from a terminal that knows no other', async () => {
    const scene = await startScene({ isActive: true });
    const { upload, request } = await scene.ask();
    expect(await request.done).toEqual({ kind: 'done' });
    expect(upload.files).toMatchObject([{ isWhole: true }]);
  });

  it.each(['rest', 'append', 'anew'] as const)('that broke off goes on by %s, in one file', async (resumes) => {
    const scene = await startScene({ breaksOffAfterBytes: 200_000, resumes });
    const { upload, request } = await scene.ask();
    expect(await request.done).toEqual({ kind: 'done' });
    expect(upload.files.at(-1)?.isWhole).toBe(true);
    expect(new Set(upload.files.map(({ path }) => path)).size).toBe(1);
    const whole = await readFile(upload.files[0]?.path ?? '');
    const undisturbed = await (await startScene({})).ask();
    await undisturbed.request.done;
    expect(whole.equals(await readFile(undisturbed.upload.files[0]?.path ?? ''))).toBe(true);
  });

  it('that broke off for good is a failure, and its file is not whole', async () => {
    const scene = await startScene({ breaksOffAfterBytes: 200_000 });
    const { upload, request } = await scene.ask();
    expect(await request.done).toEqual({ kind: 'failed' });
    expect(upload.files.every(({ isWhole }) => !isWhole)).toBe(true);
  });

  it('can be refused', async () => {
    const scene = await startScene({}, { quirks: { refusals: { fileUpload: GeneralResult.NotSupported } } });
    const { request } = await scene.ask();
    expect(await request.accepted).toMatchObject({ ok: false, reason: 'refused', result: 3 });
    expect(await request.done).toMatchObject({ kind: 'not-accepted' });
  });

  it('can be paused, resumed and canceled', async () => {
    const scene = await startScene({ bytesPerSecond: 3_000_000 });
    const first = await scene.ask({ end: wallMs(HOUR_MS + 4 * MINUTE_MS) });
    await waitFor('bytes come', () => first.upload.receivedBytes() > 0);
    expect(await first.request.pause()).toEqual({ ok: true });
    expect(await first.request.resume()).toEqual({ ok: true });
    expect(await first.request.done).toEqual({ kind: 'done' });
    const second = await scene.ask({ end: wallMs(HOUR_MS + 5 * MINUTE_MS) });
    await waitFor('bytes come', () => second.upload.receivedBytes() > 0);
    expect(await second.request.cancel()).toEqual({ ok: true });
    expect(await second.request.done).toEqual({ kind: 'canceled' });
    await waitFor('the terminal has stopped', () => scene.terminal.uploads === 0);
    await waitFor('the transfer is over', () => second.upload.files.length === 1);
    expect(second.upload.files[0]?.isWhole).toBe(false);
  });

  it('names the channel as the terminal counts it', async () => {
    const scene = await startScene({}, { quirks: { channelsFromZero: true } });
    const { request } = await scene.ask({ channel: 3 });
    expect(await request.accepted).toMatchObject({ ok: false });
  });
});
