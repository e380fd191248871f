import { expect, test } from 'vitest';
import { getUsedToday } from '../../../../shared/api/netflow/usedToday.ts';
import { NETFLOW_USE_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { fakeGateway } from '../../../support/fakes/fakeGateway.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['UTC', Date.UTC(2026, 9, 25, 10), Date.UTC(2026, 9, 25), 24],
  // Hours are counted on the gateway's clock: that in which the day begins there starts at half past.
  ['Asia/Kolkata', Date.UTC(2026, 9, 25, 10), Date.UTC(2026, 9, 24, 18), 24.5],
  // The clocks are put back on this day.
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 10), Date.UTC(2026, 9, 24, 22), 25],
] as const)(
  'what was used today in %s is that of all hours which the day touches',
  async (timeZone, nowMs, fromMs, hours) => {
    const gateway = fakeGateway();
    gateway.on(`GET ${NETFLOW_USE_PATH}`, {
      error: false,
      data: { steps: [{ fromMs, kinds: [1, 2] }], top: [] },
    });
    expect(await getUsedToday({ deviceId: 'BUS1', timeZone, nowMs })).toEqual({ ok: true, value: 3 });
    const [asked] = gateway.callsOf(NETFLOW_USE_PATH);
    expect(Number(asked?.query.get('fromMs'))).toBe(fromMs);
    expect(Number(asked?.query.get('toMs'))).toBe(fromMs + hours * HOUR_MS);
  },
);
