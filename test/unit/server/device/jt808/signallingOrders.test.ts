// What a signed-in terminal is asked and told to do, and how its answers find who asked.

import { beforeEach, describe, expect, it } from 'vitest';
import { GeneralResult, MessageId, RegistrationResult } from '../../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { AvAttributes } from '../../../../../server/device/jt808/codec/messages/live.ts';
import { PackageBytes } from '../../../../../server/device/jt808/inbox.ts';
import { SignallingSession } from '../../../../../server/device/jt808/signallingSession.ts';
import { WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';
import type { TerminalSession } from '../../../../../server/device/terminalSession.ts';
import { aSignedInDevice } from '../../../../support/aDevice.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { AUTHENTICATION, FakeTerminal, settled } from './fakeTerminal.ts';

const AV: AvAttributes = {
  audioCodec: 6,
  audioChannels: 1,
  sampleRate: 0,
  sampleBits: 1,
  audioFrameBytes: 320,
  audioOutput: 1,
  videoCodec: 98,
  maxAudioChannels: 1,
  maxVideoChannels: 4,
};

describe('SignallingSession', () => {
  let timers: ManualTimers;
  let terminal: FakeTerminal;
  let reports: MessageBody[];
  let sessions: TerminalSession[];

  beforeEach(() => {
    timers = new ManualTimers();
    terminal = new FakeTerminal();
    reports = [];
    sessions = [];
    new SignallingSession(terminal.socket.asSocket(), {
      authenticator: {
        register: async () => ({ result: RegistrationResult.NoSuchTerminal }),
        authenticate: async () => aSignedInDevice({ chn: 4 }),
      },
      now: timers.now,
      runAfter: timers.runAfter,
      acknowledgedIds: new Set(),
      waiting: new WaitingBytes(() => undefined),
      packageBytes: new PackageBytes(),
      onReport: (_session, body) => reports.push(body) > 0,
      onSignedIn: (session) => sessions.push(session),
      onEnded: () => undefined,
      onFault: noFaults,
      onLimit: () => undefined,
    });
  });

  const signIn = async (): Promise<TerminalSession> => {
    await terminal.say(AUTHENTICATION);
    terminal.heard();
    const session = sessions.at(-1);
    if (session === undefined) throw new Error('not signed in');
    return session;
  };

  describe('questions', () => {
    it('get the answer of their own kind, which is acknowledged', async () => {
      const session = await signIn();
      const requests = session.query({ kind: 'queryAvAttributes' }, 'avAttributes');
      await settled();
      expect(terminal.heardBodies()).toEqual([{ kind: 'queryAvAttributes' }]);
      await terminal.say({ kind: 'avAttributes', ...AV });
      expect(await requests).toEqual({ ok: true, answer: { kind: 'avAttributes', ...AV } });
      expect(terminal.heardBodies()).toMatchObject([{ replyId: MessageId.avAttributes, result: GeneralResult.Ok }]);
      expect(reports).toEqual([]);
    });

    it('are asked one at a time', async () => {
      const session = await signIn();
      const first = session.query({ kind: 'queryAvAttributes' }, 'avAttributes');
      const second = session.query({ kind: 'queryAttributes' }, 'attributesReply');
      await settled();
      expect(terminal.heardBodies()).toHaveLength(1);
      timers.advance(10_000);
      expect(await first).toEqual({ ok: false, reason: 'timeout' });
      await settled();
      expect(terminal.heardBodies()).toEqual([{ kind: 'queryAttributes' }]);
      terminal.socket.destroy();
      expect(await second).toEqual({ ok: false, reason: 'closed' });
      expect(timers.pending).toBe(0);
    });

    it('wait longer after a general reply that says well, and end with one that does not', async () => {
      const session = await signIn();
      const first = session.query({ kind: 'queryParameters' }, 'parametersReply');
      await settled();
      const serial = terminal.heard()[0]?.header.serial ?? -1;
      const reply = { kind: 'terminalGeneralReply', replySerial: serial, replyId: MessageId.queryParameters } as const;
      timers.advance(9_000);
      await terminal.say({ ...reply, result: GeneralResult.Ok });
      timers.advance(9_000);
      await terminal.say({ ...reply, result: GeneralResult.NotSupported });
      expect(await first).toEqual({ ok: false, reason: 'refused', result: GeneralResult.NotSupported });
    });

    it('take no answer to another question of the same kind', async () => {
      const session = await signIn();
      const requests = session.query({ kind: 'queryParameters' }, 'parametersReply');
      await settled();
      const serial = terminal.heard()[0]?.header.serial ?? -1;
      const parameters = { kind: 'parametersReply', count: 0, items: [], tail: new Uint8Array(0) } as const;
      await terminal.say({ ...parameters, replySerial: serial + 1 });
      await terminal.say({ ...parameters, replySerial: serial });
      expect(await requests).toMatchObject({ ok: true, answer: { replySerial: serial } });
      expect(reports).toHaveLength(1);
    });

    it('wait while the packages of a long answer come in', async () => {
      const session = await signIn();
      const requests = session.query({ kind: 'queryAvAttributes' }, 'avAttributes');
      await settled();
      const answer = { kind: 'avAttributes', ...AV } as const;
      for (const number of [1, 2, 3]) {
        timers.advance(4_000);
        await terminal.sayInPackages(answer, { total: 3, numbers: [number], firstSerial: 40 });
      }
      expect(await requests).toEqual({ ok: true, answer });
    });
  });

  describe('commands', () => {
    const ADDRESS = { host: '192.0.2.1', port: 7078 };

    it('for media go out one at a time', async () => {
      const session = await signIn();
      const first = session.startLive({ channel: 1, quality: 'main' }, ADDRESS);
      const second = session.startLive({ channel: 2, quality: 'main' }, ADDRESS);
      await settled();
      const [only, ...more] = terminal.heard();
      expect(more).toEqual([]);
      const reply = { kind: 'terminalGeneralReply', replyId: MessageId.liveRequest, result: 0 } as const;
      await terminal.say({ ...reply, replySerial: only?.header.serial ?? -1 });
      expect(await first).toEqual({ ok: true });
      await settled();
      expect(terminal.heardBodies()).toMatchObject([{ kind: 'liveRequest', channel: 2, tcpPort: 7078, stream: 0 }]);
      timers.advance(10_000);
      expect(await second).toEqual({ ok: false, reason: 'timeout' });
    });

    it.each([
      [
        { kind: 'rotate', direction: 'left', speed: 7 },
        { kind: 'ptzRotate', channel: 3, direction: 3, speed: 7 },
      ],
      [
        { kind: 'rotate', direction: 'stop', speed: 7 },
        { kind: 'ptzRotate', channel: 3, direction: 0, speed: 0 },
      ],
      [
        { kind: 'focus', increase: true },
        { kind: 'ptzFocus', channel: 3, value: 0 },
      ],
      [
        { kind: 'iris', increase: false },
        { kind: 'ptzIris', channel: 3, value: 1 },
      ],
      [
        { kind: 'zoom', increase: true },
        { kind: 'ptzZoom', channel: 3, value: 0 },
      ],
      [
        { kind: 'wiper', on: true },
        { kind: 'ptzWiper', channel: 3, value: 1 },
      ],
      [
        { kind: 'infrared', on: false },
        { kind: 'ptzInfrared', channel: 3, value: 0 },
      ],
    ] as const)('turn and adjust a camera: %j', async (order, message) => {
      const session = await signIn();
      const done = session.ptz(3, order);
      const [sent] = terminal.heard();
      expect(sent?.body).toEqual(message);
      await terminal.say({
        kind: 'terminalGeneralReply',
        replySerial: sent?.header.serial ?? -1,
        replyId: sent?.header.messageId ?? -1,
        result: 0,
      });
      expect(await done).toEqual({ ok: true });
    });

    it('of any kind go out beside those for media, and end with the answer, its refusal, or the connection', async () => {
      const session = await signIn();
      void session.startLive({ channel: 1, quality: 'main' }, ADDRESS);
      await settled();
      const text = { kind: 'text', flags: 4, textType: 1, text: 'a' } as const;
      const commands = [session.command(text), session.command({ kind: 'linkCheck' }), session.command(text)];
      const sent = terminal.heard();
      expect(sent.map(({ body }) => body.kind)).toEqual(['liveRequest', 'text', 'linkCheck', 'text']);
      const reply = (index: number, result: number) =>
        terminal.say({
          kind: 'terminalGeneralReply',
          replySerial: sent[index]?.header.serial ?? -1,
          replyId: sent[index]?.header.messageId ?? -1,
          result,
        });
      await reply(2, GeneralResult.NotSupported);
      await reply(1, GeneralResult.Ok);
      terminal.socket.destroy();
      expect(await Promise.all(commands)).toEqual([
        { ok: true },
        { ok: false, reason: 'refused', result: GeneralResult.NotSupported },
        { ok: false, reason: 'closed' },
      ]);
      expect(await session.command(text)).toEqual({ ok: false, reason: 'closed', isUnsent: true });
    });

    it('that do not fit their message are the mistake of whoever gives them', async () => {
      const session = await signIn();
      await expect(session.command({ kind: 'text', flags: 900, text: 'a' })).rejects.toThrow(RangeError);
      expect(terminal.heard()).toEqual([]);
    });

    it('in packages end with the last of them, and packages are sent again when they are asked for', async () => {
      const session = await signIn();
      const items = Array.from({ length: 6 }, (_, index) => ({ id: 0xf000 + index, value: new Uint8Array(250) }));
      const requests = session.query({ kind: 'setParameters', items }, 'parametersReply');
      await settled();
      const [first, second] = terminal.heard();
      expect(second?.header.part).toEqual({ total: 2, number: 2 });
      await terminal.say({
        kind: 'terminalResendRequest',
        firstSerial: first?.header.serial ?? -1,
        numbers: [2],
      });
      expect(terminal.heard()).toEqual([second]);
      terminal.socket.destroy();
      expect(await requests).toEqual({ ok: false, reason: 'closed' });
    });
  });
});
