// How the limits on importing parts of a backup are reached.
import { expect, onTestFinished } from 'vitest';
import type { ArchivedStores } from '../../../../server/backup/parts/archivedStores.ts';
import {
  PART_ROWS_LIMIT,
  PART_ROWS_SHOWN_LIMIT,
  PartsImports,
} from '../../../../server/http/backup/parts/partsImports.ts';
import { planFromArchive } from '../../../../server/http/backup/parts/planFromArchive.ts';
import type { PlannedRow } from '../../../../server/http/backup/parts/planParts.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const OPTIONS = { signal: new AbortController().signal, onProgress: () => undefined };
const CALLER = { user: { id: 1, username: 'root', permissions: [], role: undefined }, groups: [], group: undefined };
const ARCHIVE = { backup: { file: '', encryption: 'none', sealedKey: '' }, key: '' } as const;

function templates(count: number): Pick<Stores, 'notifyTemplates' | 'memberGroups'> {
  const texts = { en: { subject: '', body: 'x' } };
  const all = Array.from({ length: count }, (_, id) => ({ id, version: 1, name: `t${id}`, kind: 'sms', texts }));
  // What is refused is not even read.
  const read = async () => (count > PART_ROWS_LIMIT.max ? Promise.reject(new Error('it was read')) : all);
  return { notifyTemplates: { all: read }, memberGroups: { list: async () => [] } } as never;
}

const rows: LimitCase = {
  limit: PART_ROWS_LIMIT,
  open: async (onLimit) => {
    const database = await openTestDatabase('sqlite');
    onTestFinished(() => database.close());
    const plan = (count: number) => {
      const archives = {
        read: async (_archive: unknown, _options: unknown, read: Parameters<ArchivedStores['read']>[2]) => ({
          ok: true,
          value: await read(templates(count) as Stores, (table) => (table === 'notify_template' ? count : 0)),
        }),
      };
      const deps = { backups: { archives }, serverInfo: { maxDevices: async () => 0 }, onLimit };
      const request = { archive: ARCHIVE, parts: ['templates'], caller: CALLER } as never;
      return planFromArchive(request, { ...deps, stores: createStores(database.db) } as never, OPTIONS);
    };
    return {
      upTo: async () =>
        expect(await plan(PART_ROWS_LIMIT.max)).toMatchObject({
          ok: true,
          planned: { counts: { added: PART_ROWS_LIMIT.max } },
        }),
      beyond: async () => expect(await plan(PART_ROWS_LIMIT.max + 1)).toEqual({ ok: false, fault: 'too-many-rows' }),
    };
  },
};

const rowsShown: LimitCase = {
  limit: PART_ROWS_SHOWN_LIMIT,
  open: (onLimit) => {
    const imports = new PartsImports({ onChanged: () => undefined, onLimit, onFault: noFaults });
    const show = async (count: number) => {
      const row = { row: { record: 'fence', name: 'x', outcome: 'added', changes: [], faults: [] } };
      const planned = {
        rows: Array.from({ length: count }, () => ({ ...row }) as unknown as PlannedRow),
        counts: { added: count, changed: 0, unchanged: 0, refused: 0 },
      };
      expect(imports.begin({ owner: 1, backup: 1, parts: ['fences'] }, async () => ({ ok: true, planned }))).toBe(true);
      // Waits for the dry run, and ends nothing that has ended.
      await imports.close();
      const shown = imports.show(1);
      return [shown?.state, shown?.rows.length, shown?.rowsLeftOut];
    };
    const { max } = PART_ROWS_SHOWN_LIMIT;
    return {
      upTo: async () => expect(await show(max)).toEqual(['ready', max, 0]),
      beyond: async () => expect(await show(max + 1)).toEqual(['ready', max, 1]),
    };
  },
};

describeLimits('Importing parts of backups', [rows, rowsShown]);
