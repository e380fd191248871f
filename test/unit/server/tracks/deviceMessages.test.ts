import { describe, expect, it } from 'vitest';
import type { MessageReport } from '../../../../server/device/reportFeed.ts';
import { DeviceMessages } from '../../../../server/tracks/deviceMessages.ts';

const NOW_MS = Date.UTC(2026, 10, 25, 8);
const DEVICE = { deviceId: 'BUS', incarnation: 7, archiveNumber: 1 };
const AHEAD_MS = 60_000;

function scene(mayReport = true) {
  const kept: unknown[] = [];
  const messages = new DeviceMessages({
    driverSessions: {
      cardIn: async (card: unknown) => void kept.push(card),
      cardOut: async (incarnation: number, atMs: number) => {
        if (incarnation === 9) throw new Error('the disk is full');
        kept.push({ out: incarnation, atMs });
      },
    } as never,
    passengerCounts: { add: async (count: unknown) => void kept.push(count) } as never,
    // The device's clock is ahead.
    gatewayTime: async (_device, deviceMs) => deviceMs - AHEAD_MS,
    mayReport: () => mayReport,
  });
  const handle = (body: object, device = DEVICE) =>
    messages.handle({ kind: 'message', device, body, receivedAtMs: NOW_MS } as unknown as MessageReport);
  return { kept, handle };
}

const CARD = { name: 'Ann', licence: 'A1', issuer: 'Office', validUntil: '2030-01-01' };

describe('cards and passengers', () => {
  it('are kept by the clock of the gateway, one after the other', async () => {
    const { kept, handle } = scene();
    await Promise.all([
      handle({ kind: 'driverIdentity', status: 1, time: NOW_MS, readResult: 0, card: CARD }),
      handle({ kind: 'driverIdentity', status: 2, time: NOW_MS + 30_000 }),
      handle({ kind: 'passengerFlow', start: NOW_MS - 60_000, end: NOW_MS, boarded: 3, alighted: 1 }),
    ]);
    expect(kept).toEqual([
      { incarnation: 7, atMs: NOW_MS - AHEAD_MS, ...CARD, readResult: 0 },
      { out: 7, atMs: NOW_MS - 30_000 },
      { incarnation: 7, fromMs: NOW_MS - 120_000, toMs: NOW_MS - AHEAD_MS, boarded: 3, alighted: 1 },
    ]);
  });

  it('have the time of arrival where the device has no time, or none that can be believed', async () => {
    const { kept, handle } = scene();
    await handle({ kind: 'driverIdentity', status: 2, time: undefined });
    await handle({ kind: 'driverIdentity', status: 2, time: Date.UTC(2099, 0, 1) });
    await handle({ kind: 'driverIdentity', status: 2, time: Date.UTC(1970, 0, 1) });
    expect(kept).toEqual(Array.from({ length: 3 }, () => ({ out: 7, atMs: NOW_MS })));
  });

  it('are not kept where they say nothing: another message, an unknown state, a span that ends before it begins', async () => {
    const { kept, handle } = scene();
    expect(handle({ kind: 'mediaEvent' })).toBeUndefined();
    await handle({ kind: 'driverIdentity', status: 3, time: NOW_MS });
    await handle({ kind: 'passengerFlow', start: NOW_MS, end: NOW_MS - 1, boarded: 3, alighted: 1 });
    expect(kept).toEqual([]);
  });

  it('are not kept of a terminal that sends too many', () => {
    const { handle } = scene(false);
    expect(handle({ kind: 'driverIdentity', status: 2, time: NOW_MS })).toBeUndefined();
  });

  it('have texts of bounded length, and none where the card could not be read', async () => {
    const { kept, handle } = scene();
    const card = { ...CARD, name: 'A'.repeat(1_000) };
    await handle({ kind: 'driverIdentity', status: 1, time: NOW_MS, readResult: 0, card });
    await handle({ kind: 'driverIdentity', status: 1, time: NOW_MS, readResult: 2 });
    expect(kept).toMatchObject([
      { name: 'A'.repeat(255), licence: 'A1' },
      { name: '', licence: '', issuer: '', validUntil: '', readResult: 2 },
    ]);
  });

  it('that could not be kept are refused to the terminal, and hold up no later ones', async () => {
    const { kept, handle } = scene();
    const device = { ...DEVICE, incarnation: 9 };
    const failed = handle({ kind: 'driverIdentity', status: 2, time: NOW_MS }, device);
    const next = handle({ kind: 'driverIdentity', status: 1, time: NOW_MS, card: CARD }, device);
    await expect(failed).rejects.toThrow('the disk is full');
    await next;
    expect(kept).toMatchObject([{ incarnation: 9, name: 'Ann' }]);
  });
});
