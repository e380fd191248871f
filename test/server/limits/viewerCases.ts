// How the bounds on viewers, people who act on vehicles, and live updates are reached.
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Limit, OnLimit } from '../../../server/limits/limit.ts';
import {
  BUFFERED_BYTES_LIMIT,
  ChannelFeed,
  QUEUED_BYTES_LIMIT as PLAYBACK_QUEUE_LIMIT,
} from '../../../server/recording/playback/channelFeed.ts';
import type { PacketCursor } from '../../../server/recording/playback/packetCursor.ts';
import type { SessionDeps, SessionViewer } from '../../../server/recording/playback/playbackSession.ts';
import { PlaybackSessions } from '../../../server/recording/playback/playbackSessions.ts';
import type { RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import { STEPS_LIMIT } from '../../../server/recording/playback/stepTarget.ts';
import { SPEECH_AHEAD_LIMIT, SpeechGate } from '../../../server/stream/control/speechGate.ts';
import { serveTalk, TALK_QUEUE_LIMIT } from '../../../server/stream/control/talkSocket.ts';
import { CACHED_GROUP_LIMIT, GroupCache } from '../../../server/stream/groupCache.ts';
import { CONTROL_PING_LIMIT, Heartbeat, VIEWER_PING_LIMIT } from '../../../server/stream/heartbeat.ts';
import { Hub } from '../../../server/stream/hub.ts';
import { RESENDS_LIMIT, serveLiveSocket } from '../../../server/stream/liveSocket.ts';
import {
  limitMessages,
  MESSAGES_LIMIT,
  type MessageRates,
  SPEECH_BYTES_LIMIT,
  SPEECH_RATES,
  UPDATE_MESSAGES_LIMIT,
  UPDATE_RATES,
  VIEWER_RATES,
} from '../../../server/stream/messageRate.ts';
import { WAITING_BYTES_LIMIT } from '../../../server/stream/pacer.ts';
import { ORDERS_LIMIT } from '../../../server/stream/remoteOrders.ts';
import { REMEMBERED_LIMIT, RemotePlayback } from '../../../server/stream/remotePlayback.ts';
import { RemoteSession } from '../../../server/stream/remoteSession.ts';
import type { RemoteFeed } from '../../../server/stream/remoteSource.ts';
import { LiveUpdates } from '../../../server/stream/updates/liveUpdates.ts';
import { UpdateFeed } from '../../../server/stream/updates/updateFeed.ts';
import {
  createUpdatesServer,
  FIRST_MESSAGE_LIMIT,
  SESSION_SOCKETS_LIMIT,
} from '../../../server/stream/updates/updatesServer.ts';
import { HELD_BYTES_LIMIT, SNAPSHOTS_LIMIT, UpdateViewer } from '../../../server/stream/updates/updateViewer.ts';
import { QUEUED_BYTES_LIMIT, ViewerQueue } from '../../../server/stream/viewerQueue.ts';
import { LIVE_TOPICS } from '../../../shared/protocol/api/liveUpdates.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/manualTimers.ts';
import { noFaults } from '../../support/noFaults.ts';
import { serveEndpoints } from '../../support/serveEndpoints.ts';
import { packetOf } from '../../unit/server/stream/packets.ts';
import type { LimitCase } from './describeLimits.ts';

const noTimer = (): (() => void) => () => undefined;
const START = wallMs(Date.UTC(2026, 10, 20, 14));

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  send(): void {}
  close(): void {}
  ping(): void {}
  terminate(): void {
    this.emit('close');
  }
}

const fakeSocket = (): WebSocket & FakeSocket => new FakeSocket() as WebSocket & FakeSocket;

/** A socket that says so many messages of so many bytes at once. */
function sayAtOnce(rates: MessageRates, count: number, bytes: number): (onLimit: OnLimit) => void {
  return (onLimit) => {
    const socket = fakeSocket();
    limitMessages(socket, rates, { now: () => 0, after: noTimer, onLimit, refuse: () => undefined });
    for (let number = 0; number < count; number++) socket.emit('message', Buffer.alloc(bytes), false);
  };
}

/** A message that is one byte longer than it may be, over a real connection. */
function sayTooMuch(rates: MessageRates): LimitCase {
  return {
    limit: rates.messageBytes,
    reach: async (onLimit) => {
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: rates.messageBytes.max });
      server.on('connection', (socket) =>
        limitMessages(socket, rates, { now: Date.now, after: noTimer, onLimit, refuse: () => undefined }),
      );
      await once(server, 'listening');
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await once(client, 'open');
      client.send(Buffer.alloc(rates.messageBytes.max + 1));
      await once(client, 'close');
      server.close();
    },
  };
}

function ping(limit: Limit): LimitCase {
  return {
    limit,
    reach: (onLimit) => {
      vi.useFakeTimers();
      const heartbeat = new Heartbeat(limit, { onLimit, onFault: noFaults });
      heartbeat.add(fakeSocket());
      vi.advanceTimersByTime(2 * limit.max * 1_000);
      heartbeat.close();
      vi.useRealTimers();
    },
  };
}

