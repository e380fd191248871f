import { describe, expect, it } from 'vitest';
import { createEventReasonActs } from '../../../../server/events/acts/reasons.ts';
import { anyReason } from '../../../support/anyEventType.ts';
import { createActScene } from './actScene.ts';

describe('acts on closing reasons', () => {
  it('write a change and its entry in the audit log together, and tell of it then', async () => {
    const scene = await createActScene();
    const { stores, ann, told } = scene;
    const acts = createEventReasonActs({ store: stores.eventReasons, ...scene.deps });
    const added = await acts.add(ann, anyReason({ nameEn: ' Wash bay ' }));
    if (!added.ok) expect.fail(added.reason.kind);
    const changed = await acts.change(ann, added.value, anyReason({ nameEn: 'Wash' }));
    expect(changed).toMatchObject({ ok: true, value: { id: added.value.id, nameEn: 'Wash', version: 2 } });
    expect(told).toEqual(Array(2).fill(['eventtype', ann.memberGroup]));
    const entries = [
      ['eventreason.add', 'Wash bay', 'ann', '10.0.0.7'],
      ['eventreason.change', 'Wash bay', 'ann', '10.0.0.7'],
    ];
    expect(await scene.audit()).toEqual(entries);
    scene.breakAudit();
    const now = { id: added.value.id, version: 2 };
    await expect(acts.add(ann, anyReason({ nameEn: 'Other' }))).rejects.toThrow('no audit');
    await expect(acts.change(ann, now, anyReason({ nameEn: 'Other' }))).rejects.toThrow('no audit');
    await expect(acts.remove(ann, now)).rejects.toThrow('no audit');
    expect(await stores.eventReasons.find(added.value.id)).toMatchObject({ nameEn: 'Wash', version: 2 });
    expect(await scene.audit()).toEqual(entries);
    expect(told).toHaveLength(2);
  });

  it('refuse what is wrong, and tell nobody', async () => {
    const { stores, ann, told, deps } = await createActScene();
    const acts = createEventReasonActs({ store: stores.eventReasons, ...deps });
    const [first] = await stores.eventReasons.all();
    const { id, version } = first ?? expect.fail('no reason');
    const taken = { kind: 'taken', field: 'nameEn' };
    expect(await acts.add(ann, anyReason({ nameEn: 'Ｔest' }))).toEqual({ ok: false, reason: taken });
    expect(await acts.change(ann, { id, version: 9 }, anyReason())).toEqual({
      ok: false,
      reason: { kind: 'conflict', current: first },
    });
    expect(await acts.change(ann, { id: 999_999, version }, anyReason())).toMatchObject({ reason: { kind: 'gone' } });
    expect(await acts.remove(ann, { id, version })).toEqual({ ok: false, reason: { kind: 'own', code: 'built-in' } });
    expect(told).toEqual([]);
  });
});
