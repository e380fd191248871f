import { beforeEach, describe, expect, it } from 'vitest';
import { itemsOfLimits } from '../../../../../server/device/limits/alarmLimitItems.ts';
import { AlarmLimitSync, type LimitsChanged } from '../../../../../server/device/limits/alarmLimitSync.ts';
import type { CommandResult, TerminalSession } from '../../../../../server/device/terminalSession.ts';
import type { AlarmLimitChange, AlarmLimits } from '../../../../../shared/protocol/api/eventConfig.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { BUS, createOrderScene, type OrderScene, quiet } from '../orders/orderScene.ts';
import { FakeLimitStore } from './fakeLimitStore.ts';

const DAY_MS = 86_400_000;
const ANN = { id: 7, username: 'ann', address: '192.0.2.1' };
const SLOW: Partial<AlarmLimits> = { maxSpeedKmh: 60 };

let scene: OrderScene;
let store: FakeLimitStore;
let sync: AlarmLimitSync;

beforeEach(async () => {
  scene = await createOrderScene();
  store = new FakeLimitStore();
  sync = await startSync();
});

async function startSync(): Promise<AlarmLimitSync> {
  const { orders, registry, timers } = scene;
  const started = new AlarmLimitSync({ store, orders, registry, now: timers.now, onFault: failTest });
  await started.start();
  return started;
}

function failTest(error: Error): void {
  throw error;
}

interface Terminal {
  readonly questions: string[];
  readonly heard: string[];
}

interface Habits {
  /** What it answers to what it is told. */
  readonly answer?: CommandResult;
  /** What it has, whatever it was told; left out: what it was told. */
  readonly has?: Partial<AlarmLimits>;
  /** It doesn't know the question for some parameters. */
  readonly knowsAllOnly?: boolean;
  readonly isSilent?: boolean;
}

/** A terminal that keeps its parameters. */
function enter({ answer = { ok: true }, has, knowsAllOnly = false, isSilent = false }: Habits = {}): Terminal {
  const questions: string[] = [];
  const heard: string[] = [];
  let items = itemsOfLimits(has ?? {});
  const session = {
    ...BUS,
    edition: '2013',
    isAlive: async () => true,
    close: () => undefined,
    command: async (body: { kind: string; items?: typeof items }) => {
      heard.push(body.kind);
      if (answer.ok && has === undefined) items = body.items ?? [];
      return answer;
    },
    query: async ({ kind }: { kind: string }) => {
      questions.push(kind);
      if (isSilent) return { ok: false, reason: 'timeout' };
      if (knowsAllOnly && kind === 'querySomeParameters') return { ok: false, reason: 'refused', result: 3 };
      return { ok: true, answer: { kind: 'parametersReply', replySerial: 0, count: items.length, items } };
    },
  };
  scene.registry.enter(session as unknown as TerminalSession);
  return { questions, heard };
}

async function change(limits: AlarmLimitChange = SLOW, version = 0): Promise<LimitsChanged> {
  const changed = await sync.change(BUS, { limits, version, by: ANN });
  await quiet();
  return changed;
}

