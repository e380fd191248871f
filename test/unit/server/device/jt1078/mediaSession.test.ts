import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DataType, encodePacket, SubPackage } from '../../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../../server/device/jt1078/codec/payloadTypes.ts';
import {
  type MediaConnection,
  MediaExpectations,
  MediaPort,
} from '../../../../../server/device/jt1078/mediaExpectations.ts';
import { MediaSession } from '../../../../../server/device/jt1078/mediaSession.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FakeSocket } from '../jt808/fakeTerminal.ts';

const SIM = '013800000001';
const TERMINAL = '13800000001';

const soundPacket = (channel: number, sim = SIM, sequence = 0): Uint8Array =>
  encodePacket({
    payloadType: PayloadType.G711A,
    marker: true,
    sequence,
    sim,
    channel,
    dataType: DataType.Audio,
    subPackage: SubPackage.Atomic,
    timestampMs: sequence * 40,
    body: new Uint8Array(160),
  });

describe('MediaSession', () => {
  let timers: ManualTimers;
  let expectations: MediaExpectations;
  let socket: FakeSocket;
  let log: string[];
  let connection: MediaConnection | undefined;
  let lost: string[];

  beforeEach(() => {
    timers = new ManualTimers();
    expectations = new MediaExpectations();
    socket = new FakeSocket();
    log = [];
    connection = undefined;
    lost = [];
  });

  const expectChannel = (port: MediaPort, channel: number, terminal = TERMINAL): void => {
    expectations.expect({
      port,
      channel,
      terminal,
      remoteAddress: '10.0.0.7',
      sink: {
        opened: (each) => {
          connection = each;
          log.push(`opened ${channel} by ${each.sim ?? 'its address'}`);
        },
        packet: () => log.push(`packet ${channel}`),
        lost: (kind, count) => lost.push(`${channel} ${kind} ${count}`),
        ended: (reason) => log.push(`ended ${channel} ${reason}`),
      },
    });
  };

  const accept = (port: MediaPort): void => {
    const onMediaLoss = (kind: string, count: number): number => lost.push(`nobody ${kind} ${count}`);
    new MediaSession(socket.asSocket(), port, {
      expectations,
      now: timers.now,
      runAfter: timers.runAfter,
      onMediaLoss,
    });
  };

  it('belongs to the stream that its first packet names', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(2));
    expect(log).toEqual([`opened 2 by ${SIM}`, 'packet 2', 'packet 2']);
    socket.destroy();
    expect(log.at(-1)).toBe('ended 2 terminal');
    expect(timers.pending).toBe(0);
  });

  it('is cut when its first packet names nothing that was asked for', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(3));
    expect(socket.destroyed).toBe(true);
    expect(log).toEqual([]);
  });

  it('is cut by what is no packet, and no more than a little of it is looked into', () => {
    expectChannel(MediaPort.Main, 2);
    const isExpected = vi.spyOn(expectations, 'isExpected');
    accept(MediaPort.Main);
    // Every five bytes a magic number, a type that there is in either width, and a length that no packet has.
    const strange = [...new TextEncoder().encode('01cd0')];
    socket.emit(
      'data',
      Uint8Array.from({ length: 64 * 1024 }, (_, at) => strange[at % 5] ?? 0),
    );
    expect(socket.destroyed).toBe(true);
    expect(isExpected.mock.calls.length).toBeLessThan(1_000);
    expect(log).toEqual([]);
  });

  it('is that of a terminal whose first packets are whole however much it sends at once', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    const strange = new Uint8Array(1_000);
    const packets = Array.from({ length: 100 }, (_, sequence) => soundPacket(2, SIM, sequence));
    socket.emit('data', new Uint8Array(Buffer.concat([strange, ...packets, strange, ...packets.slice(0, 1), strange])));
    expect(socket.destroyed).toBe(false);
    // Sound is told once what it is.
    expect(log.filter((text) => text === 'packet 2').length).toBeGreaterThan(100);
  });

  it('is cut when nothing comes within ten seconds', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    timers.advance(10_000);
    expect(socket.destroyed).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it('says that silence has ended it', () => {
    expectChannel(MediaPort.Sub, 1);
    accept(MediaPort.Sub);
    socket.emit('data', soundPacket(1));
    timers.advance(10_000);
    expect(socket.destroyed).toBe(false);
    timers.advance(1_000);
    expect(log.at(-1)).toBe('ended 1 silent');
    expect(socket.destroyed).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it('lets go of the channel that is silent among others, which can be opened again', () => {
    expectChannel(MediaPort.Main, 1);
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(1));
    for (let second = 0; second < 15; second++) {
      socket.emit('data', soundPacket(2, SIM, second));
      timers.advance(1_000);
    }
    expect(log.filter((line) => line.startsWith('ended'))).toEqual(['ended 1 silent']);
    expect(socket.destroyed).toBe(false);
    expectChannel(MediaPort.Main, 1);
    socket.emit('data', soundPacket(1, SIM, 1));
    expect(log.at(-1)).toBe('packet 1');
  });

  it.each([MediaPort.Playback, MediaPort.Talk])(
    'waits for a recording that is paused and for speech: port %i',
    (port) => {
      expectChannel(port, 1);
      accept(port);
      socket.emit('data', soundPacket(1));
      timers.advance(29_000);
      expect(socket.destroyed).toBe(false);
      expect(socket.idleTimeoutMs).toBe(port === MediaPort.Talk ? 30_000 : undefined);
    },
  );

  describe('of a terminal with a number of 20 digits', () => {
    const LONG = '86000000013800000001';

    it('is known by the last twelve of them', () => {
      expectChannel(MediaPort.Main, 1, LONG);
      accept(MediaPort.Main);
      socket.emit('data', soundPacket(1));
      expect(log).toEqual([`opened 1 by ${SIM}`, 'packet 1', 'packet 1']);
    });

    it.each([TERMINAL, '99000000013800000001'])(
      'is refused where another one expected there ends alike: %s',
      (other) => {
        expectChannel(MediaPort.Main, 1, LONG);
        expectChannel(MediaPort.Main, 2, other);
        accept(MediaPort.Main);
        socket.emit('data', soundPacket(1));
        expect(socket.destroyed).toBe(true);
        expect(log).toEqual([]);
      },
    );

    it('is not taken for one that ends alike in packets that bear all digits', () => {
      expectChannel(MediaPort.Main, 1, LONG);
      expectChannel(MediaPort.Main, 2, '99000000013800000001');
      accept(MediaPort.Main);
      socket.emit('data', soundPacket(1, LONG, 0));
      expect(log.at(0)).toBe(`opened 1 by ${LONG}`);
    });
  });

  it('takes no packet of another terminal over the connection of one', () => {
    expectChannel(MediaPort.Main, 1);
    expectChannel(MediaPort.Main, 1, '13800000002');
    accept(MediaPort.Main);
    socket.emit('data', Buffer.concat([soundPacket(1, SIM, 0), soundPacket(1, SIM, 1)]));
    const before = log.length;
    socket.emit('data', soundPacket(1, '013800000002'));
    expect(log.slice(before)).toEqual([]);
    expect(lost).toEqual(['nobody foreign-packet 1']);
    expect(socket.destroyed).toBe(false);
  });

  it('counts what is lost by the channel that lost it', () => {
    expectChannel(MediaPort.Main, 1);
    accept(MediaPort.Main);
    for (const sequence of [0, 1, 1, 4]) socket.emit('data', soundPacket(1, SIM, sequence));
    socket.emit('data', Buffer.from('noise'));
    socket.emit('data', soundPacket(1, SIM, 5));
    expect(lost).toEqual(['1 repeated-packet 1', '1 missing-packet 2', '1 resync 1']);
  });

  it('carries two channels and closes with the last', () => {
    expectChannel(MediaPort.Main, 1);
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(1));
    const first = connection;
    socket.emit('data', soundPacket(2));
    first?.close();
    expect(socket.destroyed).toBe(false);
    connection?.close();
    expect(socket.destroyed).toBe(true);
    expect(log.filter((line) => line.startsWith('ended'))).toEqual(['ended 1 released', 'ended 2 released']);
  });

  it('on the talk port is known by its address after a second, and is written to', () => {
    expectChannel(MediaPort.Talk, 1);
    accept(MediaPort.Talk);
    timers.advance(1_000);
    expect(log).toEqual(['opened 1 by its address']);
    connection?.send(Uint8Array.from([1, 2]));
    expect(socket.written).toEqual([Uint8Array.from([1, 2])]);
    expect(timers.pending).toBe(0);
  });

  it('on the talk port is not guessed where two lines are open to that address', () => {
    expectChannel(MediaPort.Talk, 1);
    expectChannel(MediaPort.Talk, 2);
    accept(MediaPort.Talk);
    timers.advance(9_999);
    expect(log).toEqual([]);
    timers.advance(1);
    expect(socket.destroyed).toBe(true);
  });
});
