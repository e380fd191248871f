import { beforeEach, describe, expect, it } from 'vitest';
import type { AvAttributes } from '../../../../server/device/jt808/codec/messages/live.ts';
import type { MediaFrame } from '../../../../server/device/jt1078/codec/assembler.ts';
import { decodePacket, type MediaPacket } from '../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../server/device/jt1078/codec/payloadTypes.ts';
import { Downlink, downlinkFormat } from '../../../../server/device/jt1078/downlink.ts';
import { MediaExpectations, MediaPort } from '../../../../server/device/jt1078/mediaExpectations.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { type TalkLine, TalkSource } from '../../../../server/device/talkSource.ts';
import type { CommandResult, TerminalSession } from '../../../../server/device/terminalSession.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { settled } from './jt808/fakeTerminal.ts';

const TALK_KEY = { port: MediaPort.Talk, terminal: '13800000001', channel: 2 };
const SIM = '013800000001';
const SAID: AvAttributes = {
  audioCodec: PayloadType.G711A,
  audioChannels: 1,
  sampleRate: 0,
  sampleBits: 1,
  audioFrameBytes: 160,
  audioOutput: 1,
  videoCodec: 98,
  maxAudioChannels: 1,
  maxVideoChannels: 4,
};

const soundFrame = (payloadType: number, bytes: number[]): MediaFrame => ({
  kind: 'frame',
  channel: 2,
  media: 'audio',
  dataType: 3,
  payloadType,
  timestampMs: 0,
  bytes: Uint8Array.from(bytes),
  lost: false,
});

