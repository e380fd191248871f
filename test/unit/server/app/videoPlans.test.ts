// What a data plan that is used up leaves of a device's video, as streams and pages are told.
import { describe, expect, it } from 'vitest';
import { createDeviceDirectory, withinPlan } from '../../../../server/app/video.ts';
import type { PlanGate } from '../../../../server/device/usage/planGate.ts';
import { streamAnswer } from '../../../../server/netflow/rules/planAnswers.ts';
import { PLAN_REFUSALS } from '../../../../server/netflow/rules/planRefusals.ts';
import { PLAN_ACTIONS, type PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';

const plansThat = (action: PlanAction): Pick<PlanGate, 'mayStream'> => ({
  mayStream: (_, quality, purpose) => streamAnswer(action, quality, purpose),
});

describe('a stream that a link may see (S-2.4.9)', () => {
  const ACCESS = { ok: true, session: 'session', archiveId: 'archive' } as never;

  it.each([
    ['sub-stream', 'live', 'main', 'plan-sub-stream'],
    ['sub-stream', 'live', 'sub', undefined],
    ['sub-stream', 'remote', 'any', undefined],
    ['events-only', 'live', 'sub', 'plan-events-only'],
    ['no-video', 'live', 'sub', 'plan-no-video'],
    ['no-video', 'remote', 'any', 'plan-no-video'],
    ['no-video', 'playback', 'any', undefined],
    ['no-transfers', 'live', 'main', undefined],
    ['none', 'live', 'main', undefined],
  ] as const)('under a plan with "%s": %s in quality %s is answered with %s', (action, kind, quality, code) => {
    const answer = withinPlan(ACCESS, { deviceId: 'BUS1', kind, quality }, plansThat(action));
    if (code === undefined) expect(answer).toBe(ACCESS);
    else expect(answer).toEqual({ ok: false, ...PLAN_REFUSALS[code] });
  });
});

describe('the description of a device (S-2.4.9)', () => {
  const EXPECTED: Readonly<Record<PlanAction, string>> = {
    none: 'all',
    'sub-stream': 'sub',
    'events-only': 'none',
    'no-video': 'none',
    'no-transfers': 'all',
  };

  const fleet = {
    registry: { facts: () => ({}), videoLost: () => 0, presence: () => undefined },
    board: { seenAtMs: () => 7_000 },
  };

  it.each(PLAN_ACTIONS)('says what a plan with "%s" leaves of its video', async (action) => {
    const stores = { devices: { findByDeviceId: async () => newDeviceRecord('BUS1') } };
    const directory = createDeviceDirectory(stores as never, { ...fleet, plans: plansThat(action) });
    expect((await directory.describe('BUS1'))?.planVideo).toBe(EXPECTED[action]);
  });

  it('says how the device is called, and since when it is away', async () => {
    const record = newDeviceRecord('BUS1', { name: 'Bus 12', plate: 'ABC-123' });
    const stores = { devices: { findByDeviceId: async () => record } };
    const directory = createDeviceDirectory(stores as never, { ...fleet, plans: plansThat('no-video') });
    const away = { name: 'Bus 12', plate: 'ABC-123', online: false, seenAtMs: 7_000 };
    expect(await directory.describe('BUS1')).toMatchObject(away);
  });
});
