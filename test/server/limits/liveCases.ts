// How the limits of what a viewer, a talker or a page of live updates has waiting are reached.
import type { Duplex } from 'node:stream';
import { expect } from 'vitest';
import type { TalkPartner } from '../../../server/device/controls.ts';
import { BoardFeed } from '../../../server/fleet/updates/boardFeed.ts';
import { HELD_BYTES_LIMIT, SNAPSHOTS_LIMIT, UpdateViewer } from '../../../server/fleet/updates/updateViewer.ts';
import { CACHED_GROUP_LIMIT, GopCache } from '../../../server/media/gopCache.ts';
import { SPEECH_AHEAD_LIMIT, SpeechGate } from '../../../server/stream/control/speechGate.ts';
import { serveTalk, TALK_QUEUE_LIMIT } from '../../../server/stream/control/talkSocket.ts';
import { RESENDS_LIMIT } from '../../../server/stream/live/liveSocket.ts';
import { QUEUED_BYTES_LIMIT, ViewerQueue } from '../../../server/stream/viewerQueue.ts';
import { LIVE_TOPICS } from '../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { formatPacket, packetOf } from '../../unit/server/media/packets.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { FakeWebSocket, KEY, openStreams } from './streamScene.ts';

/** Bytes of a packet beside its payload. */
const HEADER_BYTES = packetOf('key', 0).bytes.byteLength;

const resendsCase: LimitCase = {
  limit: RESENDS_LIMIT,
  open: async (onLimit) => {
    const { timers, hub, open } = openStreams(onLimit);
    const { socket, connection } = await open(StreamPath.Live);
    hub.publish(KEY, packetOf('key'));
    const turnOffAndOn = (): void => {
      for (const on of [false, true]) socket.say(JSON.stringify({ type: 'video', on }));
    };
    /** Number of pictures that went out meanwhile. */
    const during = (run: () => void): number => {
      const before = connection.written.length;
      run();
      return connection.written.length - before;
    };
    return {
      upTo: () => {
        expect(during(() => times(10, turnOffAndOn))).toBe(10);
        timers.advance(1_000);
        expect(during(() => times(RESENDS_LIMIT.max, turnOffAndOn))).toBe(RESENDS_LIMIT.max);
      },
      beyond: () => {
        expect(during(turnOffAndOn)).toBe(0);
        expect(during(() => hub.publish(KEY, packetOf('delta')))).toBe(0);
        expect(during(() => hub.publish(KEY, packetOf('key')))).toBe(1);
      },
    };
  },
};

const queueCase: LimitCase = {
  limit: QUEUED_BYTES_LIMIT,
  open: (onLimit) => {
    const queue = new ViewerQueue({ onLimit });
    return {
      upTo: () => {
        expect(queue.admit(packetOf('key'), 0)).toBe('send');
        expect(queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max)).toBe('send');
      },
      beyond: () => {
        expect(queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max + 1)).toBe('drop');
        expect(queue.admit(packetOf('delta'), 0)).toBe('drop');
        expect(queue.admit(packetOf('key'), 0)).toBe('send-after-gap');
      },
    };
  },
};

const groupCase: LimitCase = {
  limit: CACHED_GROUP_LIMIT,
  open: (onLimit) => {
    const cache = new GopCache(onLimit);
    return {
      upTo: () => {
        for (const kind of ['key', 'delta'] as const) {
          cache.add(packetOf(kind, CACHED_GROUP_LIMIT.max / 2 - HEADER_BYTES));
        }
        expect(cache.packets()).toHaveLength(2);
      },
      beyond: () => {
        for (let count = 0; count < 2; count++) cache.add(packetOf('delta', 0));
        expect(cache.packets()).toEqual([]);
        cache.add(packetOf('key'));
        expect(cache.packets()).toHaveLength(1);
      },
    };
  },
};

