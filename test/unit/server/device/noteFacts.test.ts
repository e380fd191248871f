import { describe, expect, it } from 'vitest';
import { askAttributes } from '../../../../server/device/noteFacts.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { type Report, ReportFeed } from '../../../../server/device/reportFeed.ts';
import type { TerminalSession } from '../../../../server/device/terminalSession.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';

const DEVICE = { deviceId: 'BUS1', incarnation: 7, archiveNumber: 1 };

function ask(result: object) {
  const registry = new DeviceRegistry(() => 0);
  const feed = new ReportFeed(noFaults);
  const told: Report[] = [];
  feed.subscribe('events', (report) => void told.push(report));
  const session = { ...DEVICE, query: async () => result } as unknown as TerminalSession;
  const done = askAttributes(session, { registry, feed, now: () => 9 });
  return done.then(() => ({ told, known: registry.facts('BUS1').attributes }));
}

describe('a terminal that is asked once more what it is', () => {
  it('is known by its answer, and everybody hears of it', async () => {
    const answer = { model: 'MDVR-8', firmwareVersion: 'V2' };
    const { told, known } = await ask({ ok: true, answer });
    expect(told).toEqual([{ kind: 'attributes', device: DEVICE, attributes: answer, receivedAtMs: 9 }]);
    expect(known).toBe(answer);
  });

  it('stays what it was without one', async () => {
    expect(await ask({ ok: false, reason: 'timeout' })).toEqual({ told: [], known: undefined });
  });
});
