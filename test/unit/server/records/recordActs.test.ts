import { describe, expect, it } from 'vitest';
import { createChangeBus, type RecordsChanged } from '../../../../server/bus/changeBus.ts';
import { createRecordActs, type RecordActsDeps, refusalOfFields } from '../../../../server/records/recordActs.ts';
import type { AuditNote } from '../../../../server/store/audit/audit.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';

interface Plan {
  readonly name: string;
  readonly megabytes: number;
}
interface PlanRow extends Plan {
  readonly id: number;
}

const ANN = { userId: 7, username: 'ann', permissions: [], address: '10.0.0.7', memberGroup: 4 };
const NOW = wallMs(1_000);
const ROW: PlanRow = { id: 1, name: 'Small', megabytes: 5 };

type Store = RecordActsDeps<Plan, PlanRow>['store'];

/** A store that has one record and does what it is asked, unless `store` says otherwise. */
function scene(store: Partial<Store> = {}) {
  const notes: AuditNote[] = [];
  const changed: Omit<RecordsChanged, 'id'>[] = [];
  const ids: (number | undefined)[] = [];
  const bus = createChangeBus(noFaults);
  bus.recordsChanged.subscribe('open pages', ({ id, ...message }) => {
    changed.push(message);
    ids.push(id);
  });
  const written = (note: AuditNote | undefined): void => {
    if (note !== undefined) notes.push(note);
  };
  const acts = createRecordActs<Plan, PlanRow, 'forbidden'>(
    {
      subject: 'simplan',
      kind: 'simplan',
      nameOf: ({ name }) => name,
      tidy: (plan) => ({ ...plan, name: plan.name.trim() }),
      check: async ({ name, megabytes }, { permissions }) =>
        megabytes > 1_000 && !permissions.includes('system')
          ? { kind: 'own', code: 'forbidden' }
          : refusalOfFields(name === '' ? { name: 'required' } : {}),
      auditFields: ({ name, megabytes }) => ({ name, megabytes }),
      uniqueField: 'name',
    },
    {
      store: {
        find: async () => ROW,
        insert: async (_, { content }, note) => {
          const value = { id: 2, ...content };
          written(note?.(value));
          return { ok: true, value };
        },
        update: async (_, { content }, note) => {
          const value = { before: ROW, after: { ...ROW, ...content } };
          written(note?.(value));
          return { ok: true, value };
        },
        remove: async (_, note) => {
          written(note?.(ROW));
          return { ok: true, value: ROW };
        },
        ...store,
      },
      now: () => NOW,
      bus,
    },
  );
  return { acts, notes, changed, ids };
}

const entry = { actor: 'ann', address: '10.0.0.7' };

describe('what members do with records', () => {
  it('is tidied, written down, and told to whoever works by it', async () => {
    const { acts, notes, changed } = scene();
    expect(await acts.add(ANN, { name: ' Large ', megabytes: 9 })).toEqual({
      ok: true,
      value: { id: 2, name: 'Large', megabytes: 9 },
    });
    expect(await acts.change(ANN, { id: 1, version: 1 }, { name: 'Small', megabytes: 6 })).toMatchObject({
      value: { megabytes: 6 },
    });
    expect(await acts.remove(ANN, { id: 1, version: 2 })).toEqual({ ok: true, value: ROW });
    expect(notes).toEqual([
      { at: NOW, entry: { ...entry, action: 'simplan.add', target: 'Large', after: { name: 'Large', megabytes: 9 } } },
      {
        at: NOW,
        entry: {
          ...{ ...entry, action: 'simplan.change', target: 'Small' },
          ...{ before: { megabytes: 5 }, after: { megabytes: 6 } },
        },
      },
      {
        at: NOW,
        entry: { ...entry, action: 'simplan.remove', target: 'Small', before: { name: 'Small', megabytes: 5 } },
      },
    ]);
    expect(changed).toEqual(Array(3).fill({ kinds: ['simplan'], memberGroup: 4 }));
  });

  it('is refused with a code for each field, and nobody is told', async () => {
    const { acts, notes, changed } = scene();
    const refused = { ok: false, reason: { kind: 'fields', fields: { name: 'required' } } };
    expect(await acts.add(ANN, { name: ' ', megabytes: 1 })).toEqual(refused);
    expect(await acts.change(ANN, { id: 1, version: 1 }, { name: '', megabytes: 1 })).toEqual(refused);
    expect([notes, changed]).toEqual([[], []]);
  });

  it('is told with the record, so that whoever works by it can find what was made from it', async () => {
    const { acts, ids } = scene();
    await acts.add(ANN, { name: 'Large', megabytes: 9 });
    await acts.change(ANN, { id: 1, version: 1 }, { name: 'Small', megabytes: 6 });
    await acts.remove(ANN, { id: 1, version: 2 });
    expect(ids).toEqual([2, 1, 1]);
  });

  it('is refused with a code of its own, by what the member may do', async () => {
    const { acts, notes } = scene();
    const huge = { name: 'Huge', megabytes: 2_000 };
    const refused = { ok: false, reason: { kind: 'own', code: 'forbidden' } };
    expect(await acts.add(ANN, huge)).toEqual(refused);
    expect(await acts.change(ANN, { id: 1, version: 1 }, huge)).toEqual(refused);
    expect(notes).toEqual([]);
    expect(await acts.add({ ...ANN, permissions: ['system'] }, huge)).toMatchObject({ ok: true });
  });

  it('is refused as gone before its fields are, where somebody else has removed the record', async () => {
    const { acts } = scene({ find: async () => undefined });
    expect(await acts.change(ANN, { id: 1, version: 1 }, { name: '', megabytes: 1 })).toEqual({
      ok: false,
      reason: { kind: 'gone' },
    });
  });

  it('is refused with the record as it is by now, where somebody else was first', async () => {
    const late = async () => ({ ok: false, reason: 'conflict' }) as const;
    const { acts, changed } = scene({ update: late, remove: late });
    const refused = { ok: false, reason: { kind: 'conflict', current: ROW } };
    expect(await acts.change(ANN, { id: 1, version: 1 }, { name: 'x', megabytes: 1 })).toEqual(refused);
    expect(await acts.remove(ANN, { id: 1, version: 1 })).toEqual(refused);
    expect(changed).toEqual([]);
  });

  it('is refused for the field whose value another record has', async () => {
    const taken = async () => ({ ok: false, reason: 'taken' }) as const;
    const { acts } = scene({ insert: taken, update: taken });
    const refused = { ok: false, reason: { kind: 'taken', field: 'name' } };
    expect(await acts.add(ANN, { name: 'x', megabytes: 1 })).toEqual(refused);
    expect(await acts.change(ANN, { id: 1, version: 1 }, { name: 'x', megabytes: 1 })).toEqual(refused);
  });

  it('is refused beyond the limit of the group', async () => {
    const { acts } = scene({ insert: async () => ({ ok: false, reason: 'too-many' }) });
    expect(await acts.add(ANN, { name: 'x', megabytes: 1 })).toEqual({ ok: false, reason: { kind: 'too-many' } });
  });
});