describe('TalkSource', () => {
  let timers: ManualTimers;
  let registry: DeviceRegistry;
  let expectations: MediaExpectations;
  let talk: TalkSource;
  let requests: string[];
  let heard: string[];
  let sent: MediaPacket[];
  let closes: number;
  let answer: (result: CommandResult) => void;
  let session: TerminalSession;

  beforeEach(() => {
    timers = new ManualTimers();
    registry = new DeviceRegistry(timers.now);
    expectations = new MediaExpectations();
    [requests, heard, sent, closes] = [[], [], [], 0];
    const done = async (): Promise<CommandResult> => ({ ok: true });
    session = {
      deviceId: 'BUS1',
      incarnation: 1,
      archiveNumber: 1,
      terminal: TALK_KEY.terminal,
      edition: '2013',
      remoteAddress: '10.0.0.7',
      localAddress: '192.0.2.1',
      relaxedMediaAddress: false,
      channelsFromZero: false,
      startLive: done,
      stopLive: done,
      ptz: done,
      startTalk: (channel, { host, port }) => {
        requests.push(`start ${channel} ${host}:${port}`);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      stopTalk: async (channel) => {
        requests.push(`stop ${channel}`);
        return { ok: true };
      },
      command: done,
      query: async () => ({ ok: false, reason: 'timeout' }),
      sendPackages: async () => ({ ok: false, reason: 'timeout' }),
      isAlive: async () => true,
      setIdleTimeout: () => undefined,
      startPlayback: async () => ({ ok: false, reason: 'timeout' }) as const,
      controlPlayback: async () => ({ ok: true }) as const,
      close: () => undefined,
    };
    registry.enter(session);
    talk = new TalkSource({
      registry,
      expectations,
      mediaAddress: (port, { localAddress }) => ({ host: localAddress, port: 7078 + port }),
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: noFaults,
    });
  });

  const open = (): TalkLine => {
    const opening = talk.open('BUS1', 2, {
      opened: ({ sampleRate }) => heard.push(`opened ${sampleRate}`),
      packet: () => heard.push('packet'),
      ended: (reason) => heard.push(`ended ${reason}`),
    });
    if (!opening.ok) throw new Error(opening.reason);
    return opening.line;
  };

  const dial = (sim: string | undefined) => {
    const sink = expectations.take(TALK_KEY, '10.0.0.7')?.sink;
    if (sink === undefined) throw new Error('nobody expects the line');
    sink.opened({
      sim,
      hold: () => undefined,
      send: (packet) => {
        const result = decodePacket(packet, 6);
        if (result.ok) sent.push(result.packet);
      },
      close: () => {
        closes++;
        sink.ended('released');
      },
    });
    return sink;
  };

  it("opens with the terminal's first sound, and answers in its own codec, framing and number", async () => {
    const line = open();
    expect(requests).toEqual(['start 2 192.0.2.1:7081']);
    answer({ ok: true });
    await settled();
    const sink = dial(SIM);
    line.speak(new Int16Array(320));
    expect(sent).toEqual([]);
    sink.frame?.(soundFrame(PayloadType.G711U, [0, 1, 2, 0, 1, 2, 3, 4]));
    expect(heard).toEqual(['opened 8000']);
    line.speak(new Int16Array(300));
    expect(sent).toEqual([]);
    line.speak(new Int16Array(340));
    expect(sent.map(({ sequence, timestampMs }) => [sequence, timestampMs])).toEqual([
      [0, 0],
      [1, 40],
    ]);
    expect(sent[0]).toMatchObject({ sim: SIM, channel: 2, payloadType: PayloadType.G711U, dataType: 3, subPackage: 0 });
    expect([...(sent[0]?.body ?? [])].slice(0, 5)).toEqual([0, 1, 160, 0, 0xff]);
  });

  it('frames as the terminal said it does', async () => {
    registry.learn('BUS1', { av: SAID });
    const line = open();
    const sink = dial(SIM);
    sink.frame?.(soundFrame(PayloadType.G711A, [9, 9, 9]));
    line.speak(new Int16Array(320));
    expect(sent.map(({ body }) => body.length)).toEqual([160, 160]);
  });

  it('opens at once for a loudspeaker that sends nothing', () => {
    registry.learn('BUS1', { av: SAID });
    const line = open();
    dial(undefined);
    expect(heard).toEqual(['opened 8000']);
    line.speak(new Int16Array(160));
    expect(sent[0]).toMatchObject({ sim: SIM, payloadType: PayloadType.G711A });
  });

  it('has one line a terminal', () => {
    const line = open();
    expect(talk.isBusy('BUS1')).toBe(true);
    const second = { opened: () => undefined, packet: () => undefined, ended: () => undefined };
    expect(talk.open('BUS1', 1, second)).toEqual({ ok: false, reason: 'busy' });
    line.close();
    expect(talk.isBusy('BUS1')).toBe(false);
    expect(talk.open('NONE', 1, second)).toEqual({ ok: false, reason: 'offline' });
  });

  it('closes the connection and tells the terminal when the person hangs up, once', async () => {
    const line = open();
    dial(SIM);
    line.close();
    line.close();
    expect([closes, requests.at(-1), heard]).toEqual([1, 'stop 2', ['ended closed']]);
    expect(timers.pending).toBe(0);
  });

  it.each<[string, CommandResult, string]>([
    ['refuses', { ok: false, reason: 'refused', result: 3 }, 'ended refused'],
    ['does not answer', { ok: false, reason: 'timeout' }, 'ended no-answer'],
    ['is cut', { ok: false, reason: 'closed' }, 'ended offline'],
  ])('ends when the terminal %s', async (_what, result, end) => {
    open();
    answer(result);
    await settled();
    expect(heard).toEqual([end]);
    expect(expectations.take(TALK_KEY, '10.0.0.7')).toBeUndefined();
  });

  it('ends when the terminal accepts and does not dial, hangs up, or goes offline', async () => {
    open();
    answer({ ok: true });
    await settled();
    timers.advance(10_000);
    open();
    dial(SIM).ended('terminal');
    open();
    registry.leave(session);
    expect(heard).toEqual(['ended no-answer', 'ended terminal', 'ended offline']);
    expect(timers.pending).toBe(0);
  });

  it('answers G.726 at the rate of what it hears', () => {
    const line = open();
    dial(SIM).frame?.(
      soundFrame(
        PayloadType.G726,
        Array.from({ length: 200 }, () => 7),
      ),
    );
    line.speak(new Int16Array(320));
    expect(sent[0]).toMatchObject({ payloadType: PayloadType.G726 });
    expect(sent[0]?.body).toHaveLength(200);
  });

  it('ends where the terminal speaks what cannot be made here', () => {
    open();
    dial(SIM).frame?.(soundFrame(PayloadType.Aac, [1, 2, 3]));
    expect(heard).toEqual(['ended codec']);
  });
});

describe('downlinkFormat', () => {
  it.each([
    [
      'nothing known',
      undefined,
      undefined,
      { payloadType: PayloadType.G711A, sampleRate: 8_000, samplesPerFrame: 320 },
    ],
    [
      'PCM at its rate',
      { ...SAID, audioCodec: PayloadType.PcmVoice, sampleRate: 1, audioFrameBytes: 640 },
      undefined,
      { sampleRate: 22_050, samplesPerFrame: 320 },
    ],
    [
      'ADPCM of 164 bytes',
      { ...SAID, audioCodec: PayloadType.Adpcma, audioFrameBytes: 164 },
      undefined,
      { samplesPerFrame: 320 },
    ],
    ['G.726 of 24 kbit/s', { ...SAID, audioCodec: PayloadType.G726, audioFrameBytes: 120 }, undefined, { g726Bits: 3 }],
    ['G.726 of no rate', { ...SAID, audioCodec: PayloadType.G726, audioFrameBytes: 7 }, undefined, { g726Bits: 4 }],
    ['a frame of nonsense', { ...SAID, audioFrameBytes: 60_000 }, undefined, { samplesPerFrame: 320 }],
  ])('%s', (_what, said, uplink, expected) => {
    expect(downlinkFormat(said, uplink)).toMatchObject(expected);
  });

  it("never makes a packet above the standard's 950 bytes", () => {
    for (const audioCodec of [
      PayloadType.G711A,
      PayloadType.G711U,
      PayloadType.PcmVoice,
      PayloadType.Adpcma,
      PayloadType.G726,
    ]) {
      for (const audioFrameBytes of [0, 80, 164, 320, 800, 950, 1_600, 0xffff]) {
        const format = downlinkFormat({ ...SAID, audioCodec, audioFrameBytes }, undefined);
        if (format === undefined) throw new Error('no format');
        const downlink = new Downlink(format, { sim: SIM, channel: 1, nowMs: 0 });
        for (const packet of downlink.push(new Int16Array(3_000))) {
          const result = decodePacket(packet, 6);
          expect(result.ok && result.packet.body.length <= 950).toBe(true);
        }
      }
    }
  });
});