describe('limits that are set', () => {
  it('reach the terminal and are confirmed by what it says that it has', async () => {
    const terminal = enter();
    expect(await change()).toEqual({ ok: true, before: {}, after: SLOW });
    expect(terminal).toEqual({ heard: ['setParameters'], questions: ['querySomeParameters'] });
    expect(store.row('BUS1')).toMatchObject({
      wanted: SLOW,
      state: 'confirmed',
      version: 1,
      writtenBy: 'ann',
      reported: SLOW,
    });
  });

  it('differ where the terminal has said yes and done nothing', async () => {
    enter({ has: { maxSpeedKmh: 100 } });
    await change();
    expect(store.row('BUS1')).toMatchObject({ wanted: SLOW, state: 'differs', reported: { maxSpeedKmh: 100 } });
  });

  it('are asked for with all parameters where the terminal knows only that question', async () => {
    const terminal = enter({ knowsAllOnly: true });
    await change();
    expect(terminal.questions).toEqual(['querySomeParameters', 'queryParameters']);
    expect(store.row('BUS1').state).toBe('confirmed');
  });

  it('are refused where the terminal says no, with what it has', async () => {
    enter({ answer: { ok: false, reason: 'refused', result: 3 }, has: { maxSpeedKmh: 100 } });
    await change();
    expect(store.row('BUS1')).toMatchObject({ state: 'refused', reported: { maxSpeedKmh: 100 } });
  });

  it('are known once the terminal is asked, where its answer was lost', async () => {
    enter({ answer: { ok: false, reason: 'timeout' }, has: SLOW });
    await change();
    expect(store.row('BUS1').state).toBe('confirmed');
  });

  it('wait for the terminal', async () => {
    await change();
    expect(store.row('BUS1')).toMatchObject({ state: 'waiting', wanted: SLOW, reported: undefined });
    enter();
    await quiet();
    expect(store.row('BUS1').state).toBe('confirmed');
  });

  it('are not sent any more after two weeks', async () => {
    await change();
    scene.timers.advance(14 * DAY_MS);
    await quiet();
    expect(store.row('BUS1').state).toBe('expired');
    const { heard } = enter();
    await quiet();
    expect(heard).toEqual([]);
  });

  it('are asked for at the next sign-in where the terminal has not answered the question', async () => {
    enter({ isSilent: true });
    await change();
    expect(store.row('BUS1').state).toBe('sent');
    enter({ has: SLOW });
    await quiet();
    expect(store.row('BUS1').state).toBe('confirmed');
    const { questions } = enter({ has: SLOW });
    await quiet();
    expect(questions).toEqual([]);
  });

  it('are asked for after a restart too, and so are those that were sent before it', async () => {
    enter({ isSilent: true });
    await change();
    sync.close();
    await scene.restart();
    sync = await startSync();
    enter({ has: { maxSpeedKmh: 99 } });
    await quiet();
    expect(store.row('BUS1').state).toBe('differs');
  });

  it('are all sent with the next change, which adds to them and takes the place of an order that waits', async () => {
    expect(await change()).toMatchObject({ before: {}, after: SLOW });
    expect(await change({ restSeconds: 5 }, 1)).toMatchObject({ before: SLOW, after: { ...SLOW, restSeconds: 5 } });
    const { heard } = enter();
    await quiet();
    expect(heard).toEqual(['setParameters']);
    expect(store.row('BUS1')).toMatchObject({ version: 2, state: 'confirmed', reported: { ...SLOW, restSeconds: 5 } });
  });

  it('of two administrators at once are those of the first, and the second hears so', async () => {
    const changes = [
      sync.change(BUS, { limits: SLOW, version: 0, by: ANN }),
      sync.change(BUS, { limits: { maxSpeedKmh: 100 }, version: 0, by: ANN }),
    ];
    expect(await Promise.all(changes)).toMatchObject([{ ok: true }, { ok: false, reason: 'conflict' }]);
    expect(store.row('BUS1')).toMatchObject({ version: 1, wanted: SLOW });
  });

  it('are not sent any more once they are taken out, not even by an order that waited', async () => {
    await change({ ...SLOW, restSeconds: 5 });
    expect(await change({ maxSpeedKmh: null }, 1)).toMatchObject({ after: { restSeconds: 5 } });
    expect(await change({ restSeconds: null }, 2)).toMatchObject({ after: {} });
    const { heard } = enter();
    await quiet();
    expect(heard).toEqual([]);
    expect(store.row('BUS1')).toMatchObject({ wanted: {}, version: 3, state: 'none' });
  });

  it.each([
    ['done', 'sent'],
    ['refused', 'refused'],
    ['expired', 'expired'],
    [undefined, 'sent'],
  ] as const)(
    'do not wait for ever where their order ended (%s) and kill -9 came before the note',
    async (orderState, state) => {
      await store.want(BUS, { wanted: SLOW, version: 4, by: 'ann', atMs: wallMs(0) });
      store.lost = [{ device: BUS, version: 4, orderState }];
      sync.close();
      sync = await startSync();
      expect(store.row('BUS1').state).toBe(state);
      enter({ has: SLOW });
      await quiet();
      expect(store.row('BUS1').state).toBe(state === 'sent' ? 'confirmed' : state);
    },
  );

  it('leave all as it was where the order is refused', async () => {
    scene.store.devices.delete(BUS.incarnation);
    expect(await change()).toEqual({ ok: false, reason: 'no-such-device' });
    expect(await store.find('BUS1')).toBeUndefined();
  });
});

describe('what a terminal has', () => {
  it('is asked when somebody wants to know, at most every half minute', async () => {
    const { questions } = enter({ has: { maxSpeedKmh: 100 } });
    const asked = await Promise.all([sync.current('BUS1'), sync.current('BUS1')]);
    expect(asked).toMatchObject([{ state: 'none', reported: { maxSpeedKmh: 100 } }, { state: 'none' }]);
    await sync.current('BUS1');
    expect(questions).toEqual(['querySomeParameters']);
    scene.timers.advance(30_000);
    await sync.current('BUS1');
    expect(questions).toHaveLength(2);
  });

  it('is what it said last while it is away', async () => {
    expect(await sync.current('BUS1')).toBeUndefined();
    expect(sync.isOnline('BUS1')).toBe(false);
  });

  it('is noticed to have changed since it was confirmed', async () => {
    enter();
    await change();
    enter({ has: { maxSpeedKmh: 120 } });
    scene.timers.advance(60_000);
    expect(await sync.current('BUS1')).toMatchObject({ state: 'differs', reported: { maxSpeedKmh: 120 } });
  });
});
