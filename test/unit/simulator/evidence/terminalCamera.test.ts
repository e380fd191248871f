// Pictures that are ordered, and their uploads, on a clock that the test moves.
import { beforeEach, describe, expect, it } from 'vitest';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { TerminalCamera } from '../../../../simulator/evidence/terminalCamera.ts';
import type { OutgoingMessage } from '../../../../simulator/outgoingMessages.ts';
import { OutgoingMessages } from '../../../../simulator/outgoingMessages.ts';
import { positionReport } from '../../../../simulator/positionReport.ts';
import type { TerminalQuirks } from '../../../../simulator/quirks.ts';
import { stateAt } from '../../../../simulator/script/scriptState.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const STARTED_MS = Date.UTC(2026, 10, 23, 8);
const PROFILE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 4,
  lapShare: 0,
};
const ORDER: BodyOf<'takePicture'> = {
  kind: 'takePicture',
  channel: 2,
  command: 1,
  seconds: 0,
  save: 0,
  resolution: 5,
  quality: 8,
  brightness: 127,
  contrast: 64,
  saturation: 64,
  chroma: 127,
};

let timers: ManualTimers;
let sent: (readonly [seconds: number, body: MessageBody, message: OutgoingMessage])[];
let sentAgain: Uint8Array[];
let camera: TerminalCamera;

function createCamera(quirks: TerminalQuirks = {}): TerminalCamera {
  const messages = new OutgoingMessages(PROFILE);
  return new TerminalCamera({
    profile: { ...PROFILE, quirks },
    now: () => STARTED_MS + timers.now(),
    runAfter: timers.runAfter,
    positionAt: (atMs) =>
      positionReport(PROFILE, { atMs, clock: wallMs(atMs), elapsedMs: 0, state: stateAt([], 0, { edition: '2019' }) }),
    send: (body) => {
      const message = messages.next(body);
      sent.push([timers.now() / 1000, body, message]);
      return message;
    },
    sendAgain: (frames) => sentAgain.push(...frames),
  });
}

beforeEach(() => {
  timers = new ManualTimers();
  sent = [];
  sentAgain = [];
  camera = createCamera();
  camera.signedIn();
});

const uploads = () => sent.flatMap(([seconds, body]) => (body.kind === 'mediaUpload' ? [[seconds, body.mediaId]] : []));
const lastUpload = () => sent.findLast(([, body]) => body.kind === 'mediaUpload')?.[2] ?? { serial: -1, frames: [] };
const done = (mediaId: number): void => camera.uploadReply({ kind: 'mediaUploadReply', mediaId, missing: [] });

