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
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { PARAMETER_SETS_LIMIT } from '../../../server/media/parameterSets.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
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
  readonly packets: HubPacket[];
  readonly ended: string[];
  readonly connection: () => MediaConnection | undefined;
}

/** A connection on a port where channel 1 is expected. */
function openMedia(port: MediaPort, onLimit: OnLimit): MediaScene {
  const timers = new ManualTimers();
  const expectations = new MediaExpectations();
  const socket = new FakeSocket();
  const packets: HubPacket[] = [];
  const ended: string[] = [];
  let connection: MediaConnection | undefined;
  const sink = {
    opened: (each: MediaConnection) => {
      connection = each;
    },
    packet: (each: HubPacket) => packets.push(each),
    ended: (reason: string) => ended.push(reason),
  };
  expectations.expect({ port, channel: 1, terminal: '13800000001', remoteAddress: '10.0.0.7', sink });
  new MediaSession(socket.asSocket(), port, { expectations, now: timers.now, runAfter: timers.runAfter, onLimit });
  return { socket, timers, packets, ended, connection: () => connection };
}

const sessionCases: readonly LimitCase[] = [
  {
    limit: FIRST_PACKET_LIMIT,
    open: (onLimit) => {
      const { socket, timers } = openMedia(MediaPort.Main, onLimit);
      return {
        upTo: () => {
          timers.advance(FIRST_PACKET_LIMIT.max - 1);
          expect(socket.destroyed).toBe(false);
        },
        beyond: () => {
          timers.advance(1);
          expect(socket.destroyed).toBe(true);
        },
      };
    },
  },
  {
    limit: STRANGE_BYTES_LIMIT,
    open: (onLimit) => {
      const { socket } = openMedia(MediaPort.Main, onLimit);
      const strange = Buffer.alloc(STRANGE_BYTES_LIMIT.max + 64, '01cd');
      return {
        upTo: () => {
          socket.emit('data', strange.subarray(0, STRANGE_BYTES_LIMIT.max));
          expect(socket.destroyed).toBe(false);
        },
        beyond: () => {
          socket.emit('data', strange.subarray(STRANGE_BYTES_LIMIT.max));
          expect(socket.destroyed).toBe(true);
        },
      };
    },
  },
  {
    limit: SILENCE_LIMIT,
    open: (onLimit) => {
      const { socket, timers, ended } = openMedia(MediaPort.Main, onLimit);
      return {
        upTo: () => {
          socket.emit('data', encodePacket(sound(0)));
          timers.advance(SILENCE_LIMIT.max);
          expect(ended).toEqual([]);
        },
        beyond: () => {
          timers.advance(1_000);
          expect(ended).toEqual(['silent']);
          expect(socket.destroyed).toBe(true);
        },
      };
    },
  },
  {
    limit: TALK_SILENCE_LIMIT,
    open: (onLimit) => {
      const { socket, ended } = openMedia(MediaPort.Talk, onLimit);
      return {
        upTo: () => {
          socket.emit('data', encodePacket(sound(0)));
          expect(socket.idleTimeoutMs).toBe(TALK_SILENCE_LIMIT.max);
          expect(socket.destroyed).toBe(false);
        },
        beyond: () => {
          socket.emit('timeout');
          expect(ended).toEqual(['silent']);
          expect(socket.destroyed).toBe(true);
        },
      };
    },
  },
  {
    limit: UNSENT_LIMIT,
    open: (onLimit) => {
      const { socket, timers, connection } = openMedia(MediaPort.Talk, onLimit);
      timers.advance(1_000);
      return {
        upTo: () => {
          socket.writableLength = UNSENT_LIMIT.max - 1;
          connection()?.send(new Uint8Array(9));
          expect(socket.written).toHaveLength(1);
        },
        beyond: () => {
          socket.writableLength = UNSENT_LIMIT.max;
          connection()?.send(new Uint8Array(9));
          expect(socket.written).toHaveLength(1);
          expect(socket.destroyed).toBe(false);
        },
      };
    },
  },
];

const BODY_BYTES = 60_000;

function fill(assembler: FrameAssembler, channel: number, packets: number): string[] {
  const told: string[] = [];
  for (let sequence = 0; sequence < packets; sequence++) {
    const subPackage = sequence === 0 ? SubPackage.First : SubPackage.Middle;
    const large = packet(sequence, { channel, subPackage, timestampMs: 0, body: new Uint8Array(BODY_BYTES) });
    for (const event of assembler.push(large)) told.push(event.kind === 'dropped' ? event.reason : event.kind);
  }
  return told;
}

