import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  loadAlarmLimits,
  loadEventRules,
  loadRuleGroups,
  previewEventRule,
  readEventRule,
} from '../../../../shared/api/eventConfig.ts';

const RULE = {
  type: 'speeding',
  category: 'safety',
  hasRule: true,
  isReported: true,
  hasPreview: true,
  version: 3,
  own: { threshold: 90, recordChannels: [1, 2] },
  values: { enabled: true, severity: 'critical', threshold: 90, mergeSeconds: 60 },
  origins: { threshold: { kind: 'group', name: 'North', group: 1 } },
  inherited: { enabled: true, severity: 'major', threshold: 100 },
};

/** What a gateway that has gone astray may answer in place of anything. */
const NONSENSE = [undefined, null, 7, 'x', true, [], {}].map((data) => ({ data }));

/** What a call makes of an answer with this in it. */
async function reading<Value>(data: unknown, call: () => Promise<{ ok: true; value: Value } | { ok: false }>) {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ error: false, data })));
  vi.stubGlobal('window', { location: { search: '' } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const result = await call();
  return result.ok ? result.value : expect.fail('the call failed');
}

const rulesIn = (data: unknown) => reading(data, () => loadEventRules({ scope: 'installation' }));
const limitsIn = (data: unknown) => reading(data, () => loadAlarmLimits('BUS1'));
const previewIn = (data: unknown) =>
  reading(data, () => previewEventRule({ scope: 'installation', type: 'speeding', settings: {}, device: 'BUS1' }));

describe('rules that are answered', () => {
  it.each(NONSENSE)('in place of a list, $data, are none', async ({ data }) => {
    expect(await rulesIn(data)).toEqual([]);
  });

  it('are those of the list that are rules', async () => {
    const rows = await rulesIn([RULE, null, 'speeding', 7, [RULE]]);
    expect(rows.map(({ type, version }) => [type, version])).toEqual([['speeding', 3]]);
  });

  it.each(NONSENSE)('have all that a page shows, whatever stands for it: $data', ({ data: odd }) => {
    const broken = Object.fromEntries(Object.keys(RULE).map((field) => [field, odd]));
    const { own, values, origins, ...rule } = readEventRule(broken);
    expect(rule).toMatchObject({ category: 'device', hasRule: odd === true, hasPreview: odd === true });
    expect(typeof rule.type).toBe('string');
    expect(rule.version).toBeGreaterThanOrEqual(0);
    expect(own).toEqual({});
    expect(values).toMatchObject({ enabled: false, threshold: null, schedule: [], recordChannels: [], driverText: '' });
    expect(origins.threshold).toEqual({ kind: 'default', name: '', group: 0 });
  });

  it('keep of their own settings those that are some, and nothing that no setting is called', () => {
    const own = {
      threshold: 'fast',
      severity: 'worst',
      recordChannels: [1, 'two'],
      popUp: 1,
      enabled: false,
      extra: 1,
    };
    expect(readEventRule({ ...RULE, own }).own).toEqual({ recordChannels: [1], enabled: false });
  });

  it('have numbers within the bounds that the gateway itself would keep to', () => {
    const values = { ...RULE.values, mergeSeconds: -1, recordSeconds: 1e9, eventsAnHour: 1.5, recordChannels: [0, 33] };
    expect(readEventRule({ ...RULE, version: -4, values })).toMatchObject({
      version: 0,
      values: { mergeSeconds: 0, recordSeconds: 3_600, eventsAnHour: 1 },
    });
  });

  it('come from an unknown place as if they were defaults', () => {
    const origins = { threshold: { kind: 'fleet', name: 7, group: '1' } };
    expect(readEventRule({ ...RULE, origins }).origins.threshold).toEqual({ kind: 'default', name: '', group: 0 });
  });
});

describe('groups that are answered', () => {
  it('are those that are some; one without a group above it is at the top', async () => {
    const data = [{ id: 1, name: 'North', parent: 'x' }, 7, null, { id: 2, name: 3, parent: 1 }];
    expect(await reading(data, () => loadRuleGroups())).toEqual([
      { id: 1, name: 'North', parent: null },
      { id: 2, name: '', parent: 1 },
    ]);
  });
});

describe('a preview that is answered', () => {
  it.each(NONSENSE)('in place of one, $data, says nothing happened', async ({ data }) => {
    expect(await previewIn(data)).toEqual({ events: 0, eventsNow: 0, positions: 0, isPartial: false, begins: [] });
  });

  it('has only times that are some', async () => {
    const data = { events: 2, eventsNow: -1, positions: 3.7, isPartial: 'yes', begins: [5, '6', null] };
    expect(await previewIn(data)).toEqual({ events: 2, eventsNow: 0, positions: 3, isPartial: false, begins: [5] });
  });
});

describe('limits that are answered', () => {
  it.each(NONSENSE)('in place of some, $data, were never written', async ({ data }) => {
    expect(await limitsIn(data)).toEqual({
      ...{ deviceid: '', isOnline: false, state: 'none', version: 0, by: '', wanted: null, reported: null },
      ...{ writtenAtMs: 0, reportedAtMs: 0 },
    });
  });

  it('are left out where they are none, and stay within what terminals take', async () => {
    const wanted = { maxSpeedKmh: 900, restSeconds: 'long', maskedAlarms: -1, extra: 1 };
    const limits = await limitsIn({ deviceid: 'BUS1', state: 'lost', wanted, reported: 'none' });
    expect(limits).toMatchObject({ state: 'none', wanted: { maxSpeedKmh: 250, maskedAlarms: 0 }, reported: null });
    expect(Object.keys(limits.wanted ?? {})).toEqual(['maskedAlarms', 'maxSpeedKmh']);
  });
});
