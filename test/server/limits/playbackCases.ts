// How the limits of watching recordings are reached: the gateway's own, and those of a terminal.
import { expect } from 'vitest';
import type { RemoteFeed } from '../../../server/device/playback/remoteSource.ts';
import {
  BUFFERED_BYTES_LIMIT,
  ChannelFeed,
  QUEUED_BYTES_LIMIT,
} from '../../../server/recording/playback/channelFeed.ts';
import type { GopReader, RecordedGroup } from '../../../server/recording/playback/gopReader.ts';
import type { PacketCursor } from '../../../server/recording/playback/packetCursor.ts';
import { PlaybackSessions } from '../../../server/recording/playback/playbackSessions.ts';
import type { RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import { STEPS_LIMIT } from '../../../server/recording/playback/stepTarget.ts';
import { WAITING_BYTES_LIMIT } from '../../../server/stream/remote/pacer.ts';
import { ORDERS_LIMIT } from '../../../server/stream/remote/remoteOrders.ts';
import { REMEMBERED_LIMIT, RemotePlayback } from '../../../server/stream/remote/remotePlayback.ts';
import { RemoteSession } from '../../../server/stream/remote/remoteSession.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import { packetOf } from '../../unit/server/media/packets.ts';
import type { LimitCase } from './describeLimits.ts';

const START = wallMs(Date.UTC(2026, 10, 20, 14));
type OnLimit = Parameters<LimitCase['open']>[0];

/** A channel that reads a picture of so many bytes at a time, forty milliseconds after the one before. */
function openFeed(onLimit: OnLimit, pictureBytes: () => number) {
  const state = { queuedBytes: 0, sent: 0, read: 0, rounds: 0 };
  const packet = (timeUs: number): RecordedPacket => ({
    kind: 'video',
    isKey: timeUs === 0,
    timeUs,
    bytes: new Uint8Array(pictureBytes()),
  });
  const read = async () => ({ kind: 'packets', packets: [packet(state.read++ * 40_000)] });
  const feed = new ChannelFeed(
    {
      sink: {
        send: (packets) => {
          state.sent += packets.length;
        },
        sendGap: () => undefined,
        queuedBytes: () => state.queuedBytes,
      },
      openCursor: () => ({ read }) as unknown as PacketCursor,
      wantsAudio: false,
      onRead: () => undefined,
      onFault: noFaults,
      onLimit,
    },
    0,
    'all',
  );
  const pump = async (): Promise<void> => {
    feed.pump({ positionMs: 0, speed: 1, paused: false }, state.rounds++);
    await settled();
  };
  return { state, pump };
}

const feedCases: readonly LimitCase[] = [
  {
    limit: QUEUED_BYTES_LIMIT,
    open: (onLimit) => {
      const { state, pump } = openFeed(onLimit, () => 1_000);
      return {
        upTo: async () => {
          state.queuedBytes = QUEUED_BYTES_LIMIT.max;
          await pump();
          await pump();
          expect(state.sent).toBe(1);
        },
        beyond: async () => {
          state.queuedBytes = QUEUED_BYTES_LIMIT.max + 1;
          await pump();
          await pump();
          expect(state.sent).toBe(1);
          state.queuedBytes = 0;
          await pump();
          expect(state.sent).toBeGreaterThan(1);
        },
      };
    },
  },
  {
    limit: BUFFERED_BYTES_LIMIT,
    open: (onLimit) => {
      const { max } = BUFFERED_BYTES_LIMIT;
      const { state, pump } = openFeed(onLimit, () => (state.read <= 5 ? max / 4 - 1 : 1));
      // Nothing goes out, so that all of it waits.
      state.queuedBytes = Number.MAX_SAFE_INTEGER;
      return {
        upTo: async () => {
          for (let round = 0; round < 4; round++) await pump();
          expect(state.read).toBe(4);
        },
        beyond: async () => {
          for (let round = 0; round < 4; round++) await pump();
          expect(state.read, 'with one more it is full, and no more is read').toBe(5);
          state.queuedBytes = 0;
          await pump();
          expect([state.sent, state.read]).toEqual([1, 6]);
        },
      };
    },
  },
];

/** A group of pictures, forty milliseconds apart, that has more of them than a step takes. */
function longGroup(): { readonly at: RecordedGroup; readonly bytes: Uint8Array<ArrayBuffer> } {
  const flags = { kind: PacketKind.Video, codec: Codec.H264, discontinuity: false, deviceTimeMs: wallMs(0) } as const;
  const packets = Array.from({ length: 2 * STEPS_LIMIT.max }, (_, index) =>
    encodePacket({ ...flags, key: index === 0, mediaTimeUs: mediaUs(index * 40_000) }, new Uint8Array(1)),
  );
  const bytes = new Uint8Array(Buffer.concat(packets));
  const times = { mediaTimeUs: mediaUs(0), wallTimeMs: START, deviceTimeMs: wallMs(0), durationMs: 80_000 };
  const group = { offset: 0, bytes: bytes.byteLength, keyOffset: 0, keyBytes: 1, formatOffset: undefined, ...times };
  const segment = { archiveId: 'BUS1', channel: 1, quality: 'main', startMs: START } as const;
  const whole = { ...group, checksum: 0, keyChecksum: 0, isDamaged: false };
  return { at: { segment, number: 0, group: whole, isGrowing: false }, bytes };
}

const stepsCase: LimitCase = {
  limit: STEPS_LIMIT,
  open: (onLimit) => {
    const { at, bytes } = longGroup();
    const gopReader: Partial<GopReader> = {
      latestAt: async () => at,
      // Whoever reads writes times into the packets.
      readChecked: async () => ({ kind: 'bytes', bytes: bytes.slice() }),
      readManyChecked: async () => new Map([[0, { kind: 'bytes', bytes: bytes.slice() }]]),
      next: async () => 'none',
      firstAfter: async () => undefined,
    };
    /** Where a step leads to, in pictures. */
    const step = async (frames: number): Promise<number> => {
      const timers = new ManualTimers();
      const positions: number[] = [];
      const sessions = new PlaybackSessions({
        gopReader: gopReader as GopReader,
        now: timers.now,
        wallNow: () => START + 86_400_000,
        runAfter: timers.runAfter,
        onFault: noFaults,
        onLimit,
      });
      const viewer = {
        track: { archiveId: 'BUS1', channel: 1 },
        wantsAudio: false,
        sink: { send: () => undefined, sendGap: () => undefined, queuedBytes: () => 0 },
        sendEvent: (event: { readonly type: string; readonly positionMs?: number }) => {
          if (event.positionMs !== undefined) positions.push(event.positionMs);
        },
      };
      const session = sessions.join({ username: 'ann', credential: 'c', deviceId: 'BUS1', streamId: 1 }, START, viewer);
      session.handle({ type: 'step', frames });
      await settled();
      sessions.close();
      return ((positions.at(-1) ?? 0) - START) / 40;
    };
    return {
      upTo: async () => expect(await step(STEPS_LIMIT.max)).toBe(STEPS_LIMIT.max),
      beyond: async () => expect(await step(STEPS_LIMIT.max + 1)).toBe(STEPS_LIMIT.max),
    };
  },
};

/** A terminal that answers no order until it is let. */
function openRemote(onLimit: OnLimit) {
  const orders: string[] = [];
  const answers: (() => void)[] = [];
  let isHeld = false;
  const order = (what: string) => (): Promise<never> => {
    orders.push(what);
    return new Promise((resolve) => answers.push(() => resolve(true as never)));
  };
  const feed: RemoteFeed = {
    recordedEnd: undefined,
    play: order('play'),
    pause: order('pause'),
    fastForward: order('faster'),
    seek: order('seek'),
    hold: (held) => {
      isHeld = held;
    },
    close: () => undefined,
  };
  const deps = { now: () => 0, runAfter: () => () => undefined, onOver: () => undefined, onLimit, onFault: noFaults };
  const range = { deviceId: 'BUS1', channel: 1, quality: 'any', start: START, end: wallMs(START + 60_000) } as const;
  const session = new RemoteSession(range, deps);
  session.start(feed);
  return { session, feed, orders, answer: () => answers.shift()?.(), isHeld: () => isHeld };
}

const remoteCases: readonly LimitCase[] = [
  {
    limit: WAITING_BYTES_LIMIT,
    open: (onLimit) => {
      const { session, isHeld } = openRemote(onLimit);
      const headerBytes = packetOf('key', 0).bytes.byteLength;
      return {
        upTo: () => {
          session.listener.packet(packetOf('key', WAITING_BYTES_LIMIT.max - headerBytes));
          expect(isHeld()).toBe(false);
        },
        beyond: () => {
          session.listener.packet(packetOf('delta', 0));
          expect(isHeld()).toBe(true);
          session.close();
        },
      };
    },
  },
  {
    limit: ORDERS_LIMIT,
    open: (onLimit) => {
      const { session, orders, answer } = openRemote(onLimit);
      return {
        upTo: () => {
          for (let round = 0; round < ORDERS_LIMIT.max / 2; round++) {
            session.handle({ type: 'pause' });
            session.handle({ type: 'resume' });
          }
          expect(orders).toEqual(['pause', 'play', 'pause', 'play']);
        },
        beyond: async () => {
          session.handle({ type: 'pause' });
          expect(orders).toHaveLength(ORDERS_LIMIT.max);
          answer();
          await settled();
          expect(orders.slice(ORDERS_LIMIT.max), 'it is told what holds by now').toEqual(['pause']);
          session.close();
        },
      };
    },
  },
  {
    limit: REMEMBERED_LIMIT,
    open: (onLimit) => {
      const { max } = REMEMBERED_LIMIT;
      const { feed } = openRemote(onLimit);
      const playback = new RemotePlayback({
        source: { open: async () => ({ ok: true, feed }) },
        now: () => 0,
        runAfter: () => () => undefined,
        hashOf: (credential) => credential,
        onLimit,
        onFault: noFaults,
      });
      const page = { credential: 'c', deviceId: 'BUS1', channel: 1 };
      const play = (streamId: number) =>
        playback.play({ ...page, session: undefined, quality: 'any', streamId, start: START, durationMs: 1_000 });
      const viewer = { wantsAudio: false, send: () => undefined, isBlocked: () => false, over: () => undefined };
      const reasonOf = (streamId: number): string => {
        const found = playback.attach({ ...page, streamId }, viewer);
        return found.kind === 'over' && found.end.kind === 'failed' ? found.end.code : found.kind;
      };
      return {
        upTo: async () => {
          // Each takes the terminal from the one before, which then is over.
          for (let streamId = 0; streamId <= max; streamId++) await play(streamId);
          expect([reasonOf(0), reasonOf(max - 1)]).toEqual(['taken-over', 'taken-over']);
        },
        beyond: async () => {
          await play(max + 1);
          expect([reasonOf(0), reasonOf(1), reasonOf(max)]).toEqual(['not-playing', 'taken-over', 'taken-over']);
          playback.close();
        },
      };
    },
  },
];

export const playbackCases: readonly LimitCase[] = [...feedCases, stepsCase, ...remoteCases];
