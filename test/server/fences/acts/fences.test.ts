import { describe, expect, it } from 'vitest';
import { createFenceActs } from '../../../../server/fences/acts/fences.ts';
import { aFenceContent } from '../../../support/aFence.ts';
import { createActScene } from '../../events/acts/actScene.ts';

describe('acts on geofences', () => {
  it('write a change and its entry in the audit log together, and tell of it then', async () => {
    const scene = await createActScene();
    const { stores, ann, told } = scene;
    const acts = createFenceActs({ store: stores.fences, reach: stores.fenceReach, ...scene.deps });
    const lists: string[] = [];
    scene.deps.bus.listChanged.subscribe('open pages', ({ list }) => void lists.push(list));
    const added = await acts.add(ann, aFenceContent({ name: ' Depot ' }));
    if (!added.ok) expect.fail(added.reason.kind);
    const { id } = added.value;
    const work = { added: [aFenceContent({ name: 'Yard' })], changed: [] };
    expect(await acts.importMany(ann, work, { target: 'a file' })).toBe(true);
    expect(told).toEqual(Array(2).fill(['fence', ann.memberGroup]));
    expect(lists).toEqual(['fences', 'fences']);
    const entries = [
      ['fence.add', 'Depot', 'ann', '10.0.0.7'],
      ['fence.import', 'a file', 'ann', '10.0.0.7'],
    ];
    expect(await scene.audit()).toEqual(entries);
    scene.breakAudit();
    await expect(acts.remove(ann, { id, version: 1 })).rejects.toThrow('no audit');
    expect((await stores.fences.ofGroup(ann.memberGroup)).map(({ content }) => content.name)).toEqual([
      'Depot',
      'Yard',
    ]);
    expect(await scene.audit()).toEqual(entries);
    expect(told).toHaveLength(2);
  });

  it('refuse what the member group does not have, and what somebody else has changed or deleted', async () => {
    const { stores, ann, told, deps } = await createActScene();
    const acts = createFenceActs({ store: stores.fences, reach: stores.fenceReach, ...deps });
    const unknown = { kind: 'fields', fields: { devices: 'unknown' } };
    expect(await acts.add(ann, aFenceContent({ devices: ['TRUCK1'] }))).toEqual({ ok: false, reason: unknown });
    const change = { content: aFenceContent(), by: 'bob', atMs: 1 };
    const found = await stores.fences.insert(ann.memberGroup, change);
    const { id } = found.ok ? found.value : expect.fail(found.reason);
    const old = await acts.change(ann, { id, version: 7 }, aFenceContent());
    expect(old).toMatchObject({ ok: false, reason: { kind: 'conflict', current: { id, version: 1 } } });
    const other = { ...ann, memberGroup: ann.memberGroup + 1 };
    expect(await acts.remove(other, { id, version: 1 })).toEqual({ ok: false, reason: { kind: 'gone' } });
    expect(await acts.importMany(ann, { added: [], changed: [{ id, version: 7, content: aFenceContent() }] }, {})).toBe(
      false,
    );
    expect(told).toEqual([]);
  });
});
