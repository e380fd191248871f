import { describe, expect, it } from 'vitest';
import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { ReportFeed } from '../../../../../server/device/reportFeed.ts';
import type { CommandResult } from '../../../../../server/device/terminalSession.ts';
import { UPLOAD_IDLE_MS } from '../../../../../server/device/uploads/pendingUpload.ts';
import { UploadRequests } from '../../../../../server/device/uploads/uploadRequests.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { settled } from '../jt808/fakeTerminal.ts';

const ORDER = {
  target: { host: '192.0.2.1', port: 7_021, user: 'user', password: 'secret', path: '/p' },
  channel: 3,
  quality: 'sub',
  start: wallMs(1_000),
  end: wallMs(2_000),
  networks: { wifi: true, lan: false, mobile: true },
} as const;
const DEVICE = { deviceId: 'BUS1', incarnation: 5, archiveNumber: 1 };

function startScene(channelsFromZero = false) {
  const timers = new ManualTimers();
  const faults: Error[] = [];
  const feed = new ReportFeed((error) => faults.push(error));
  const sent: MessageBody[] = [];
  const answers: ((result: CommandResult) => void)[] = [];
  let serial = 100;
  const session = {
    ...DEVICE,
    channelsFromZero,
    command: (body: MessageBody, onSent?: (serial: number) => void) => {
      sent.push(body);
      onSent?.(serial++);
      return new Promise<CommandResult>((resolve) => answers.push(resolve));
    },
  };
  let current: typeof session | undefined = session;
  const requests = new UploadRequests({
    feed,
    sessionOf: () => current,
    runAfter: timers.runAfter,
    onLimit: () => undefined,
    onFault: (error) => faults.push(error),
  });
  const request = requests.request(session, ORDER);
  if (request === undefined) throw new Error('there is no room for a request');
  const ends: unknown[] = [];
  void request.done.then((end) => ends.push(end));
  return {
    timers,
    sent,
    request,
    requests,
    ends,
    answer: async (result: CommandResult) => {
      answers.shift()?.(result);
      await settled();
    },
    report: async (replySerial: number, result: number, incarnation = DEVICE.incarnation) => {
      const body = { kind: 'fileUploadDone', replySerial, result } as const;
      feed.tell({ kind: 'message', device: { ...DEVICE, incarnation }, body, receivedAtMs: 0 });
      await settled();
    },
    setSession: (incarnation: number | undefined) => {
      current = incarnation === undefined ? undefined : { ...session, incarnation };
    },
  };
}

describe('UploadRequests', () => {
  it('names what is wanted as the terminal counts it', () => {
    expect(startScene(true).sent).toEqual([
      {
        kind: 'fileUpload',
        ...ORDER.target,
        channel: 2,
        start: ORDER.start,
        end: ORDER.end,
        videoAlarms: 0,
        alarms: 0,
        media: 0,
        stream: 2,
        storage: 0,
        condition: 5,
      },
    ]);
  });

  it('is accepted by 0x0001, and done by 0x1206 with its serial', async () => {
    const scene = startScene();
    await scene.answer({ ok: true });
    expect(await scene.request.accepted).toEqual({ ok: true });
    await scene.report(99, 0);
    await scene.report(100, 0, 6);
    expect(scene.ends).toEqual([]);
    await scene.report(100, 0);
    expect(scene.ends).toEqual([{ kind: 'done' }]);
  });

  it('is done by 0x1206 alone where a terminal answers with nothing else', async () => {
    const scene = startScene();
    await scene.report(100, 1);
    expect([await scene.request.accepted, scene.ends]).toEqual([{ ok: true }, [{ kind: 'failed' }]]);
  });

  it.each([
    { ok: false, reason: 'timeout' },
    { ok: false, reason: 'refused', result: 3 },
  ] as const)('is over when it is not accepted: $reason', async (failure) => {
    const scene = startScene();
    await scene.answer(failure);
    expect([await scene.request.accepted, scene.ends]).toEqual([failure, [{ kind: 'not-accepted', failure }]]);
  });

  it('is accepted by bytes, and then not given up because the answer did not come', async () => {
    const scene = startScene();
    scene.request.noteBytes();
    await scene.answer({ ok: false, reason: 'timeout' });
    expect([await scene.request.accepted, scene.ends]).toEqual([{ ok: true }, []]);
  });

  it('lasts as long as bytes come, and not while it is paused', async () => {
    const scene = startScene();
    await scene.answer({ ok: true });
    scene.timers.advance(UPLOAD_IDLE_MS - 1);
    scene.request.noteBytes();
    scene.timers.advance(UPLOAD_IDLE_MS - 1);
    const paused = scene.request.pause();
    await settled();
    await scene.answer({ ok: true });
    expect(await paused).toEqual({ ok: true });
    scene.timers.advance(10 * UPLOAD_IDLE_MS);
    await settled();
    expect(scene.ends).toEqual([]);
    void scene.request.resume();
    scene.timers.advance(UPLOAD_IDLE_MS);
    await settled();
    expect(scene.ends).toEqual([{ kind: 'silent' }]);
  });

  it('is canceled at once, whatever the terminal says', async () => {
    const scene = startScene();
    await scene.answer({ ok: true });
    const canceled = scene.request.cancel();
    await settled();
    expect(scene.ends).toEqual([{ kind: 'canceled' }]);
    expect(scene.sent.at(-1)).toEqual({ kind: 'fileUploadControl', uploadSerial: 100, command: 2 });
    await scene.answer({ ok: false, reason: 'timeout' });
    expect(await canceled).toEqual({ ok: false, reason: 'timeout' });
  });

  it('tells nothing to another device of the same id', async () => {
    const scene = startScene();
    await scene.answer({ ok: true });
    scene.setSession(6);
    expect(await scene.request.pause()).toEqual({ ok: false, reason: 'closed', isUnsent: true });
    scene.setSession(undefined);
    expect(await scene.request.cancel()).toMatchObject({ ok: false });
    expect(scene.sent).toHaveLength(1);
  });

  it('ends without a word when the gateway does', async () => {
    const scene = startScene();
    scene.requests.close();
    await settled();
    expect([scene.ends, scene.sent.length]).toEqual([[{ kind: 'canceled' }], 1]);
    expect(scene.timers.pending).toBe(0);
  });
});