const feed: RemoteFeed = {
  recordedEnd: undefined,
  play: () => new Promise(() => undefined),
  pause: () => new Promise(() => undefined),
  fastForward: () => new Promise(() => undefined),
  seek: () => new Promise(() => undefined),
  hold: () => undefined,
  close: () => undefined,
};
const ORDER = { deviceId: 'BUS1', channel: 1, quality: 'any', start: START, end: wallMs(START + 60_000) } as const;

function remoteSession(onLimit: OnLimit): RemoteSession {
  const session = new RemoteSession(ORDER, {
    now: () => 0,
    after: noTimer,
    onOver: () => undefined,
    onLimit,
    onFault: noFaults,
  });
  session.start(feed);
  return session;
}

const sessionDeps = (onLimit: OnLimit): SessionDeps => ({
  // A disk that does not answer: nothing here depends on it.
  library: new Proxy({}, { get: () => () => new Promise(() => undefined) }) as SessionDeps['library'],
  now: () => 0,
  wallNow: () => START + 86_400_000,
  after: noTimer,
  onFault: () => undefined,
  onLimit,
});

const sessionViewer: SessionViewer = {
  track: { archiveId: 'BUS1', channel: 1 },
  wantsAudio: false,
  sink: { send: () => undefined, sendGap: () => undefined, queuedBytes: () => 0 },
  sendEvent: () => undefined,
};
const sessionKey = (streamId: number) => ({ username: 'ann', credential: 'c', deviceId: 'BUS1', streamId });

