import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FencedVisit } from '../../../../server/store/fences/fenceMovements.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { fenceContent } from '../../../support/fences.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('where devices are to geofences', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  let incarnation: number;
  let fence: number;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    memberGroup = await stores.memberGroups.insert({ name: 'Night' });
    ({ incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1 }));
    fence = await addFence();
  });
  afterEach(() => database.close());

  const addFence = async (): Promise<number> => {
    const { name, enabled, ...content } = fenceContent();
    const row = await database.db
      .insertInto('fence')
      .values({
        member_group: memberGroup,
        name,
        name_key: name.toLowerCase(),
        kind: 0,
        enabled: enabled ? 1 : 0,
        content: JSON.stringify(content),
        changed_at_ms: 1,
        changed_by: 'ann',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const visit = (fromMs: number): FencedVisit => ({
    fence,
    fenceName: 'Depot',
    memberGroup,
    incarnation,
    fromMs,
    clockOffsetMs: 5,
  });
  const visits = async () => {
    const rows = await database.db.selectFrom('fence_visit').selectAll().orderBy('from_ms').execute();
    return rows.map((row) => [row.from_ms, row.to_ms]);
  };

  it('is read back as it was written last', async () => {
    const state = { kind: 'state', fence, incarnation, isInside: true, sinceMs: 20, deviceSinceMs: 15 } as const;
    await stores.fenceMovements.write([{ ...state, sinceMs: 1 }, state]);
    const { kind: _, ...stored } = state;
    expect(await stores.fenceMovements.states()).toEqual([stored]);
    await stores.fenceMovements.write([{ kind: 'forget', fence, incarnation }]);
    expect(await stores.fenceMovements.states()).toEqual([]);
  });

  it('is left out of fences and devices that are gone, and goes with its fence', async () => {
    const state = { kind: 'state', fence, incarnation, isInside: true, sinceMs: 20, deviceSinceMs: 15 } as const;
    await stores.fenceMovements.write([
      { ...state, fence: fence + 1 },
      { ...state, incarnation: incarnation + 1 },
      { kind: 'open', ...visit(1), incarnation: incarnation + 1 },
      state,
    ]);
    expect(await stores.fenceMovements.states()).toHaveLength(1);
    expect(await visits()).toEqual([]);
    await database.db.deleteFrom('fence').execute();
    expect(await stores.fenceMovements.states()).toEqual([]);
  });

  it('makes visits that open and close', async () => {
    await stores.fenceMovements.write([{ kind: 'open', ...visit(10) }]);
    expect(await visits()).toEqual([[10, 0]]);
    await stores.fenceMovements.write([
      { kind: 'began', fence, incarnation, fromMs: 5 },
      { kind: 'close', fence, incarnation, toMs: 20 },
      { kind: 'open', ...visit(30) },
    ]);
    expect(await visits()).toEqual([
      [5, 20],
      [30, 0],
    ]);
  });

  it('makes whole visits once, however often they are told', async () => {
    const whole = { kind: 'visit', ...visit(10), toMs: 20 } as const;
    await stores.fenceMovements.write([whole, whole]);
    await stores.fenceMovements.write([whole]);
    expect(await visits()).toEqual([[10, 20]]);
    await stores.fenceMovements.write([{ kind: 'open', ...visit(10) }]);
    expect(await visits()).toEqual([[10, 0]]);
  });

  it('ends what was under way earlier, where late positions say so', async () => {
    await stores.fenceMovements.write([
      { kind: 'open', ...visit(10) },
      { kind: 'ended', ...visit(12), toMs: 20 },
    ]);
    expect(await visits()).toEqual([[10, 20]]);
    await stores.fenceMovements.write([{ kind: 'ended', ...visit(30), toMs: 40 }]);
    expect(await visits()).toEqual([
      [10, 20],
      [30, 40],
    ]);
  });

  it('is deleted with a device that is gone, which is forgotten then', async () => {
    await stores.fenceMovements.write([
      { kind: 'state', fence, incarnation, isInside: true, sinceMs: 20, deviceSinceMs: 15 },
      { kind: 'open', ...visit(10) },
    ]);
    await stores.devices.remove('BUS1');
    expect(await stores.reportRemoval.forgetEnded(Number.MAX_SAFE_INTEGER, 10)).toBe(0);
    await stores.reportRemoval.removeTraces(incarnation, 10);
    expect(await stores.reportRemoval.forgetEnded(Number.MAX_SAFE_INTEGER, 10)).toBe(1);
    expect([await visits(), await stores.fenceMovements.states()]).toEqual([[], []]);
  });

  it('is asked of all fences and devices, with what they contain', async () => {
    const [stored] = await stores.fences.all();
    expect(stored).toMatchObject({ id: fence, memberGroup, version: 1, content: fenceContent() });
    const { devices } = await stores.fencePlaces.places();
    expect(devices).toMatchObject([{ deviceId: 'BUS1', name: 'Bus 1', incarnation, deviceGroup: undefined }]);
  });
});