describe('an ordered picture', () => {
  it('is announced and uploaded, with where and when it was taken', () => {
    camera.obey(77, ORDER);
    expect(sent[0]?.[1]).toEqual({ kind: 'takePictureReply', replySerial: 77, result: 0, mediaIds: [1] });
    expect(sent[1]?.[1]).toMatchObject({ kind: 'mediaUpload', mediaId: 1, type: 0, format: 0, event: 0, channel: 2 });
    const upload = sent[1]?.[1];
    expect(upload?.kind === 'mediaUpload' && upload.position.time).toBe(STARTED_MS);
    expect(upload?.kind === 'mediaUpload' && [...upload.data.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(lastUpload().frames.length).toBeGreaterThan(3);
    done(1);
    timers.advance(3_600_000);
    expect(uploads()).toEqual([[0, 1]]);
  });

  it('has the number that the terminal counts channels by', () => {
    camera = createCamera({ channelsFromZero: true });
    camera.signedIn();
    camera.obey(1, ORDER);
    expect(sent[1]?.[1]).toMatchObject({ kind: 'mediaUpload', channel: 1 });
  });

  it('is the first of a series, each when it is taken', () => {
    camera.obey(1, { ...ORDER, command: 3, seconds: 10 });
    expect(sent[0]?.[1]).toMatchObject({ mediaIds: [1, 2, 3] });
    done(1);
    timers.advance(15_000);
    done(2);
    expect(uploads()).toEqual([
      [0, 1],
      [10, 2],
    ]);
    camera.obey(2, { ...ORDER, channel: 1, command: 0 });
    camera.obey(3, { ...ORDER, command: 0 });
    timers.advance(60_000);
    expect(uploads()).toHaveLength(2);
    expect(sent.at(-1)?.[1]).toMatchObject({ kind: 'terminalGeneralReply', replySerial: 3, result: GeneralResult.Ok });
  });

  it('of a channel that is not there is none, and video is not recorded', () => {
    camera.obey(1, { ...ORDER, channel: 5 });
    camera.obey(2, { ...ORDER, command: 0xffff });
    expect(sent.map(([, body]) => body)).toEqual([
      { kind: 'takePictureReply', replySerial: 1, result: 2, mediaIds: [] },
      { kind: 'terminalGeneralReply', replySerial: 2, replyId: 0x8801, result: GeneralResult.NotSupported },
    ]);
  });

  it('is only stored where that is ordered, and can be found and asked for', () => {
    camera.obey(1, { ...ORDER, save: 1 });
    timers.advance(60_000);
    expect(uploads()).toEqual([]);
    const anytime = { type: 0, event: 0, start: undefined, end: undefined };
    camera.obey(2, { kind: 'searchMedia', channel: 0, ...anytime });
    expect(sent.at(-1)?.[1]).toMatchObject({ replySerial: 2, items: [{ mediaId: 1, channel: 2, event: 0 }] });
    camera.obey(3, { kind: 'searchMedia', channel: 1, ...anytime });
    expect(sent.at(-1)?.[1]).toMatchObject({ items: [] });
    camera.obey(4, { kind: 'uploadOneMedia', mediaId: 1, remove: 1 });
    done(1);
    camera.obey(5, { kind: 'uploadStoredMedia', channel: 0, remove: 0, ...anytime });
    expect(sent.slice(-3).map(([, body]) => body)).toMatchObject([
      { kind: 'terminalGeneralReply', replySerial: 4, result: GeneralResult.Ok },
      { kind: 'mediaUpload', mediaId: 1 },
      { kind: 'terminalGeneralReply', replySerial: 5, result: GeneralResult.Failed },
    ]);
  });
});

describe('an upload', () => {
  it('sends the packages again that the platform names', () => {
    camera.obey(1, ORDER);
    const { frames } = lastUpload();
    camera.uploadReply({ kind: 'mediaUploadReply', mediaId: 1, missing: [2, 99] });
    expect(sentAgain).toEqual([frames[1]]);
  });

  it('is tried again later when it is refused, longer each time, and at last given up', () => {
    camera.obey(1, ORDER);
    for (const waitSeconds of [30, 60, 120, 240, 480, 3_600]) {
      camera.refused(lastUpload().serial + 1);
      timers.advance(waitSeconds * 1000);
    }
    expect(uploads().map(([seconds]) => seconds)).toEqual([0, 30, 90, 210, 450, 930]);
  });

  it('is tried again when nobody answers, and after an absence', () => {
    camera.obey(1, ORDER);
    timers.advance(50_000);
    expect(uploads().map(([seconds]) => seconds)).toEqual([0, 50]);
    camera.disconnected();
    timers.advance(100_000);
    camera.signedIn();
    expect(uploads().map(([seconds]) => seconds)).toEqual([0, 50, 150]);
  });

  it('takes its turn: the next picture goes when the one before is there', () => {
    camera.obey(1, ORDER);
    camera.obey(2, { ...ORDER, channel: 1 });
    expect(uploads()).toEqual([[0, 1]]);
    timers.advance(3_000);
    done(1);
    expect(uploads()).toEqual([
      [0, 1],
      [3, 2],
    ]);
    // Not the one that is under way.
    done(1);
    expect(uploads()).toHaveLength(2);
  });

  it('of a broken camera is no picture', () => {
    camera = createCamera({ pictures: 'not-jpeg' });
    camera.signedIn();
    camera.obey(1, ORDER);
    const [, upload] = sent[1] ?? [];
    expect(upload?.kind === 'mediaUpload' && Buffer.from(upload.data.subarray(0, 12)).toString()).toBe('camera error');
  });

  it('leaves nothing behind when the terminal is stopped', () => {
    camera.obey(1, { ...ORDER, command: 3, seconds: 10 });
    camera.close();
    expect(timers.pending).toBe(0);
  });
});
