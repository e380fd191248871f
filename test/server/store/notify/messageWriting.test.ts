import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import type { Engine } from '../../../../server/store/migrations/migration.ts';
import { writeMessages } from '../../../../server/store/notify/messageWriting.ts';
import { aPlannedMessage } from '../../../support/plannedMessage.ts';
import { postgresAvailable } from '../../../support/postgres/postgres.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { describeOnBothEngines } from '../testDatabase.ts';
import { NOW_MS, type NotifyStoreScene, openNotifyScene } from './notifyScene.ts';

const MINUTE_MS = 60_000;
const WAITING = 0;
const CANCELED = 3;
const DIGEST = { digestKey: 'digest', dueAtMs: NOW_MS + 30 * MINUTE_MS };

let scene: NotifyStoreScene;
const open = (engine: Engine): void => {
  beforeAll(async () => {
    scene = await openNotifyScene(engine);
  });
  afterEach(async () => {
    await scene.database.db.deleteFrom('notify_message').execute();
  });
  afterAll(() => scene.database.close());
};

describeOnBothEngines('messages are written with their events', (engine) => {
  open(engine);

  it('S-2.4.13 each with the id of its event, as it was planned', async () => {
    const [first = 0, second = 0, third = 0] = await scene.tell(
      [
        { userId: scene.ann, address: '', kind: 'push' },
        { step: 2, dueAtMs: NOW_MS + 5, repeatMs: 9, repeatUntilMs: 99 },
      ],
      [],
      [{ severity: 'critical', waitsQuiet: true, recipient: 'Ann\u0000Lee' }],
    );
    expect(second - first).toBe(1);
    const rows = await scene.database.db.selectFrom('notify_message').selectAll().orderBy('id').execute();
    expect(rows).toMatchObject([
      { event_id: first, user_id: scene.ann, address: '', kind: 4, state: WAITING, events: 1, attempts: 0 },
      {
        event_id: first,
        step: 2,
        due_at_ms: NOW_MS + 5,
        first_due_at_ms: NOW_MS + 5,
        repeat_ms: 9,
        repeat_until_ms: 99,
      },
      { event_id: third, severity: 0, waits_quiet: 1, user_id: null, recipient: 'Ann\ufffdLee' },
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });

  it('many in few statements', async () => {
    await scene.tell(...Array.from({ length: 3 }, () => Array.from({ length: 500 }, () => ({}))));
    expect(await scene.messages()).toHaveLength(1_500);
  });

  it('neither is stored without the other', async () => {
    const before = await scene.stores.eventLog.tracked(0);
    await expect(scene.tell([{ key: 'same' }], [{ key: 'same' }])).rejects.toThrow();
    expect(await scene.stores.eventLog.tracked(0)).toHaveLength(before.length);
    expect(await scene.messages()).toEqual([]);
  });

  it('a member group that is gone meanwhile costs its messages, and no event', async () => {
    expect(await scene.tell([{ memberGroup: 9_999 }, {}])).toHaveLength(1);
    expect(await scene.messages()).toHaveLength(1);
  });
});

describeOnBothEngines('digests', (engine) => {
  open(engine);

  it('one message tells of the events that come until it is due', async () => {
    const [first, second] = await scene.tell([DIGEST], [DIGEST]);
    const later = { ...DIGEST, createdAtMs: NOW_MS + 10 * MINUTE_MS, dueAtMs: DIGEST.dueAtMs + 10 * MINUTE_MS };
    const [third] = await scene.tell([later]);
    const [message] = await scene.messages();
    expect(await scene.messages()).toMatchObject([{ event_id: first, events: 3 }]);
    expect(await scene.digests()).toEqual([`${message?.id}: ${first}, ${second}, ${third}`]);
  });

  it('events of other rules, steps and recipients make another', async () => {
    await scene.tell([DIGEST, { ...DIGEST, digestKey: 'other' }]);
    expect(await scene.messages()).toHaveLength(2);
  });

  it('no event joins one that is about to be sent, has been, or is a repeat that comes later', async () => {
    await scene.tell([DIGEST]);
    const created = { createdAtMs: DIGEST.dueAtMs - 9_999, dueAtMs: DIGEST.dueAtMs + 1 };
    await scene.tell([{ ...DIGEST, ...created }]);
    expect(await scene.messages()).toHaveLength(2);
    await scene.database.db.updateTable('notify_message').set({ attempts: 1 }).execute();
    await scene.tell([DIGEST]);
    expect(await scene.messages()).toHaveLength(3);
    await scene.database.db
      .updateTable('notify_message')
      .set({ due_at_ms: DIGEST.dueAtMs + 1 })
      .execute();
    await scene.tell([DIGEST]);
    expect((await scene.messages()).map(({ events }) => events)).toEqual([1, 1, 1, 1]);
  });
});

describeOnBothEngines('answering an event', (engine) => {
  open(engine);

  it('S-2.4.13 cancels what waits of it, later steps too, and says who answered', async () => {
    const [first = 0, second] = await scene.tell([{ sender: 5 }, { step: 2 }], [{}]);
    const done = await scene.answer(first);
    expect(done.canceled).toMatchObject([
      { sender: 5, memberGroup: scene.memberGroup },
      { sender: 1, memberGroup: scene.memberGroup },
    ]);
    const canceled = { state: CANCELED, event_id: first, answer: 'answered by Ann' };
    expect(await scene.messages()).toMatchObject([canceled, canceled, { state: WAITING, event_id: second }]);
    const { finished_at_ms } = await scene.database.db
      .selectFrom('notify_message')
      .select('finished_at_ms')
      .where('event_id', '=', first)
      .executeTakeFirstOrThrow();
    expect(finished_at_ms).toBe(NOW_MS + 1_000);
  });

  it('leaves what was sent as it is', async () => {
    const [id = 0] = await scene.tell([{}, DIGEST]);
    await scene.database.db.updateTable('notify_message').set({ state: 1 }).execute();
    expect((await scene.answer(id)).canceled).toEqual([]);
    expect(await scene.messages()).toMatchObject([
      { state: 1, answer: '' },
      { state: 1, events: 1 },
    ]);
    expect(await scene.digests()).toHaveLength(1);
  });

  it('takes the event out of digests, and cancels those that tell of nothing any more', async () => {
    const [first = 0, second = 0] = await scene.tell([DIGEST], [DIGEST]);
    const done = await scene.answer(first);
    expect(done.canceled).toHaveLength(1);
    expect(await scene.messages()).toMatchObject([{ state: WAITING, events: 1 }]);
    expect(await scene.digests()).toMatchObject([expect.stringMatching(`: ${second}$`)]);
    await scene.answer(second);
    expect(await scene.messages()).toMatchObject([{ state: CANCELED, events: 0, answer: 'answered by Ann' }]);
    expect(await scene.digests()).toEqual([]);
  });

  it('a note is no answer', async () => {
    const [id = 0] = await scene.tell([{}]);
    const done = await scene.stores.eventActs.act(
      {
        act: 'note',
        events: [{ id, version: 1 }],
        by: { userId: scene.ann, username: 'Ann' },
        note: 'seen',
        atMs: NOW_MS,
      },
      { memberGroup: scene.memberGroup, seesGateway: false },
      () => ({ actor: 'Ann', action: 'event.note' }),
    );
    expect(done).toMatchObject({ acted: [{ id }], canceled: [] });
    expect(await scene.messages()).toMatchObject([{ state: WAITING }]);
  });
});

describe.skipIf(!postgresAvailable())('answering an event while another one is written (postgres)', () => {
  open('postgres');

  it('S-2.4.13 a digest that an event is just joining tells of that event', async () => {
    const [first = 0, second = 0] = await scene.tell([DIGEST], []);
    const { db } = scene.database;
    let end: () => void = () => undefined;
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    let joins: () => void = () => undefined;
    const hasJoined = new Promise<void>((resolve) => {
      joins = resolve;
    });
    const writing = db.transaction().execute(async (work) => {
      const { memberGroup, archiveNumber } = scene;
      const message = aPlannedMessage({ memberGroup, archiveNumber, createdAtMs: NOW_MS, ...DIGEST });
      await writeMessages(work, [{ event: 0, message, joinsFromMs: NOW_MS }], [second]);
      joins();
      await mayEnd;
    });
    await hasJoined;
    const answering = scene.answer(first);
    await waitFor('the answer waits for the digest', async () => (await waitingForLocks(db)) > 0);
    end();
    await Promise.all([writing, answering]);
    expect(await scene.messages()).toMatchObject([{ state: WAITING, events: 1 }]);
    expect(await scene.digests()).toMatchObject([expect.stringMatching(`: ${second}$`)]);
  });
});

async function waitingForLocks(db: StoreDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
