// Terminals as they are: simulated ones with the quirks of real ones, over real sockets.
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { channelsOf } from '../../../server/device/channels.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import type { MediaPacket } from '../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../server/device/jt1078/codec/payloadTypes.ts';
import { hevcTypeOf } from '../../../server/media/h265/nalTypes.ts';
import { splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { Codec, PacketKind, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ParameterTable } from '../../../simulator/answers/parameterTable.ts';
import type { ClipOf } from '../../../simulator/liveMedia.ts';
import type { TerminalQuirks } from '../../../simulator/quirks.ts';
import { waitFor } from '../../support/waitFor.ts';
import { it } from './gatewayTest.ts';
import { clipNamed, KEY, PROFILE, Recorder, type TestGateway } from './testGateway.ts';

describe.concurrent('a terminal with quirks', () => {
  const watch = (test: TestGateway): Recorder => {
    const viewer = new Recorder();
    test.hub.watch(KEY, viewer);
    return viewer;
  };

  const frames = (viewer: Recorder, count: number) =>
    waitFor(
      `${count} frames`,
      () => viewer.video(),
      (video) => video.length >= count,
    );

  const groupsOf = (video: readonly StreamPacket[]): StreamPacket[][] => {
    const groups: StreamPacket[][] = [];
    for (const packet of video) {
      if (packet.key) groups.push([]);
      groups.at(-1)?.push(packet);
    }
    return groups;
  };

  it.for<[string, TerminalQuirks]>([
    ['a number of ten bytes in its packets', { simBytes: 10 }],
    ['a number of six bytes in its packets', { simBytes: 6 }],
    ['chunks that cut its packets anywhere', { chunkBytes: 131 }],
    ['time stamps that count from zero', { timestamps: 'from-zero' }],
    ['parameter sets in the first key frame alone', { setsOnce: true }],
  ])('is seen with %s', async ([, quirks], { test }) => {
    await test.addDevice();
    test.start({ quirks });
    const video = await frames(watch(test), 60);
    expect(video[0]?.key).toBe(true);
    const steps = new Set(video.slice(1).map((packet, at) => packet.mediaTimeUs - (video[at]?.mediaTimeUs ?? 0)));
    expect(steps).toEqual(new Set([40_000]));
    const keys = video.filter(({ key }) => key);
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys)
      expect(
        splitNalUnits(key.payload)
          .slice(0, 2)
          .map(({ type }) => type),
      ).toEqual([7, 8]);
  });

  it.for([false, true])(
    'is shown in the order of its B pictures, with stamps of decoding: %s',
    async (decodingTimes, { test }) => {
      await test.addDevice();
      test.start({ quirks: { decodingTimes } }, { clip: clipNamed('cabin') });
      const video = await frames(watch(test), 110);
      const times = video.map(({ mediaTimeUs }) => mediaTimeUs);
      expect(times.some((time, at) => at > 0 && time < (times[at - 1] ?? 0))).toBe(true);
      // What the stamps are is known from the first B picture on, so the first group may have one picture too early.
      const whole = groupsOf(video).filter((group, at) => group.length === 50 && (at > 0 || !decodingTimes));
      expect(whole.length).toBeGreaterThan(0);
      for (const group of whole) {
        const start = group[0]?.mediaTimeUs ?? 0;
        const shown = group.map(({ mediaTimeUs }) => mediaTimeUs - start).sort((a, b) => a - b);
        expect(shown).toEqual(Array.from({ length: 50 }, (_, at) => at * 40_000));
      }
      expect(video.some(({ discontinuity }, at) => at > 0 && discontinuity)).toBe(false);
    },
  );

  it('is seen in H.265, its three sets before every key frame', async ({ test }) => {
    await test.addDevice();
    test.start({}, { clip: clipNamed('side') });
    const video = await frames(watch(test), 60);
    expect(new Set(video.map(({ codec }) => codec))).toEqual(new Set([Codec.H265]));
    const keys = video.filter(({ key }) => key);
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) {
      const types = splitNalUnits(key.payload).map(hevcTypeOf);
      expect(types.slice(0, 3)).toEqual([32, 33, 34]);
    }
  });

  it('costs whole groups where it loses packets, and says so each time', { timeout: 90_000 }, async ({ test }) => {
    await test.addDevice();
    test.start({ quirks: { loseEveryPacket: 101 } });
    const viewer = watch(test);
    const isBehindHole = (packet: StreamPacket, at: number, video: readonly StreamPacket[]): boolean =>
      at > 0 && packet.mediaTimeUs - (video[at - 1]?.mediaTimeUs ?? 0) !== 40_000;
    // Lost sound leaves no hole, so which packets are lost first decides how long it takes.
    await waitFor('two holes', () => viewer.video().filter(isBehindHole).length >= 2, Boolean, 60_000);
    const video = viewer.video();
    const holes = video.filter(isBehindHole);
    expect(holes.every(({ key, discontinuity }) => key && discontinuity)).toBe(true);
    expect(video.filter(({ discontinuity }) => discontinuity)).toEqual([video[0], ...holes]);
  });

  it("goes on by the gateway's clock when its own is set", async ({ test }) => {
    await test.addDevice();
    test.start({ quirks: { clockJumps: { everyMs: 600, byMs: -3_600_000 } } });
    const video = await frames(watch(test), 90);
    const times = video.map(({ mediaTimeUs }) => mediaTimeUs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(6_000_000);
    // Between key frames too, and no picture is left out for it.
    const jumps = video.filter(({ discontinuity }, at) => at > 0 && discontinuity);
    expect(jumps.some(({ key }) => !key)).toBe(true);
    for (const group of groupsOf(video).slice(0, -1)) expect(group).toHaveLength(50);
  });

  it('is seen whole where every packet comes twice', async ({ test }) => {
    await test.addDevice();
    test.start({ quirks: { damage: { 1: { kind: 'doubled', everyPacket: 1 } } } });
    const video = await frames(watch(test), 60);
    const steps = new Set(video.slice(1).map((packet, at) => packet.mediaTimeUs - (video[at]?.mediaTimeUs ?? 0)));
    expect(steps).toEqual(new Set([40_000]));
    expect(video.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
  });

  it('is seen with a number of 20 digits, of which its packets bear the last 12', async ({ test }) => {
    const number = '86000000138000000017';
    await test.addDevice(2, { terminal: { canonical: number, raw: number } });
    test.start({ number, quirks: { simBytes: 6 } });
    expect((await frames(watch(test), 3))[0]?.key).toBe(true);
  });

  it('that counts its channels from 0 shows its first one, and its table names them from 1', async ({ test }) => {
    await test.addDevice(0, { channelsFromZero: true });
    const heard: MessageBody[] = [];
    test.start({ quirks: { channelsFromZero: true }, ptzChannels: [1] }, { onMessage: (body) => heard.push(body) });
    expect((await frames(watch(test), 3))[0]?.key).toBe(true);
    const told = await waitFor('its channels', () => test.gateway.registry.facts(KEY.deviceId).channels);
    expect(told).toMatchObject({ count: 2, installed: '11', ptz: [1] });
    const ptz = { type: 'move', direction: 'up', speed: 9 } as const;
    expect(await test.gateway.control.ptz(KEY, ptz)).toBeUndefined();
    const named = heard.filter(({ kind }) => kind === 'liveRequest' || kind === 'ptzRotate');
    expect(named).toMatchObject([{ channel: 0 }, { channel: 0 }]);
    const now = Date.now();
    const listed = await test.gateway.recordings.list({ ...KEY, from: wallMs(now - 600_000), to: wallMs(now) });
    expect(listed.ok && listed.value.recordings.length).toBeGreaterThan(0);
  });

  it('goes by arrival when its time stamps never move', async ({ test }) => {
    await test.addDevice();
    test.start({ quirks: { timestamps: 'frozen' } });
    const viewer = watch(test);
    // A clock that shows the same for a picture or two is not known to stand yet.
    const behindMs = (await frames(viewer, 60))
      .slice(10)
      .map((packet) => packet.mediaTimeUs / 1000 - viewer.deliveredMs(packet));
    expect(Math.max(...behindMs) - Math.min(...behindMs)).toBeLessThan(50);
  });

  it.for([
    ['A-law', Codec.G711A],
    ['µ-law', Codec.G711U],
  ] as const)('is heard in %s, and who joins later is told', async ([audio, codec], { test }) => {
    await test.addDevice();
    test.start({ quirks: { audio, hiSiliconHeader: true } });
    const first = watch(test);
    await waitFor('sound', () => first.sound().length > 5);
    const late = watch(test);
    await waitFor('sound', () => late.sound().length > 0);
    for (const viewer of [first, late]) {
      expect(viewer.events()).toEqual([{ type: 'format', codec, sampleRate: 8_000, channels: 1 }]);
      const [sound] = viewer.sound();
      expect(sound?.codec).toBe(codec);
      expect(sound?.payload).toHaveLength(320);
      const eventAt = viewer.packets.findIndex(({ codec: each }) => each === Codec.None);
      expect(eventAt).toBeLessThan(viewer.packets.findIndex(({ kind }) => kind === PacketKind.Audio));
    }
  });

  it('that refuses is asked again, and why is known', async ({ test }) => {
    await test.addDevice();
    const requests: MessageBody[] = [];
    test.start({ quirks: { live: 'refused' } }, { onMessage: (body) => requests.push(body) });
    watch(test);
    await waitFor('three requests', () => requests.filter(({ kind }) => kind === 'liveRequest').length >= 3);
    expect(test.gateway.source.status(KEY)?.failure).toBe('refused');
  });

  it('is asked once for both pictures of a channel, and stopped once', async ({ test }) => {
    await test.addDevice();
    const heard: MessageBody[] = [];
    const clip: ClipOf = (_channel, quality) => clipNamed(quality === 'sub' ? 'roadSub' : 'road');
    const terminal = test.start({}, { clip, onMessage: (body) => heard.push(body) });
    await test.online();
    const [large, small] = [new Recorder(), new Recorder()];
    const main = test.hub.watch(KEY, large);
    const sub = test.hub.watch({ ...KEY, quality: 'sub' }, small);
    await waitFor('both pictures', () => large.video().length > 0 && small.video().length > 0);
    const setOf = ({ payload }: StreamPacket): Uint8Array => splitNalUnits(payload)[0]?.bytes ?? new Uint8Array();
    const sizes = [large, small].map((viewer) =>
      viewer
        .video()
        .slice(0, 1)
        .map((key) => parseSps(setOf(key))),
    );
    expect(sizes).toMatchObject([[{ width: 640, height: 360 }], [{ width: 384, height: 216 }]]);
    expect(terminal.streams).toHaveLength(2);
    test.gateway.source.stop(KEY);
    await waitFor('the main stream has ended', () => terminal.streams.join() === '1/1');
    test.gateway.source.stop({ ...KEY, quality: 'sub' });
    await waitFor('nothing is sent any more', () => terminal.streams.length === 0);
    const stops = await waitFor(
      'the command to stop',
      () => heard.filter(({ kind }) => kind === 'liveControl'),
      (each) => each.length > 0,
    );
    expect(stops).toHaveLength(1);
    main.close();
    sub.close();
  });
});

describe.concurrent('what a terminal says of itself', () => {
  it.for(['2013', '2019'] as const)(
    'is asked for after sign-in and gives its channels: %s',
    async (edition, { test }) => {
      await test.addDevice(0);
      test.start({ edition, channels: 6, ptzChannels: [2] });
      const facts = await waitFor(
        'all facts',
        () => test.gateway.registry.facts('BUS1'),
        (each) => each.attributes !== undefined,
      );
      expect(facts).toMatchObject({
        heartbeatSeconds: 30,
        channels: { count: 6, installed: '111111', ptz: [2] },
        av: { audioCodec: PayloadType.G711A, maxVideoChannels: 6 },
        attributes: { model: 'Simulator' },
      });
      const device = await test.stores.devices.findByDeviceId('BUS1');
      expect(device && channelsOf(device, facts.channels)).toMatchObject({
        chn: 6,
        installchs: '111111',
        ptzchs: '010000',
      });
    },
  );

  it('is put together from packages, those lost on the way included', async ({ test }) => {
    await test.addDevice();
    const heard: MessageBody[] = [];
    test.start({ quirks: { losesPackages: true } }, { onMessage: (body) => heard.push(body) });
    await test.online();
    const session = test.gateway.registry.session('BUS1');
    const parameters = await session?.query({ kind: 'queryParameters' }, 'parametersReply');
    const kept = new ParameterTable({ ...PROFILE, quirks: { losesPackages: true } }).all;
    expect(parameters?.ok === true && parameters.answer.items).toEqual(kept);
    expect(heard.some(({ kind }) => kind === 'platformResendRequest')).toBe(true);
  });

  it('moves a camera where it can be moved', async ({ test }) => {
    await test.addDevice();
    test.start({ ptzChannels: [2] });
    await test.online();
    const session = test.gateway.registry.session('BUS1');
    const left = { kind: 'rotate', direction: 'left', speed: 5 } as const;
    expect(await session?.ptz(2, left)).toEqual({ ok: true });
    expect(await session?.ptz(1, left)).toEqual({ ok: false, reason: 'refused', result: 3 });
  });
});

describe.concurrent('talk-back', () => {
  it("carries sound both ways in the terminal's own format, and ends on both sides", async ({ test }) => {
    await test.addDevice();
    const speech: MediaPacket[] = [];
    const terminal = test.start(
      { quirks: { audio: 'µ-law', hiSiliconHeader: true } },
      { onSpeech: (packet) => speech.push(packet) },
    );
    await test.online();
    const uplink = new Recorder();
    const log: string[] = [];
    const opening = test.gateway.talk.open('BUS1', 1, {
      opened: ({ sampleRate }) => log.push(`opened ${sampleRate}`),
      packet: (packet) => uplink.deliver(packet),
      ended: (reason) => log.push(`ended ${reason}`),
    });
    if (!opening.ok) throw new Error(opening.reason);
    await waitFor('the line', () => log.includes('opened 8000'));
    await waitFor('the vehicle is heard', () => uplink.sound().length > 10);
    expect(uplink.sound()[0]).toMatchObject({ codec: Codec.G711U });
    opening.line.speak(new Int16Array(640).fill(1_000));
    await waitFor('the vehicle hears', () => speech.length === 2);
    expect(speech[0]).toMatchObject({ payloadType: PayloadType.G711U, channel: 1, sim: '00000000013800000001' });
    expect([...(speech[0]?.body.subarray(0, 4) ?? [])]).toEqual([0, 1, 160, 0]);
    opening.line.close();
    await waitFor('the line is closed', () => terminal.streams.length === 0);
    expect(log).toEqual(['opened 8000', 'ended closed']);
  });
});

describe.concurrent('strangers', () => {
  it('by the hundred that say nothing cost nobody the service', async ({ test }) => {
    const sockets = Array.from({ length: 300 }, () => connect(test.gateway.jt808Port, '127.0.0.1'));
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      await test.addDevice();
      test.start();
      await test.online();
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