const talkCase: LimitCase = {
  limit: TALK_QUEUE_LIMIT,
  open: (onLimit) => {
    const connection = { writableLength: 0, written: 0, write: () => connection.written++ };
    let partner: TalkPartner | undefined;
    serveTalk(new FakeWebSocket().asSocket(), {
      target: { deviceId: 'BUS1', channel: 1 },
      port: {
        ptz: async () => undefined,
        talk: (_target, listener) => {
          partner = listener;
          return { speak: () => undefined, hangUp: () => undefined };
        },
      },
      connection: connection as unknown as Duplex,
      now: () => 0,
      end: () => undefined,
      onLimit,
    });
    return {
      upTo: () => {
        connection.writableLength = TALK_QUEUE_LIMIT.max;
        partner?.packet(packetOf('audio'));
        expect(connection.written).toBe(1);
      },
      beyond: () => {
        connection.writableLength = TALK_QUEUE_LIMIT.max + 1;
        partner?.packet(packetOf('audio'));
        expect(connection.written).toBe(1);
        partner?.packet(formatPacket());
        expect(connection.written, 'what the sound is goes out in any case').toBe(2);
      },
    };
  },
};

const speechCase: LimitCase = {
  limit: SPEECH_AHEAD_LIMIT,
  open: (onLimit) => {
    let nowMs = 0;
    const gate = new SpeechGate(1_000, () => nowMs, onLimit);
    /** How many of so many milliseconds of speech pass. */
    const say = (ms: number): number => gate.admit(new Int16Array(ms)).length;
    return {
      upTo: () => {
        expect(say(SPEECH_AHEAD_LIMIT.max)).toBe(SPEECH_AHEAD_LIMIT.max);
        nowMs += 100;
        expect(say(100)).toBe(100);
      },
      beyond: () => {
        expect(say(1)).toBe(0);
        nowMs += 50;
        expect(say(50)).toBe(50);
      },
    };
  },
};

/** A page that looks at the fleet, and the number of messages that it gets. */
function openPage(onLimit: Parameters<LimitCase['open']>[0]) {
  const state = { nowMs: 0, heldBytes: 0, sent: 0 };
  const outlet = {
    get heldBytes() {
      return state.heldBytes;
    },
    send: () => void state.sent++,
  };
  const viewer = new UpdateViewer(outlet, { now: () => state.nowMs, onLimit });
  viewer.allow(new Set(LIVE_TOPICS));
  const feed = new BoardFeed({ memberGroup: 1, deviceGroups: new Set() }, []);
  const update = (): void =>
    viewer.update(() => [{ snapshot: (topics) => feed.snapshot(topics), changes: () => undefined }]);
  const ask = (): void => {
    viewer.watch(LIVE_TOPICS);
    update();
  };
  return { state, update, ask };
}

const updateCases: readonly LimitCase[] = [
  {
    limit: SNAPSHOTS_LIMIT,
    open: (onLimit) => {
      const { state, update, ask } = openPage(onLimit);
      return {
        upTo: () => {
          times(10, ask);
          for (let snapshot = 0; snapshot < SNAPSHOTS_LIMIT.max; snapshot++) {
            state.nowMs += 60_000 / SNAPSHOTS_LIMIT.max;
            ask();
          }
          expect(state.sent).toBe(10 + SNAPSHOTS_LIMIT.max);
        },
        beyond: () => {
          ask();
          expect(state.sent).toBe(10 + SNAPSHOTS_LIMIT.max);
          state.nowMs += 60_000 / SNAPSHOTS_LIMIT.max;
          update();
          expect(state.sent, 'it comes when it may').toBe(11 + SNAPSHOTS_LIMIT.max);
        },
      };
    },
  },
  {
    limit: HELD_BYTES_LIMIT,
    open: (onLimit) => {
      const { state, update, ask } = openPage(onLimit);
      return {
        upTo: () => {
          state.heldBytes = HELD_BYTES_LIMIT.max;
          ask();
          expect(state.sent).toBe(1);
        },
        beyond: () => {
          state.heldBytes = HELD_BYTES_LIMIT.max + 1;
          update();
          state.heldBytes = HELD_BYTES_LIMIT.max;
          update();
          expect(state.sent, 'nothing until it has caught up').toBe(1);
          state.heldBytes = 0;
          update();
          expect(state.sent, 'then the whole fleet').toBe(2);
        },
      };
    },
  },
];

export const liveCases: readonly LimitCase[] = [
  resendsCase,
  queueCase,
  groupCase,
  talkCase,
  speechCase,
  ...updateCases,
];
