import { beforeEach, describe, expect, it } from 'vitest';
import { GeneralResult, MessageId } from '../../../../../server/device/jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { PackageBytes } from '../../../../../server/device/jt808/inbox.ts';
import { SignallingSession } from '../../../../../server/device/jt808/signallingSession.ts';
import { WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { aSignedInDevice } from '../../../../support/aDevice.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { AUTHENTICATION, FakeTerminal, POSITION } from './fakeTerminal.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DEVICE = aSignedInDevice({ archiveNumber: 5, chn: 4 });
const BULK: BodyOf<'bulkPositions'> = {
  kind: 'bulkPositions',
  type: 1,
  positions: Array.from({ length: 6 }, (_, at) => ({ ...POSITION, time: wallMs(START_MS + at * 1_000) })),
  brokenItems: 0,
};
const PICTURE: BodyOf<'mediaUpload'> = {
  kind: 'mediaUpload',
  mediaId: 7,
  type: 0,
  format: 0,
  event: 0,
  channel: 1,
  position: { ...POSITION, time: wallMs(START_MS) },
  data: new Uint8Array(300),
};
const { Ok, Failed } = GeneralResult;

describe('a message whose packages are sent again', () => {
  let timers: ManualTimers;
  let terminal: FakeTerminal;
  let packageBytes: PackageBytes;
  let handled: MessageBody['kind'][];
  let isKept: boolean;

  beforeEach(async () => {
    timers = new ManualTimers();
    terminal = new FakeTerminal();
    packageBytes = new PackageBytes();
    handled = [];
    isKept = true;
    new SignallingSession(terminal.socket.asSocket(), {
      authenticator: { register: async () => ({ result: 0, code: 'code' }), authenticate: async () => DEVICE },
      now: timers.now,
      runAfter: timers.runAfter,
      acknowledgedIds: new Set(),
      waiting: new WaitingBytes(() => undefined),
      packageBytes,
      onReport: (_session, body) => handled.push(body.kind) > 0 && isKept,
      storePicture: async (_session, body) => handled.push(body.kind) > 0 && isKept,
      onSignedIn: () => undefined,
      onEnded: () => undefined,
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
    });
    await terminal.say(AUTHENTICATION);
    terminal.heard();
  });

  const say = (body: MessageBody, numbers: readonly number[], firstSerial = 100): Promise<void> =>
    terminal.sayInPackages(body, { total: 3, numbers, firstSerial });
  const results = (): number[] =>
    terminal.heardBodies().flatMap((body) => (body.kind === 'platformGeneralReply' ? [body.result] : []));

  it('is handled again where it could not be kept', async () => {
    isKept = false;
    await say(BULK, [1, 2, 3]);
    expect(results()).toEqual([Ok, Ok, Failed]);
    await say(BULK, [1, 2, 3]);
    expect(results()).toEqual([Ok, Ok, Failed]);
    isKept = true;
    await say(BULK, [3]);
    expect(results()).toEqual([Ok]);
    expect(handled).toEqual(['bulkPositions', 'bulkPositions', 'bulkPositions']);
    await say(BULK, [1, 2, 3]);
    expect(results()).toEqual([Ok, Ok, Ok]);
    expect(handled).toHaveLength(3);
  });

  it('is handled again where the terminal counts on instead of repeating its serials', async () => {
    isKept = false;
    await say(BULK, [1, 2, 3]);
    isKept = true;
    await say(BULK, [3], 200);
    expect(terminal.heardBodies().at(-1)).toMatchObject({ replySerial: 202, result: Ok });
    expect(handled).toHaveLength(2);
  });

  it('is refused without being handled after five attempts, until the terminal begins anew', async () => {
    isKept = false;
    await say(BULK, [1, 2, 3]);
    for (let attempt = 0; attempt < 6; attempt++) await say(BULK, [3]);
    expect(results()).toEqual([Ok, Ok, ...Array.from({ length: 7 }, () => Failed)]);
    expect(handled).toHaveLength(5);
    isKept = true;
    timers.advance(60_000);
    await say(BULK, [1, 2, 3]);
    expect(results()).toEqual([Ok, Ok, Ok]);
    expect(handled).toHaveLength(6);
  });

  it('is held for another attempt no longer than a minute, and within the bound for packages', async () => {
    isKept = false;
    await say(BULK, [1, 2, 3]);
    expect(packageBytes.signedIn).toBeGreaterThan(0);
    timers.advance(60_000);
    expect(packageBytes.signedIn).toBe(0);
    await say(BULK, [1, 2, 3]);
    terminal.socket.destroy();
    expect(packageBytes.signedIn).toBe(0);
    expect(timers.pending).toBe(0);
  });

  it('hears again that a picture is kept, because that answer may have been lost', async () => {
    await say(PICTURE, [1, 2, 3]);
    terminal.heard();
    await say(PICTURE, [1, 2, 3]);
    const heard = terminal.heardBodies();
    expect(heard.map(({ kind }) => kind)).toEqual([...Array(3).fill('platformGeneralReply'), 'mediaUploadReply']);
    expect(heard.at(-1)).toMatchObject({ mediaId: 7, missing: [] });
    expect(handled).toEqual(['mediaUpload']);
  });

  it('hears again that its kind is not supported', async () => {
    const sound = { ...PICTURE, type: 1 };
    await say(sound, [1, 2, 3]);
    await say(sound, [3]);
    expect(results()).toEqual([Ok, Ok, GeneralResult.NotSupported, GeneralResult.NotSupported]);
  });

  it('hears again that it can not be read', async () => {
    const broken = { kind: 'unknown', id: MessageId.mediaUpload, bytes: new Uint8Array(9) } as const;
    await say(broken, [1, 2, 3]);
    await say(broken, [3]);
    expect(results()).toEqual([Ok, Ok, GeneralResult.BadMessage, GeneralResult.BadMessage]);
  });
});
