import { beforeEach, describe, expect, it } from 'vitest';
import { DataType, encodePacket, SubPackage } from '../../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../../server/device/jt1078/codec/payloadTypes.ts';
import {
  type MediaConnection,
  MediaExpectations,
  MediaPort,
} from '../../../../../server/device/jt1078/mediaExpectations.ts';
import { MediaSession } from '../../../../../server/device/jt1078/mediaSession.ts';
import { ManualTimers } from '../../../../support/manualTimers.ts';
import { FakeSocket } from '../jt808/fakeTerminal.ts';

const SIM = '013800000001';
const TERMINAL = '13800000001';

const soundPacket = (channel: number, sim = SIM): Uint8Array =>
  encodePacket({
    payloadType: PayloadType.G711A,
    marker: true,
    sequence: 0,
    sim,
    channel,
    dataType: DataType.Audio,
    subPackage: SubPackage.Atomic,
    timestampMs: 0,
    body: new Uint8Array(160),
  });

describe('MediaSession', () => {
  let timers: ManualTimers;
  let expectations: MediaExpectations;
  let socket: FakeSocket;
  let log: string[];
  let connection: MediaConnection | undefined;

  beforeEach(() => {
    timers = new ManualTimers();
    expectations = new MediaExpectations();
    socket = new FakeSocket();
    log = [];
    connection = undefined;
  });

  const expectChannel = (port: MediaPort, channel: number): void => {
    expectations.expect({
      port,
      channel,
      terminal: TERMINAL,
      remoteAddress: '10.0.0.7',
      sink: {
        opened: (each) => {
          connection = each;
          log.push(`opened ${channel} by ${each.sim ?? 'its address'}`);
        },
        packet: () => log.push(`packet ${channel}`),
        ended: (why) => log.push(`ended ${channel} ${why}`),
      },
    });
  };

  const accept = (port: MediaPort): void => {
    new MediaSession(socket.asSocket(), port, { expectations, now: timers.now, after: timers.after });
  };

  it('belongs to the stream that its first packet names', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(2));
    expect(log).toEqual([`opened 2 by ${SIM}`, 'packet 2', 'packet 2']);
    expect(timers.pending).toBe(0);
    socket.destroy();
    expect(log.at(-1)).toBe('ended 2 terminal');
  });

  it('is cut when its first packet names nothing that was asked for', () => {
    expectChannel(MediaPort.Main, 2);
    accept(MediaPort.Main);
    socket.emit('data', soundPacket(3));
    expect(socket.destroyed).toBe(true);
    expect(log).toEqual([]);
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
    expect(socket.idleTimeoutMs).toBe(30_000);
    socket.emit('timeout');
    expect(log.at(-1)).toBe('ended 1 silent');
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
