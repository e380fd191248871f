import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../server/store/engine/database.ts';
import { openSqliteClient, SqliteError } from '../../../../server/store/engine/sqlite/client.ts';
import { createSettingStore, type SettingStore } from '../../../../server/store/system/settings.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

interface Signal {
  readonly given: Promise<void>;
  give(): void;
}

function signal(): Signal {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

describe('the database thread', () => {
  let database: OpenDatabase;
  let settings: SettingStore;
  beforeEach(async () => {
    database = await openDatabase({ engine: 'sqlite', file: ':memory:' });
    settings = createSettingStore(database.db);
  });
  afterEach(() => database.close());

  it('keeps other statements out of a transaction that is open', async () => {
    const begun = signal();
    const goOn = signal();
    const transaction = database.db.transaction().execute(async (inside) => {
      await createSettingStore(inside).set('inside', '1');
      begun.give();
      await goOn.given;
      throw new Error('rolled back');
    });
    await begun.given;
    const outside = settings.set('outside', '1');
    goOn.give();
    await expect(transaction).rejects.toThrow('rolled back');
    await outside;
    expect([...(await settings.getAll()).keys()]).toEqual(['outside']);
  });

  it('runs transactions one after another, each seeing what the one before did', async () => {
    await settings.set('n', '0');
    const increments = Array.from({ length: 20 }, () =>
      database.db.transaction().execute(async (inside) => {
        const store = createSettingStore(inside);
        await store.set('n', String(Number(await store.get('n')) + 1));
      }),
    );
    await Promise.all(increments);
    expect(await settings.get('n')).toBe('20');
  });

  it('rolls back to a savepoint and goes on', async () => {
    await database.db
      .startTransaction()
      .execute()
      .then(async (first) => {
        await createSettingStore(first as unknown as typeof database.db).set('kept', '1');
        const second = await first.savepoint('here').execute();
        await createSettingStore(second as unknown as typeof database.db).set('dropped', '1');
        const back = await second.rollbackToSavepoint('here').execute();
        await back.commit().execute();
      });
    expect([...(await settings.getAll()).keys()]).toEqual(['kept']);
  });

  it('lets a statement that fails undo itself alone among those that travel with it', async () => {
    const insert = (name: string) => database.db.insertInto('setting').values({ name, value: '' }).execute();
    const outcomes = await Promise.allSettled([
      insert('a'),
      insert('a'),
      insert('b'),
      sql`no such thing`.execute(database.db),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect([...(await settings.getAll()).keys()].sort()).toEqual(['a', 'b']);
    const refused = outcomes[1] as PromiseRejectedResult;
    expect(refused.reason).toBeInstanceOf(SqliteError);
    expect(refused.reason).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  });

  it('answers a thousand statements asked at once, in order', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => sql<{ n: number }>`select ${index} as n`.execute(database.db)),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(answers.map((_, index) => index));
  });

  it('holds foreign keys and refuses what is asked after its end', async () => {
    await expect(
      database.db.insertInto('member_group_device_group').values({ member_group: 1, device_group: 1 }).execute(),
    ).rejects.toThrow('FOREIGN KEY');
    await database.close();
    await database.close();
    await expect(settings.get('a')).rejects.toThrow('destroyed');
  });

  it('never holds up this thread, however long a statement takes', async () => {
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    onTestFinished(() => clearInterval(ticking));
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) from n`.execute(
      database.db,
    );
    expect(turns).toBeGreaterThan(10);
  });
});

describe('a database file', () => {
  it('keeps what was committed and nothing of what was under way when its program ends', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const location = { engine: 'sqlite', file: `${folder.path}/a.db` } as const;
    const first = await openDatabase(location);
    await createSettingStore(first.db).set('kept', '1');
    const begun = signal();
    const hanging = first.db.transaction().execute(async (inside) => {
      await createSettingStore(inside).set('lost', '1');
      begun.give();
      await new Promise(() => undefined);
    });
    hanging.catch(() => undefined);
    await begun.given;
    await first.close();
    const second = await openDatabase(location);
    expect([...(await createSettingStore(second.db).getAll()).keys()]).toEqual(['kept']);
    await second.close();
  });

  it('that cannot be opened is an error with its name and the engine’s code', async () => {
    await expect(openSqliteClient({ file: '/no/such/folder/a.db', access: 'write' })).rejects.toThrow(
      '/no/such/folder/a.db',
    );
  });
});
