import { expect, it } from 'vitest';
import { iccidOf, keepAttributes } from '../../../../server/device/keptAttributes.ts';
import type { Report } from '../../../../server/device/reportFeed.ts';
import type { StoredAttributes } from '../../../../server/store/devices/terminalAttributes.ts';

it('keeps what a terminal says of itself under its incarnation, and nothing else', async () => {
  const kept: [number, StoredAttributes][] = [];
  const listener = keepAttributes({ keep: async (...row) => void kept.push(row) });
  const device = { deviceId: 'BUS1', incarnation: 7, archiveNumber: 1 };
  const attributes = {
    layout: '5/20/7',
    terminalType: 1,
    manufacturer: 'FLGLS',
    model: 'Simulator',
    terminalId: '0000001',
    iccid: '8986000000000000001F',
    hardwareVersion: 'S1',
    firmwareVersion: '1.0',
    gnss: 3,
    communication: 32,
  } as const;
  const report: Report = { kind: 'attributes', device, attributes, receivedAtMs: 5 };
  await listener(report);
  await listener({ kind: 'presence', device, isOnline: true, atMs: 6 });
  expect(kept).toEqual([
    [
      7,
      {
        manufacturer: 'FLGLS',
        model: 'Simulator',
        terminalId: '0000001',
        iccid: '8986000000000000001',
        hardwareVersion: 'S1',
        firmwareVersion: '1.0',
        reportedAtMs: 5,
      },
    ],
  ]);
});

it.each([
  ['00000000000000000000', ''],
  ['ffffffffffffffffffff', ''],
  ['89860000000000000001', '89860000000000000001'],
  ['898600000000000000AF', '898600000000000000a'],
])('reads the ICCID %s as "%s"', (digits, iccid) => {
  expect(iccidOf(digits)).toBe(iccid);
});
