import { beforeEach, describe, expect, it } from 'vitest';
import { AreaSync } from '../../../../../server/device/areas/areaSync.ts';
import type { Edition } from '../../../../../server/device/jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { CommandResult, TerminalSession } from '../../../../../server/device/terminalSession.ts';
import type { StoredFence } from '../../../../../server/store/fences/fences.ts';
import type { FenceContent } from '../../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { AreaTable } from '../../../../../simulator/answers/areaTable.ts';
import { aCircle, aCorridor, aFenceContent, aPolygon } from '../../../../support/aFence.ts';
import { BUS, createOrderScene, type OrderScene, quiet } from '../orders/orderScene.ts';
import { FakeAreaStore } from './fakeAreaStore.ts';

const DAY_MS = 86_400_000;
const ANN = { id: 7, username: 'ann', address: '192.0.2.1' };

let scene: OrderScene;
let store: FakeAreaStore;
let fences: Map<number, StoredFence>;
let sync: AreaSync;

beforeEach(async () => {
  scene = await createOrderScene();
  store = new FakeAreaStore();
  fences = new Map();
  sync = await startSync();
});

async function startSync(): Promise<AreaSync> {
  const { orders, registry, timers } = scene;
  const findAnywhere = async (id: number) => fences.get(id);
  const started = new AreaSync({
    store,
    fences: { findAnywhere },
    orders,
    registry,
    now: timers.now,
    onFault: failTest,
  });
  await started.start();
  return started;
}

function failTest(error: Error): void {
  throw error;
}

function fenceOf(id: number, content: Partial<FenceContent> = {}, version = 1): StoredFence {
  const fence = {
    id,
    memberGroup: 1,
    version,
    content: aFenceContent(content),
    changedAtMs: wallMs(0),
    changedBy: 'ann',
  };
  fences.set(id, fence);
  return fence;
}

interface Habits {
  readonly edition?: Edition;
  readonly answer?: CommandResult;
  /** It says that it has obeyed, and hasn't. */
  readonly forgets?: boolean;
  readonly isSilent?: boolean;
}

/** A terminal with the memory of the simulator's. */
function enter({ edition = '2019', answer = { ok: true }, forgets = false, isSilent = false }: Habits = {}): string[] {
  const heard: string[] = [];
  const table = new AreaTable(edition);
  const session = {
    ...BUS,
    edition,
    isAlive: async () => true,
    close: () => undefined,
    command: async (body: MessageBody) => {
      heard.push(body.kind);
      if (answer.ok && !forgets) table.obey(body);
      return answer;
    },
    query: async (question: BodyOf<'queryAreas'>) => {
      heard.push(question.kind);
      return isSilent ? { ok: false, reason: 'timeout' } : { ok: true, answer: table.reply(question) };
    },
  };
  scene.registry.enter(session as unknown as TerminalSession);
  return heard;
}

async function put(fence: StoredFence): Promise<void> {
  expect(await sync.put(fence, BUS, ANN)).toEqual({ ok: true });
  await quiet();
}

async function remove(fence: number): Promise<void> {
  expect(await sync.remove(fence, BUS, ANN)).toEqual({ ok: true });
  await quiet();
}

const states = () => store.areas.map(({ fence, state, note }) => [fence, state, note]);

