import { describe, expect, it } from 'vitest';
import { createEventTypeActs } from '../../../../server/events/acts/types.ts';
import { anyEventType } from '../../../support/anyEventType.ts';
import { createActScene } from './actScene.ts';

describe('acts on event types', () => {
  it('write a change and its entry in the audit log together, and tell of it then', async () => {
    const scene = await createActScene();
    const { stores, ann, told } = scene;
    const acts = createEventTypeActs({ store: stores.eventTypes, ...scene.deps });
    const added = await acts.add(ann, anyEventType({ snapshotChannels: [3, 1] }));
    if (!added.ok) expect.fail(added.reason.kind);
    expect(added.value.snapshotChannels).toEqual([1, 3]);
    const { code } = added.value;
    const reset = await acts.reset(ann, { code: 'speeding', version: 1 });
    expect(reset).toMatchObject({ ok: true, value: { code: 'speeding', version: 2 } });
    expect(told).toEqual(Array(2).fill(['eventtype', ann.memberGroup]));
    const entries = [
      ['eventtype.add', 'Ramp down', 'ann', '10.0.0.7'],
      ['eventtype.reset', 'Speeding', 'ann', '10.0.0.7'],
    ];
    expect(await scene.audit()).toEqual(entries);
    scene.breakAudit();
    const now = { code, version: 1 };
    await expect(acts.change(ann, now, anyEventType({ nameEn: 'Other' }))).rejects.toThrow('no audit');
    await expect(acts.remove(ann, now)).rejects.toThrow('no audit');
    expect(await stores.eventTypes.find(code)).toEqual(added.value);
    expect(await scene.audit()).toEqual(entries);
    expect(told).toHaveLength(2);
  });
});
