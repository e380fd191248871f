// How the limits of what a client says, and of how long it says nothing, are reached.
import { once } from 'node:events';
import { expect, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FIRST_MESSAGE_LIMIT } from '../../../server/fleet/updates/updatesServer.ts';
import { CONTROL_PING_LIMIT, VIEWER_PING_LIMIT } from '../../../server/sockets/heartbeat.ts';
import {
  MESSAGE_BYTES_LIMIT,
  MESSAGES_LIMIT,
  SPEECH_BYTES_LIMIT,
  SPEECH_MESSAGE_BYTES_LIMIT,
  UPDATE_MESSAGE_BYTES_LIMIT,
  UPDATE_MESSAGES_LIMIT,
} from '../../../server/sockets/messageRate.ts';
import { LIVE_UPDATES_PATH } from '../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { ControlPath } from '../../../shared/protocol/stream/controlMessages.ts';
import { serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { openStreams } from './streamScene.ts';

interface Talkative {
  readonly path: string;
  /** What may come at once, in messages of one size. */
  readonly burst: number;
  readonly perSecond: number;
  readonly messageBytes: number;
}

function rateCase(limit: LimitCase['limit'], { path, burst, perSecond, messageBytes }: Talkative): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const { timers, open } = openStreams(onLimit);
      const { socket } = await open(path);
      const message = Buffer.alloc(messageBytes);
      return {
        upTo: () => {
          times(burst, () => socket.say(message));
          timers.advance(1_000);
          times(perSecond, () => socket.say(message));
          expect(socket.closedWith).toBeUndefined();
        },
        beyond: () => {
          socket.say(message);
          expect(socket.closedWith).toEqual({ status: 1008, reason: 'too-many-messages' });
          expect(socket.isCut).toBe(false);
          timers.advance(500);
          expect(socket.isCut, 'its end is not waited for').toBe(true);
        },
      };
    },
  };
}

/** On a real connection to the endpoint. */
function longMessageCase(limit: LimitCase['limit'], path: string): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const server = await serveEndpoints(openStreams(onLimit).endpoints);
      const query = 'username=ann&credential=one&deviceid=BUS1&channel=1';
      const client = new WebSocket(`ws://127.0.0.1:${server.port}${path}?${query}`);
      onTestFinished(async () => {
        client.terminate();
        await server.close();
      });
      await once(client, 'open');
      return {
        upTo: async () => {
          client.send(Buffer.alloc(limit.max));
          client.ping();
          await once(client, 'pong');
          expect(client.readyState).toBe(client.OPEN);
        },
        beyond: async () => {
          client.send(Buffer.alloc(limit.max + 1));
          const [status] = await once(client, 'close');
          expect(status).toBe(1009);
        },
      };
    },
  };
}

function pingCase(limit: LimitCase['limit'], path: string): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const { open } = openStreams(onLimit);
      const { socket } = await open(path);
      const pass = (): unknown => vi.advanceTimersByTime(limit.max * 1_000);
      return {
        upTo: () => {
          pass();
          socket.emit('pong', Buffer.from(socket.pings.at(-1) ?? ''));
          pass();
          expect([socket.pings.length, socket.isCut]).toEqual([2, false]);
        },
        beyond: () => {
          pass();
          expect(socket.isCut).toBe(true);
        },
      };
    },
  };
}

const firstMessageCase: LimitCase = {
  limit: FIRST_MESSAGE_LIMIT,
  open: async (onLimit) => {
    const { timers, open } = openStreams(onLimit);
    const { socket } = await open(LIVE_UPDATES_PATH);
    const pass = async (ms: number): Promise<void> => {
      timers.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return {
      upTo: async () => {
        await pass(FIRST_MESSAGE_LIMIT.max * 1_000 - 1);
        expect(socket.closedWith).toBeUndefined();
      },
      beyond: async () => {
        await pass(1);
        expect(socket.closedWith).toEqual({ status: 1008, reason: 'not-signed-in' });
      },
    };
  },
};

export const messageCases: readonly LimitCase[] = [
  rateCase(MESSAGES_LIMIT, { path: StreamPath.Live, burst: 1_000, perSecond: MESSAGES_LIMIT.max, messageBytes: 10 }),
  rateCase(SPEECH_BYTES_LIMIT, {
    path: ControlPath.Talk,
    burst: 128,
    messageBytes: 64 * 1024,
    perSecond: SPEECH_BYTES_LIMIT.max / (64 * 1024),
  }),
  rateCase(UPDATE_MESSAGES_LIMIT, {
    path: LIVE_UPDATES_PATH,
    burst: 200,
    perSecond: UPDATE_MESSAGES_LIMIT.max,
    messageBytes: 10,
  }),
  longMessageCase(MESSAGE_BYTES_LIMIT, StreamPath.Live),
  longMessageCase(SPEECH_MESSAGE_BYTES_LIMIT, ControlPath.Talk),
  longMessageCase(UPDATE_MESSAGE_BYTES_LIMIT, LIVE_UPDATES_PATH),
  pingCase(VIEWER_PING_LIMIT, StreamPath.Live),
  pingCase(CONTROL_PING_LIMIT, ControlPath.Ptz),
  firstMessageCase,
];