describe('a geofence that is put into a terminal', () => {
  it.each([
    ['a polygon', aPolygon(), 'setPolygon'],
    ['a circle', aCircle(), 'setCircles'],
    ['a corridor', aCorridor(), 'setRoute'],
  ])('is confirmed by what a terminal of 2019 says that it has: %s', async (_what, shape, message) => {
    const heard = enter();
    await put(fenceOf(5, shape));
    expect(heard).toEqual([message, 'queryAreas']);
    expect(states()).toEqual([[5, 'confirmed', '']]);
  });

  it('is confirmed by the answer alone where the edition can not be asked', async () => {
    const heard = enter({ edition: '2013' });
    await put(fenceOf(5));
    expect(heard).toEqual(['setPolygon']);
    expect(states()).toEqual([[5, 'confirmed', 'not-read-back']]);
  });

  it('differs where the terminal has said yes and done nothing', async () => {
    enter({ forgets: true });
    await put(fenceOf(5));
    expect(states()).toEqual([[5, 'differs', '']]);
  });

  it('says that it was simplified or narrowed', async () => {
    enter();
    await put(fenceOf(5, aCorridor(400)));
    expect(states()).toEqual([[5, 'confirmed', 'narrowed']]);
  });

  it('is refused where the terminal can not do it, and full where it has taken others', async () => {
    enter({ answer: { ok: false, reason: 'refused', result: 1 } });
    await put(fenceOf(5));
    expect(states()).toEqual([[5, 'refused', '']]);
    enter();
    await put(fenceOf(6));
    enter({ answer: { ok: false, reason: 'refused', result: 1 } });
    await put(fenceOf(7));
    expect(states()).toEqual([
      [5, 'refused', ''],
      [6, 'confirmed', ''],
      [7, 'full', ''],
    ]);
  });

  it('over the equator is refused unsent', async () => {
    const heard = enter();
    await put(
      fenceOf(
        5,
        aPolygon([
          [10, -1],
          [11, -1],
          [11, 1],
          [10, -1],
        ]),
      ),
    );
    expect(heard).toEqual([]);
    expect(states()).toEqual([[5, 'refused', 'both-hemispheres']]);
    await remove(5);
    expect([heard, states()]).toEqual([[], []]);
  });

  it('waits for the terminal, for two weeks', async () => {
    await put(fenceOf(5));
    expect(states()).toEqual([[5, 'waiting', '']]);
    enter();
    await quiet();
    expect(states()).toEqual([[5, 'confirmed', '']]);
  });

  it('expires where the terminal does not come', async () => {
    await put(fenceOf(5));
    scene.timers.advance(14 * DAY_MS);
    await quiet();
    expect(states()).toEqual([[5, 'refused', 'expired']]);
  });

  it('is known once the terminal is asked, where its answer was lost', async () => {
    enter({ answer: { ok: false, reason: 'timeout' } });
    await put(fenceOf(5));
    expect(states()).toEqual([[5, 'differs', '']]);
  });

  it('is asked for at the next sign-in where the terminal has not said what it has', async () => {
    enter({ isSilent: true });
    await put(fenceOf(5));
    expect(states()).toEqual([[5, 'sent', '']]);
    const heard = enter();
    await quiet();
    expect(heard).toEqual(['queryAreas']);
    expect(states()).toEqual([[5, 'differs', '']]);
  });

  it('again is changed where the terminal has it, and of another kind takes the place of the first', async () => {
    const heard = enter();
    await put(fenceOf(5, aCircle(500)));
    await put(fenceOf(5, aCircle(600), 2));
    await put(fenceOf(5, aPolygon(), 3));
    expect(heard.filter((kind) => kind !== 'queryAreas')).toEqual([
      'setCircles',
      'setCircles',
      'deleteCircles',
      'setPolygon',
    ]);
    expect(store.areas).toMatchObject([{ kind: 'polygon', fenceVersion: 3, state: 'confirmed' }]);
  });

  it('that was changed since is not compared with what it was', async () => {
    enter();
    await put(fenceOf(5));
    fenceOf(
      5,
      aPolygon([
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ]),
      2,
    );
    await sync.ask('BUS1');
    expect(states()).toEqual([[5, 'confirmed', '']]);
  });

  it('is noted as unknown where the gateway has ended meanwhile, and asked for', async () => {
    await put(fenceOf(5));
    const [area] = store.areas;
    store.lost = [{ orderId: area?.orderId ?? 0, state: 'done', result: undefined }];
    sync.close();
    await scene.restart();
    sync = await startSync();
    expect(states()).toEqual([[5, 'sent', '']]);
    enter();
    await quiet();
    expect(states()).toEqual([[5, 'differs', '']]);
  });
});

describe('a geofence that is taken out of a terminal', () => {
  it('is there no more once the terminal has said so', async () => {
    const heard = enter();
    await put(fenceOf(5));
    await remove(5);
    expect(heard).toEqual(['setPolygon', 'queryAreas', 'deletePolygons']);
    expect(states()).toEqual([]);
  });

  it('waits for the terminal', async () => {
    await put(fenceOf(5));
    await remove(5);
    expect(states()).toEqual([[5, 'removing', '']]);
    const heard = enter();
    await quiet();
    expect([heard, states()]).toEqual([['setPolygon', 'deletePolygons'], []]);
  });

  it('goes where the answer was lost and the terminal says that it has none', async () => {
    enter({ forgets: true });
    await put(fenceOf(5));
    enter({ answer: { ok: false, reason: 'timeout' } });
    await remove(5);
    expect(states()).toEqual([]);
  });

  it('goes by itself when the geofence is deleted or the device has left the member group', async () => {
    const heard = enter();
    await put(fenceOf(5));
    await put(fenceOf(6));
    store.gone.add(5);
    await sync.removeStrays();
    await quiet();
    expect(heard.at(-1)).toBe('deletePolygons');
    expect(states()).toEqual([[6, 'confirmed', '']]);
  });

  it('of which the terminal knows nothing needs no order', async () => {
    const heard = enter();
    await remove(5);
    expect(heard).toEqual([]);
  });
});
