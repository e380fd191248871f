import { describe, expect, it } from 'vitest';
import { createChangeBus } from '../../../../../server/bus/changeBus.ts';
import type { StoredSyncRule } from '../../../../../server/store/sync/syncRules.ts';
import { createSyncRuleActs, type SyncRuleActsDeps } from '../../../../../server/sync/acts/rules.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { aSyncRule } from '../../../../support/sync/syncRecords.ts';

const ANN = { userId: 7, username: 'ann', permissions: ['datasync'], address: '', memberGroup: 4 };
const NOW = wallMs(1_000);

/** A member group with one device in one device group; its rule has version 3. */
function scene() {
  const stored: StoredSyncRule = {
    id: 1,
    memberGroup: 4,
    version: 3,
    content: aSyncRule(),
    changedAtMs: NOW,
    changedBy: 'ann',
  };
  const steps: string[] = [];
  const store: SyncRuleActsDeps['store'] = {
    find: async () => stored,
    insert: async (_, { content }) => ({ ok: true, value: { ...stored, content } }),
    update: async (_, { content }) => ({ ok: true, value: { before: stored, after: { ...stored, content } } }),
    remove: async ({ version }) => {
      if (version !== stored.version) return { ok: false, reason: 'conflict' };
      steps.push('removed');
      return { ok: true, value: stored };
    },
  };
  const acts = createSyncRuleActs({
    store,
    items: { dropPlanned: async (rule) => steps.push(`dropped what ${rule} has planned`) },
    reach: {
      deviceGroups: async (memberGroup) => (memberGroup === 4 ? [20] : []),
      devices: async (_memberGroup, ids) =>
        ids?.includes('BUS1') === true ? [{ deviceId: 'BUS1', incarnation: 1, name: 'Bus', plate: 'N-1' }] : [],
    },
    bus: createChangeBus(noFaults),
    now: () => NOW,
  });
  return { acts, steps, stored };
}

describe('what members do with rules of data sync', () => {
  it.each([
    [{ devices: ['BUS1'], deviceGroups: [20] }, undefined],
    [{ devices: ['BUS1', 'TRUCK1'] }, { devices: 'unknown' }],
    [{ deviceGroups: [20, 21] }, { deviceGroups: 'unknown' }],
    [
      { name: ' ', wifi: false, lan: false, mobile: false },
      { name: 'required', wifi: 'required' },
    ],
  ])('%j is checked against what the member group has', async (change, fields) => {
    const { acts } = scene();
    const answers = [
      await acts.add(ANN, aSyncRule(change)),
      await acts.change(ANN, { id: 1, version: 3 }, aSyncRule(change)),
    ];
    const expected = fields === undefined ? { ok: true } : { ok: false, reason: { kind: 'fields', fields } };
    for (const answer of answers) expect(answer).toMatchObject(expected);
  });

  it('keeps event types only of a rule for events', async () => {
    const { acts } = scene();
    const eventTypes = ['speeding'];
    const keptOf = async (choice: 'all' | 'events') => {
      const added = await acts.add(ANN, aSyncRule({ name: ' Nightly ', choice, eventTypes }));
      return added.ok ? added.value.content : undefined;
    };
    expect(await keptOf('all')).toMatchObject({ name: 'Nightly', eventTypes: [] });
    expect(await keptOf('events')).toMatchObject({ name: 'Nightly', eventTypes });
  });

  it('drops what a rule has planned before it is removed, and nothing where it stays', async () => {
    const { acts, steps, stored } = scene();
    expect(await acts.remove(ANN, { id: 1, version: 2 })).toEqual({
      ok: false,
      reason: { kind: 'conflict', current: stored },
    });
    expect(steps).toEqual([]);
    expect(await acts.remove(ANN, { id: 1, version: 3 })).toEqual({ ok: true, value: stored });
    expect(steps).toEqual(['dropped what 1 has planned', 'removed']);
  });
});
