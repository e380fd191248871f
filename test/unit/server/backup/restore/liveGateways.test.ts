import { expect, it } from 'vitest';
import { liveGateways } from '../../../../../server/backup/restore/liveGateways.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

const NOW_MS = 1_795_000_000_000;
const HOUR_MS = 3_600_000;

it('counts gateways that have just given a sign of life, by clocks that differ, and none that a wrong clock has left', async () => {
  const seen = Object.entries({ own: 0, lively: -80_000, silent: -90_000, ahead: HOUR_MS / 2, left: HOUR_MS });
  const rows = seen.map(([id, agoMs]) => ({ id, seenAtMs: wallMs(NOW_MS + agoMs) }));
  const list = async () =>
    rows.map((row) => ({ ...row, host: `${row.id}.example`, version: '1', startedAtMs: wallMs(1) }));
  const live = await liveGateways({ list }, { nowMs: NOW_MS, except: 'own' });
  expect(live).toEqual(['lively.example', 'ahead.example']);
});
