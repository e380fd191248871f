// An installation, and a backup of another one.
import { expect, onTestFinished } from 'vitest';
import type { Engine } from '../../../../server/store/migrations/migration.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { PartRow, PartsImport } from '../../../../shared/protocol/api/system/backupParts.ts';
import { BACKUP_PARTS } from '../../../../shared/protocol/backup/partWords.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { addBuiltIns } from '../../../support/backup/aBackedUpFleet.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

export const PARTS = '/api/backup/parts';

export interface PartsScene {
  readonly test: TestApp;
  /** Stores of the backup. */
  readonly archived: Stores;
  /** The member group North. */
  readonly north: number;
  readonly backup: number;
  /** Calls the API as root, who may do everything, in the member group North. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as?: string): Promise<PartsAnswer>;
  /** The dry run, once it has ended. */
  plan(parts?: readonly string[], as?: string): Promise<PartsImport>;
  /** The import, once it has ended. */
  apply(plan: PartsImport, as?: string): Promise<PartsImport>;
}

interface PartsAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: PartsData;
}

/** What tests read of any of the answers. */
interface PartsData {
  readonly id: number;
  readonly token: string;
  readonly current: PartsImport | null;
}

export async function createPartsScene(
  engine: Engine = 'sqlite',
  env: Readonly<Record<string, string>> = {},
): Promise<PartsScene> {
  const test = await createTestApp(env, { engine });
  onTestFinished(() => test.close());
  const source = await openTestDatabase('sqlite');
  onTestFinished(() => source.close());
  const archived = createStores(source.db);
  test.backups.archived.stores = archived;
  await addBuiltIns(test.stores);
  // The same records have other numbers here.
  await test.stores.memberGroups.insert({ name: 'East' });
  await test.stores.deviceTree.add({ name: 'Ships', parent: undefined, among: [] }, undefined);
  const north = await test.stores.memberGroups.insert({ name: 'North', retentionDays: 30 });
  await test.addUser('root', ALL_PERMISSIONS, [north]);
  const cookies = new Map<string, string>();
  const cookieOf = async (name: string): Promise<string> => {
    const cookie = cookies.get(name) ?? (await test.signIn(name));
    cookies.set(name, cookie);
    return cookie;
  };
  const ask: PartsScene['ask'] = async (method, url, body, as = 'root') => {
    const headers = { cookie: await cookieOf(as) };
    const answer = await test.request({ method, url, headers, ...(body && { body }) });
    const { code, data } = answer.json();
    return { status: answer.statusCode, code, data };
  };
  const ended = async (as: string): Promise<PartsImport> => {
    for (;;) {
      const { current } = (await ask('GET', PARTS, undefined, as)).data;
      if (current === null) throw new Error('it was dropped');
      if (current.state !== 'running' && current.state !== 'importing') return current;
    }
  };
  const made = await ask('POST', '/api/backup/backups', { note: '' });
  await test.backups.idle();
  const backup: number = made.data.id;
  return {
    ...{ test, archived, north, backup, ask },
    plan: async (parts = BACKUP_PARTS, as = 'root') => {
      const { status, code } = await ask('POST', PARTS, { backup, key: '', parts }, as);
      expect([status, code]).toEqual([200, undefined]);
      return ended(as);
    },
    apply: async ({ id }, as = 'root') => {
      expect((await ask('POST', `${PARTS}/apply`, { id }, as)).status).toBe(200);
      return ended(as);
    },
  };
}

export function rowsOf({ rows }: PartsImport, record: PartRow['record']): readonly PartRow[] {
  return rows.filter((row) => row.record === record);
}

/** What refuses the rows, in short. */
export function refusals({ rows }: PartsImport): readonly string[] {
  return rows
    .filter(({ outcome }) => outcome === 'refused')
    .map(
      ({ record, name, faults }) =>
        `${record} ${name}: ${faults.map(({ field, code }) => `${field} ${code}`.trim()).join()}`,
    );
}

export function failures({ rows }: PartsImport): readonly string[] {
  return rows
    .filter(({ outcome, result }) => outcome !== 'refused' && result !== 'done')
    .map(({ record, name, result }) => `${record} ${name}: ${result}`);
}
