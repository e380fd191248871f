// What terminals can make grow with their media, each brought to its limit.
import { expect } from 'vitest';
import {
  FRAME_BYTES_LIMIT,
  FrameAssembler,
  HELD_FRAMES_LIMIT,
  OPEN_BYTES_LIMIT,
} from '../../../server/device/jt1078/codec/assembler.ts';
import { DataType, encodePacket, type MediaPacket, SubPackage } from '../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../server/device/jt1078/codec/payloadTypes.ts';
import { type MediaConnection, MediaExpectations, MediaPort } from '../../../server/device/jt1078/mediaExpectations.ts';
import {
  FIRST_PACKET_LIMIT,
  MediaSession,
  SILENCE_LIMIT,
  STRANGE_BYTES_LIMIT,
  TALK_SILENCE_LIMIT,
  UNSENT_LIMIT,
} from '../../../server/device/jt1078/mediaSession.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { ManualTimers } from '../../support/manualTimers.ts';
import { FakeSocket } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';

const SIM = '013800000001';

function packet(sequence: number, change: Partial<MediaPacket> = {}): MediaPacket {
  return {
    payloadType: PayloadType.H264,
    marker: false,
    sequence,
    sim: SIM,
    channel: 1,
    dataType: DataType.P,
    subPackage: SubPackage.Atomic,
    timestampMs: sequence * 40,
    body: new Uint8Array(100),
    ...change,
  };
}

const sound = (sequence: number): MediaPacket =>
  packet(sequence, { dataType: DataType.Audio, payloadType: PayloadType.G711A });

interface MediaScene {
  readonly socket: FakeSocket;
  readonly timers: ManualTimers;
  readonly ended: string[];
  readonly connection: () => MediaConnection | undefined;
}

/** A connection on a port where channel 1 is expected. */
function openMedia(port: MediaPort, onLimit: OnLimit): MediaScene {
  const timers = new ManualTimers();
  const expectations = new MediaExpectations();
  const socket = new FakeSocket();
  const ended: string[] = [];
  let connection: MediaConnection | undefined;
  const sink = {
    opened: (each: MediaConnection) => {
      connection = each;
    },
    packet: () => undefined,
    ended: (why: string) => ended.push(why),
  };
  expectations.expect({ port, channel: 1, terminal: '13800000001', remoteAddress: '10.0.0.7', sink });
  new MediaSession(socket.asSocket(), port, { expectations, now: timers.now, after: timers.after, onLimit });
  return { socket, timers, ended, connection: () => connection };
}

const sessionCases: readonly LimitCase[] = [
  {
    limit: FIRST_PACKET_LIMIT,
    reach: (onLimit) => {
      const { socket, timers } = openMedia(MediaPort.Main, onLimit);
      timers.advance(FIRST_PACKET_LIMIT.max);
      expect(socket.destroyed).toBe(true);
    },
  },
  {
    limit: STRANGE_BYTES_LIMIT,
    reach: (onLimit) => {
      const { socket } = openMedia(MediaPort.Main, onLimit);
      const magic = new TextEncoder().encode('01cd');
      const strange = Uint8Array.from({ length: STRANGE_BYTES_LIMIT.max + 64 }, (_, at) => magic[at % 4] ?? 0);
      socket.emit('data', strange.subarray(0, STRANGE_BYTES_LIMIT.max));
      expect(socket.destroyed).toBe(false);
      socket.emit('data', strange.subarray(STRANGE_BYTES_LIMIT.max));
      expect(socket.destroyed).toBe(true);
    },
  },
  {
    limit: SILENCE_LIMIT,
    reach: (onLimit) => {
      const { socket, timers, ended } = openMedia(MediaPort.Main, onLimit);
      socket.emit('data', encodePacket(sound(0)));
      timers.advance(SILENCE_LIMIT.max + 1_000);
      expect(ended).toEqual(['silent']);
    },
  },
  {
    limit: TALK_SILENCE_LIMIT,
    reach: (onLimit) => {
      const { socket, ended } = openMedia(MediaPort.Talk, onLimit);
      socket.emit('data', encodePacket(sound(0)));
      expect(socket.idleTimeoutMs).toBe(TALK_SILENCE_LIMIT.max);
      socket.emit('timeout');
      expect(ended).toEqual(['silent']);
    },
  },
  {
    limit: UNSENT_LIMIT,
    reach: (onLimit) => {
      const { socket, timers, connection } = openMedia(MediaPort.Talk, onLimit);
      timers.advance(1_000);
      connection()?.send(new Uint8Array(9));
      expect(socket.written).toHaveLength(1);
      socket.writableLength = UNSENT_LIMIT.max;
      connection()?.send(new Uint8Array(9));
      expect(socket.written).toHaveLength(1);
    },
  },
];

const BODY_BYTES = 60_000;

function fill(assembler: FrameAssembler, channel: number, packets: number): string[] {
  const told: string[] = [];
  for (let sequence = 0; sequence < packets; sequence++) {
    const subPackage = sequence === 0 ? SubPackage.First : SubPackage.Middle;
    const large = packet(sequence, { channel, subPackage, timestampMs: 0, body: new Uint8Array(BODY_BYTES) });
    for (const event of assembler.push(large)) told.push(event.kind === 'dropped' ? event.why : event.kind);
  }
  return told;
}

const assemblerCases: readonly LimitCase[] = [
  {
    limit: FRAME_BYTES_LIMIT,
    reach: (onLimit) => {
      const packets = Math.floor(FRAME_BYTES_LIMIT.max / BODY_BYTES);
      const assembler = new FrameAssembler({}, onLimit);
      expect(fill(assembler, 1, packets)).toEqual([]);
      expect(fill(new FrameAssembler({}, onLimit), 1, packets + 1)).toEqual(['size']);
    },
  },
  {
    limit: OPEN_BYTES_LIMIT,
    reach: (onLimit) => {
      const assembler = new FrameAssembler({}, onLimit);
      const packets = Math.floor(FRAME_BYTES_LIMIT.max / BODY_BYTES);
      for (const channel of [1, 2, 3, 4]) expect(fill(assembler, channel, packets)).toEqual([]);
      expect(fill(assembler, 5, packets)).toEqual(['size']);
    },
  },
  {
    limit: HELD_FRAMES_LIMIT,
    reach: (onLimit) => {
      const assembler = new FrameAssembler({}, onLimit);
      // Sound every 40 ms, then a gap inside a picture, and no sound any more that could show whose packet is missing.
      for (let at = 0; at < 20; at += 2) for (const each of [packet(at), sound(at + 1)]) assembler.push(each);
      const open = { timestampMs: 800 };
      assembler.push(packet(20, { ...open, subPackage: SubPackage.First }));
      assembler.push(packet(22, { ...open, subPackage: SubPackage.Last }));
      const told: string[] = [];
      for (let at = 23; at < 40; at++) for (const { kind } of assembler.push(packet(at))) told.push(kind);
      expect(told.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'dropped'));
    },
  },
];

export const mediaCases: readonly LimitCase[] = [...sessionCases, ...assemblerCases];