/** A channel whose connection holds so much back, and whose disk gives megabytes. */
async function feedChannel(queuedBytes: number, onLimit: OnLimit): Promise<void> {
  const packet = (timeUs: number): RecordedPacket => ({
    kind: 'video',
    isKey: timeUs === 0,
    timeUs,
    bytes: new Uint8Array(2.5 * 1024 * 1024),
  });
  let reads = 0;
  const read = async () => ({ kind: 'packets', packets: [packet(reads++ * 40_000)] });
  const channel: ChannelFeed = new ChannelFeed(
    {
      sink: { ...sessionViewer.sink, queuedBytes: () => queuedBytes },
      openCursor: () => ({ read }) as unknown as PacketCursor,
      wantsAudio: false,
      onRead: () => undefined,
      onFault: () => undefined,
      onLimit,
    },
    0,
    'all',
  );
  for (let round = 0; round < 5; round++) {
    channel.pump({ positionMs: 0, speed: 1, paused: false }, round);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const viewerCases: readonly LimitCase[] = [
  { limit: MESSAGES_LIMIT, reach: sayAtOnce(VIEWER_RATES, 1_001, 10) },
  { limit: SPEECH_BYTES_LIMIT, reach: sayAtOnce(SPEECH_RATES, 90, 96 * 1024) },
  { limit: UPDATE_MESSAGES_LIMIT, reach: sayAtOnce(UPDATE_RATES, 201, 10) },
  sayTooMuch(VIEWER_RATES),
  sayTooMuch(SPEECH_RATES),
  sayTooMuch(UPDATE_RATES),
  ping(VIEWER_PING_LIMIT),
  ping(CONTROL_PING_LIMIT),
  {
    limit: RESENDS_LIMIT,
    reach: (onLimit) => {
      const socket = fakeSocket();
      const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, after: noTimer });
      const key = { deviceId: 'BUS1', channel: 1, quality: 'main' } as const;
      const timer = { add: () => undefined, remove: () => undefined } as never;
      const outlet = { connection: new PassThrough(), timer, isBusy: () => false };
      serveLiveSocket(socket, { ...outlet, key, wantsAudio: false, now: () => 0, onLimit }, hub);
      for (let number = 0; number < 40; number++)
        socket.emit('message', Buffer.from(JSON.stringify({ type: 'video', on: number % 2 === 1 })), false);
    },
  },
  {
    limit: QUEUED_BYTES_LIMIT,
    reach: (onLimit) => {
      const queue = new ViewerQueue({ onLimit });
      queue.admit(packetOf('key'), 0);
      queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max + 1);
    },
  },
  {
    limit: CACHED_GROUP_LIMIT,
    reach: (onLimit) => {
      const cache = new GroupCache(onLimit);
      for (const kind of ['key', 'delta', 'delta'] as const) cache.add(packetOf(kind, 3 * 1024 * 1024));
    },
  },
  { limit: PLAYBACK_QUEUE_LIMIT, reach: (onLimit) => feedChannel(PLAYBACK_QUEUE_LIMIT.max + 1, onLimit) },
  { limit: BUFFERED_BYTES_LIMIT, reach: (onLimit) => feedChannel(PLAYBACK_QUEUE_LIMIT.max + 1, onLimit) },
  {
    limit: STEPS_LIMIT,
    reach: (onLimit) => {
      const sessions = new PlaybackSessions(sessionDeps(onLimit));
      sessions.join(sessionKey(1), START, sessionViewer).handle({ type: 'step', frames: STEPS_LIMIT.max + 1 });
      sessions.close();
    },
  },
  {
    limit: WAITING_BYTES_LIMIT,
    reach: (onLimit) => {
      const session = remoteSession(onLimit);
      for (let packet = 0; packet < 3; packet++) session.listener.packet(packetOf('key', 1024 * 1024));
      session.close();
    },
  },
  {
    limit: ORDERS_LIMIT,
    reach: (onLimit) => {
      const session = remoteSession(onLimit);
      for (let round = 0; round < 3; round++) {
        session.handle({ type: 'pause' });
        session.handle({ type: 'resume' });
      }
      session.close();
    },
  },
  {
    limit: REMEMBERED_LIMIT,
    reach: async (onLimit) => {
      const playback = new RemotePlayback({
        source: { open: async () => ({ ok: true, feed }) },
        now: () => 0,
        after: noTimer,
        hashOf: (credential) => credential,
        onLimit,
        onFault: noFaults,
      });
      const asked = { credential: 'c', session: undefined, deviceId: 'BUS1', channel: 1, quality: 'any' } as const;
      for (let streamId = 1; streamId <= REMEMBERED_LIMIT.max + 2; streamId++)
        await playback.play({ ...asked, streamId, start: START, durationMs: 1_000 });
      playback.close();
    },
  },
  {
    limit: TALK_QUEUE_LIMIT,
    reach: (onLimit) => {
      const connection = new PassThrough({ highWaterMark: 1 });
      connection.write(Buffer.alloc(TALK_QUEUE_LIMIT.max * 2));
      connection.write(Buffer.alloc(TALK_QUEUE_LIMIT.max * 2));
      serveTalk(fakeSocket(), {
        target: { deviceId: 'BUS1', channel: 1 },
        port: {
          ptz: async () => undefined,
          talk: (_target, partner) => {
            partner.packet(packetOf('audio'));
            return { speak: () => undefined, hangUp: () => undefined };
          },
        },
        connection,
        now: () => 0,
        end: () => undefined,
        onLimit,
      });
    },
  },
  {
    limit: SPEECH_AHEAD_LIMIT,
    reach: (onLimit) => void new SpeechGate(8_000, () => 0, onLimit).admit(new Int16Array(8_000)),
  },
  {
    limit: SNAPSHOTS_LIMIT,
    reach: (onLimit) => {
      const viewer = new UpdateViewer({ heldBytes: 0, send: () => undefined }, { now: () => 0, onLimit });
      for (let round = 0; round < 11; round++) {
        viewer.watch(LIVE_TOPICS);
        viewer.update(new UpdateFeed(1, new Set(), []), () => undefined);
      }
    },
  },
  {
    limit: HELD_BYTES_LIMIT,
    reach: (onLimit) => {
      const outlet = { heldBytes: HELD_BYTES_LIMIT.max + 1, send: () => undefined };
      const viewer = new UpdateViewer(outlet, { now: () => 0, onLimit });
      viewer.watch(LIVE_TOPICS);
      viewer.update(new UpdateFeed(1, new Set(), []), () => undefined);
    },
  },
  {
    limit: SESSION_SOCKETS_LIMIT,
    reach: async (onLimit) => {
      const timers = new ManualTimers();
      const board = { rows: [], drain: () => [] };
      const updates = new LiveUpdates({
        board,
        deviceGroupsOf: async () => [],
        after: timers.after,
        onFault: noFaults,
      });
      const updatesServer = createUpdatesServer({
        updates,
        proofOf: () => ({ kind: 'cookie', secret: 'one' }),
        recognise: async () => ({ session: 'one', memberGroup: 1 }),
        after: timers.after,
        onLimit,
        onFault: noFaults,
      });
      const server = await serveEndpoints([updatesServer.endpoint]);
      const clients = Array.from({ length: SESSION_SOCKETS_LIMIT.max + 1 }, () => {
        const client = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
        client.on('open', () => client.send('{"type":"watch","topics":[]}'));
        return client;
      });
      await Promise.race(clients.map((client) => once(client, 'close')));
      for (const client of clients) client.terminate();
      await server.close();
      updatesServer.close();
    },
  },
  {
    limit: FIRST_MESSAGE_LIMIT,
    reach: async (onLimit) => {
      const timers = new ManualTimers();
      const onFault = (): void => undefined;
      const board = { rows: [], drain: () => [] };
      const updates = new LiveUpdates({ board, deviceGroupsOf: async () => [], after: timers.after, onFault });
      const updatesServer = createUpdatesServer({
        updates,
        proofOf: () => undefined,
        recognise: async () => undefined,
        after: timers.after,
        onLimit,
        onFault,
      });
      const server = await serveEndpoints([updatesServer.endpoint]);
      const client = new WebSocket(`ws://127.0.0.1:${server.port}/api/live/updates`);
      const isClosed = once(client, 'close');
      await once(client, 'open');
      timers.advance(FIRST_MESSAGE_LIMIT.max * 1_000);
      await isClosed;
      await server.close();
      updatesServer.close();
    },
  },
];
