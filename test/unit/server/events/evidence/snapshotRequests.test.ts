import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { QueryResult } from '../../../../../server/device/terminalSession.ts';
import {
  SNAPSHOTS_LIMIT,
  SnapshotRequests,
  WAITING_SNAPSHOTS_LIMIT,
} from '../../../../../server/events/evidence/snapshotRequests.ts';
import type { EventMediaState } from '../../../../../shared/protocol/events/eventWords.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';

const DEVICE = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 4 };
const EVENT = { eventId: 9, eventBeginAtMs: 5 };
const MINUTE_MS = 60_000;

let timers: ManualTimers;
let asked: number[];
let isHere: boolean;
let answers: (channel: number) => Promise<QueryResult<unknown>>;
let states: Map<number, EventMediaState>;
let mediaIds: Map<number, number>;
let added: EventMediaState[];
let requests: SnapshotRequests;

const promise = (result: number, ids: number[]) => async () =>
  ({ ok: true, answer: { kind: 'takePictureReply', replySerial: 0, result, mediaIds: ids } }) as const;

beforeEach(async () => {
  timers = new ManualTimers();
  [asked, isHere, states, mediaIds, added] = [[], true, new Map(), new Map(), []];
  answers = promise(0, [70]);
  let nextId = 0;
  const query = (body: MessageBody): Promise<QueryResult<unknown>> => {
    if (body.kind !== 'takePicture') throw new Error(body.kind);
    asked.push(body.channel);
    return answers(body.channel);
  };
  const session = { archiveNumber: 4, channelsFromZero: false, query: query as never };
  requests = new SnapshotRequests({
    store: {
      add: async (rows) => {
        added.push(...rows.map(({ state }) => state));
        return rows.map(() => nextId++);
      },
      requested: async () => [{ id: 50, ...anEventMedia({ state: 'requested', channel: 3, attempts: 1 }) }],
      setAsked: async () => undefined,
      setTerminalMediaId: async (id, mediaId) => void mediaIds.set(id, mediaId),
      setState: async (ids, state) => {
        for (const id of ids) states.set(id, state);
      },
    },
    sessionOf: () => (isHere ? session : undefined),
    owners: { ofDevice: () => 0, ofArchive: (archiveNumber) => Math.floor(archiveNumber / 1_000), count: 2 },
    now: () => timers.now() + 1_795_000_002_000,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
    onLimit: () => undefined,
  });
});

async function presence(isOnline: boolean): Promise<void> {
  isHere = isOnline;
  requests.presence({ kind: 'presence', device: DEVICE, isOnline, atMs: 0 });
  await settled();
}

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    timers.advance(MINUTE_MS);
    await settled();
  }
}

describe('pictures that an event asks for', () => {
  it('are asked for once, and not again once they have come', async () => {
    await requests.start();
    await requests.request(DEVICE, EVENT, [1]);
    await settled();
    expect(asked).toEqual([3, 1]);
    expect(mediaIds.get(0)).toBe(70);
    requests.came(4, 0);
    requests.came(4, 50);
    expect(requests.waitingCount).toBe(0);
    await pass(30);
    expect(asked).toEqual([3, 1]);
  });

  it('are asked for again when what was promised does not come, three times in all', async () => {
    timers.advance(1);
    await requests.start();
    await requests.request(DEVICE, EVENT, [1]);
    await pass(30);
    expect(asked.filter((channel) => channel === 1)).toHaveLength(3);
    expect(states.get(0)).toBe('failed');
    expect(requests.waitingCount).toBe(0);
  });

  it('wait for a terminal that is away, and are asked for again after an absence', async () => {
    isHere = false;
    await requests.start();
    await requests.request(DEVICE, EVENT, [1]);
    await pass(60);
    expect(asked).toEqual([]);
    await presence(true);
    expect(asked).toEqual([3, 1]);
    await presence(false);
    await presence(true);
    expect(asked).toEqual([3, 1, 3, 1]);
  });

  it('are given up after a day', async () => {
    isHere = false;
    await requests.start();
    await pass(24 * 60 + 1);
    expect(states.get(50)).toBe('failed');
  });

  it('are given up at once of a channel that the terminal does not have, and where it refuses', async () => {
    answers = promise(2, []);
    await requests.request(DEVICE, EVENT, [1]);
    await settled();
    expect(states.get(0)).toBe('failed');
    answers = async () => ({ ok: false, reason: 'refused', result: 3 });
    await requests.request(DEVICE, EVENT, [2]);
    await settled();
    expect(states.get(1)).toBe('failed');
  });

  it('are not asked of another device that has the id by now', async () => {
    await requests.request({ ...DEVICE, archiveNumber: 5 }, EVENT, [1]);
    await settled();
    expect(asked).toEqual([]);
  });

  it('are asked for of one member group also while another one has as many as may wait', async () => {
    const channels = Array.from({ length: SNAPSHOTS_LIMIT.max }, (_, at) => at + 1);
    const ask = (archiveNumber: number) => requests.request({ ...DEVICE, archiveNumber }, EVENT, channels);
    for (let at = 0; at < WAITING_SNAPSHOTS_LIMIT.max; at += SNAPSHOTS_LIMIT.max)
      await ask(1_000 + Math.floor(at / 60));
    const waiting = requests.waitingCount;
    expect(waiting).toBeLessThan(WAITING_SNAPSHOTS_LIMIT.max);
    await ask(5_000);
    expect(requests.waitingCount).toBe(waiting + SNAPSHOTS_LIMIT.max);
  });

  it('are so many an hour at most, and the event says which were not asked for', async () => {
    answers = () => new Promise(() => undefined);
    const channels = Array.from({ length: SNAPSHOTS_LIMIT.max + 5 }, (_, at) => at + 1);
    await requests.request(DEVICE, EVENT, channels);
    expect(requests.waitingCount).toBe(SNAPSHOTS_LIMIT.max);
    expect(added.filter((state) => state === 'failed')).toHaveLength(5);
    expect(asked).toHaveLength(SNAPSHOTS_LIMIT.max);
  });
});