const FRAME_PACKETS = Math.floor(FRAME_BYTES_LIMIT.max / BODY_BYTES);

const assemblerCases: readonly LimitCase[] = [
  {
    limit: FRAME_BYTES_LIMIT,
    open: (onLimit) => ({
      upTo: () => expect(fill(new FrameAssembler({}, onLimit), 1, FRAME_PACKETS)).toEqual([]),
      beyond: () => expect(fill(new FrameAssembler({}, onLimit), 1, FRAME_PACKETS + 1)).toEqual(['size']),
    }),
  },
  {
    limit: OPEN_BYTES_LIMIT,
    open: (onLimit) => {
      const assembler = new FrameAssembler({}, onLimit);
      return {
        upTo: () => {
          for (const channel of [1, 2, 3, 4]) expect(fill(assembler, channel, FRAME_PACKETS)).toEqual([]);
        },
        beyond: () => expect(fill(assembler, 5, FRAME_PACKETS)).toEqual(['size']),
      };
    },
  },
  {
    limit: HELD_FRAMES_LIMIT,
    open: (onLimit) => {
      const assembler = new FrameAssembler({}, onLimit);
      const push = (each: MediaPacket): string[] => assembler.push(each).map(({ kind }) => kind);
      // The picture with the hole is held too.
      const held = HELD_FRAMES_LIMIT.max - 1;
      return {
        upTo: () => {
          // Sound every 40 ms, then a gap inside a picture, and no sound any more that could show whose packet is missing.
          for (let at = 0; at < 20; at += 2) for (const each of [packet(at), sound(at + 1)]) push(each);
          const open = { timestampMs: 800 };
          const told = [
            ...push(packet(20, { ...open, subPackage: SubPackage.First })),
            ...push(packet(22, { ...open, subPackage: SubPackage.Last })),
          ];
          for (let at = 23; at < 23 + held; at++) told.push(...push(packet(at)));
          expect(told.filter((kind) => kind !== 'missing')).toEqual([]);
        },
        beyond: () => {
          const told = push(packet(23 + held));
          expect(told).toEqual(Array.from({ length: HELD_FRAMES_LIMIT.max + 1 }, () => 'dropped'));
        },
      };
    },
  },
];

const SEQUENCE_SET = [0x67, 0x42, 0, 0x1e, 0xff];

/** A key frame of H.264 as a terminal sends it, with other parameter sets of pictures in front. */
function keyFrame(sets: readonly Uint8Array[]): Uint8Array {
  const unit = (...bytes: number[]): Uint8Array => Uint8Array.from([0, 0, 0, 1, ...bytes]);
  const prefixed = sets.map((set) => Buffer.concat([unit(), set]));
  return Buffer.concat([unit(...SEQUENCE_SET), ...prefixed, unit(0x65, 0x88, 0x80)]);
}

const parameterSetsCase: LimitCase = {
  limit: PARAMETER_SETS_LIMIT,
  open: (onLimit) => {
    const { socket, packets } = openMedia(MediaPort.Main, onLimit);
    let sequence = 0;
    const push = (sets: readonly Uint8Array[]): number | undefined => {
      socket.emit('data', encodePacket(packet(sequence++, { dataType: DataType.I, body: keyFrame(sets) })));
      return packets.at(-1)?.bytes.byteLength;
    };
    // With what keeping each costs, they take all the room that the sequence set leaves; their numbers are 0 and 1.
    const halfBytes = Math.floor((PARAMETER_SETS_LIMIT.max - SEQUENCE_SET.length - 128) / 2) - 128;
    const half = (second: number): Uint8Array =>
      Uint8Array.from({ length: halfBytes }, (_, at) => [0x68, second][at] ?? 0xff);
    let wholeBytes: number | undefined;
    return {
      upTo: () => {
        wholeBytes = push([half(0xc0), half(0x50)]);
        expect(wholeBytes).toBeGreaterThan(PARAMETER_SETS_LIMIT.max - 1_000);
      },
      beyond: () => {
        // Number 2.
        expect(push([Uint8Array.of(0x68, 0x70, 0xff)])).toBe(wholeBytes);
        expect(packets).toHaveLength(2);
      },
    };
  },
};

export const mediaCases: readonly LimitCase[] = [...sessionCases, ...assemblerCases, parameterSetsCase];
