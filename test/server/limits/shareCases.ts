// How the shares are reached that one connection, one account or one link may take.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import {
  ADDRESS_REQUESTS_LIMIT,
  CONNECTION_REQUESTS_LIMIT,
  limitRequests,
  REQUESTS_LIMIT,
} from '../../../server/http/kernel/requests.ts';
import { LINKS_LIMIT } from '../../../server/http/links/routes.ts';
import { EVIDENCE_LIMIT } from '../../../server/http/recordings/evidenceRoutes.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { GopReader } from '../../../server/recording/playback/gopReader.ts';
import { LINK_MOVES_LIMIT } from '../../../server/recording/playback/playbackSession.ts';
import { PlaybackSessions } from '../../../server/recording/playback/playbackSessions.ts';
import { EVENT_FILTERS_LIMIT } from '../../../server/store/events/eventFilters.ts';
import { WALLS_LIMIT } from '../../../server/store/fleet/cameraWalls.ts';
import { createStores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { createTestApp, type TestApp } from '../http/testApp.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';
import { addressOf, times } from './manyOf.ts';

const AT = wallMs(1_795_000_000_000);

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
  }
}

/** Sends requests that nobody answers. */
function requestsTo(onLimit: OnLimit) {
  let handled = 0;
  const answer = limitRequests(() => void handled++, { isTrustedProxy: () => false, onLimit });
  /** The status that it was refused with, or 0. */
  const send = (socket: FakeSocket): number => {
    let refused = 0;
    const response = Object.assign(new EventEmitter(), {
      writeHead: (status: number) => {
        refused = status;
        return { end: () => undefined };
      },
    });
    answer({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse<IncomingMessage>);
    return refused;
  };
  return { send, handled: () => handled };
}

export const requestShares: readonly LimitCase[] = [
  {
    limit: CONNECTION_REQUESTS_LIMIT,
    open: (onLimit) => {
      const { send, handled } = requestsTo(onLimit);
      const socket = new FakeSocket('192.0.2.1');
      return {
        upTo: () => {
          times(CONNECTION_REQUESTS_LIMIT.max, () => send(socket));
          expect([handled(), socket.destroyed]).toEqual([CONNECTION_REQUESTS_LIMIT.max, false]);
        },
        beyond: () => {
          times(2, () => send(socket));
          expect([handled(), socket.destroyed]).toEqual([CONNECTION_REQUESTS_LIMIT.max, true]);
        },
      };
    },
  },
  {
    limit: ADDRESS_REQUESTS_LIMIT,
    open: (onLimit) => {
      const { send } = requestsTo(onLimit);
      return {
        upTo: () => times(ADDRESS_REQUESTS_LIMIT.max, () => expect(send(new FakeSocket('192.0.2.1'))).toBe(0)),
        beyond: () => {
          expect(send(new FakeSocket('192.0.2.1'))).toBe(429);
          expect(send(new FakeSocket('192.0.2.2'))).toBe(0);
        },
      };
    },
  },
  {
    limit: REQUESTS_LIMIT,
    open: (onLimit) => {
      const { send } = requestsTo(onLimit);
      return {
        upTo: () => times(REQUESTS_LIMIT.max, (index) => expect(send(new FakeSocket(addressOf(index)))).toBe(0)),
        beyond: () => expect(send(new FakeSocket('192.0.2.1'))).toBe(503),
      };
    },
  },
];

/** An app in which somebody is signed in who may do everything. */
async function openApp(onLimit: OnLimit): Promise<{ test: TestApp; userId: number; cookie: string }> {
  const test = await createTestApp({}, { onLimit });
  onTestFinished(() => test.close());
  const group = await test.stores.memberGroups.insert({ name: 'Members' });
  const userId = await test.addUser('root', ALL_PERMISSIONS, [group]);
  const deviceGroup = await test.stores.deviceGroups.insert('Buses');
  await test.stores.memberGroups.setDeviceGroups(group, [deviceGroup]);
  await test.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
  return { test, userId, cookie: await test.signIn('root') };
}

export const accountShares: readonly LimitCase[] = [
  {
    limit: EVENT_FILTERS_LIMIT,
    open: async (onLimit) => {
      const database = await openTestDatabase('sqlite');
      onTestFinished(() => database.close());
      const { users, eventFilters } = createStores(database.db, onLimit);
      const userId = await users.insert({ username: 'ann', passwordHash: 'h', permissions: [] }, AT);
      const put = (index: number) => eventFilters.put(userId, { name: `Filter ${index}`, query: {} });
      return {
        upTo: async () => {
          for (let index = 0; index < EVENT_FILTERS_LIMIT.max; index++) expect(await put(index)).toBeDefined();
        },
        beyond: async () => {
          expect(await put(EVENT_FILTERS_LIMIT.max)).toBeUndefined();
          expect(await put(0)).toBeDefined();
          expect(await eventFilters.listOf(userId)).toHaveLength(EVENT_FILTERS_LIMIT.max);
        },
      };
    },
  },
  {
    limit: WALLS_LIMIT,
    open: async (onLimit) => {
      const database = await openTestDatabase('sqlite');
      onTestFinished(() => database.close());
      const { users, cameraWalls } = createStores(database.db, onLimit);
      const userId = await users.insert({ username: 'ann', passwordHash: 'h', permissions: [] }, AT);
      const put = (index: number): Promise<boolean> =>
        cameraWalls.put(userId, { name: `Wall ${index}`, channels: [], cycleSeconds: 0 });
      return {
        upTo: async () => {
          for (let index = 0; index < WALLS_LIMIT.max; index++) expect(await put(index)).toBe(true);
        },
        beyond: async () => {
          expect(await put(WALLS_LIMIT.max)).toBe(false);
          expect(await put(0)).toBe(true);
          expect(await cameraWalls.listOf(userId)).toHaveLength(WALLS_LIMIT.max);
        },
      };
    },
  },
  {
    limit: LINKS_LIMIT,
    open: async (onLimit) => {
      const { test, userId, cookie } = await openApp(onLimit);
      const body = { deviceid: 'BUS1', channels: [1], kinds: ['live'], untilMs: AT + 86_400_000, note: '' };
      const make = async () => {
        const answer = await test.request({ method: 'POST', url: '/api/link/links', headers: { cookie }, body });
        return { status: answer.statusCode, code: answer.json().code, id: answer.json().data?.id };
      };
      let last = 0;
      return {
        upTo: async () => {
          const link = { ownerId: userId, deviceId: 'BUS1', channelMask: 1, kinds: ['live'] } as const;
          for (let index = 1; index < LINKS_LIMIT.max; index++) await test.addLink(link);
          await test.addLink({ ...link, expiresAtMs: wallMs(test.clock.now - 1) });
          const made = await make();
          expect(made.status).toBe(200);
          last = made.id;
        },
        beyond: async () => {
          expect(await make()).toMatchObject({ status: 409, code: 'too-many-links' });
          await test.stores.linkCredentials.revoke(last, test.clock.now);
          expect((await make()).status).toBe(200);
        },
      };
    },
  },
];

export const evidenceShare: LimitCase = {
  limit: EVIDENCE_LIMIT,
  open: async (onLimit) => {
    const { test, cookie } = await openApp(onLimit);
    const body = { deviceid: 'BUS1', channel: 0, fromMs: 1, toMs: 2, reason: 'a bump' };
    const hold = async () => {
      const answer = await test.request({ method: 'POST', url: '/api/playback/evidence', headers: { cookie }, body });
      return [answer.statusCode, answer.json().code];
    };
    const range = { archiveId: 'BUS1', channel: 0, fromMs: wallMs(1), toMs: wallMs(2), reason: 'a bump' };
    const add = (heldBy: string) => test.stores.evidenceHolds.add({ ...range, heldBy }, AT);
    return {
      upTo: async () => {
        for (let index = 1; index < EVIDENCE_LIMIT.max; index++) await add('root');
        await add('somebody else');
        // Looked for, and nothing is recorded.
        expect(await hold()).toEqual([404, 'no-recording']);
      },
      beyond: async () => {
        await add('root');
        expect(await hold()).toEqual([409, 'evidence-full']);
      },
    };
  },
};

export const movesShare: LimitCase = {
  limit: LINK_MOVES_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    const gopReader = { latestAt: async () => undefined, firstAfter: async () => undefined } as unknown as GopReader;
    const runAfter = timers.runAfter;
    const sessions = new PlaybackSessions({
      gopReader,
      now: timers.now,
      wallNow: timers.now,
      runAfter,
      onFault: noFaults,
      onLimit,
    });
    onTestFinished(() => sessions.close());
    let told = 0;
    /** A page begins, and seeks at once; whether it was told of the new place. */
    const seek = (streamId: number, credential = 'one'): boolean => {
      const viewer = {
        track: { archiveId: 'A', channel: 1 },
        wantsAudio: false,
        sink: { send: () => undefined, sendGap: () => undefined, queuedBytes: () => 0 },
        sendEvent: () => void told++,
      };
      const member = sessions.join({ username: 'ann', credential, deviceId: 'A', streamId }, 0, viewer);
      const before = told;
      member.handle({ type: 'seek', positionMs: 60_000 });
      return told > before;
    };
    return {
      upTo: () => {
        for (let stream = 1; stream <= LINK_MOVES_LIMIT.max; stream++) expect(seek(stream)).toBe(true);
      },
      beyond: () => {
        expect(seek(LINK_MOVES_LIMIT.max + 1)).toBe(false);
        expect(seek(1, 'another')).toBe(true);
      },
    };
  },
};
