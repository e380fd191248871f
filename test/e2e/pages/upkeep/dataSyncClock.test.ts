// Data sync of devices whose clock is far off: what they upload by their own time is kept, shown and played at the gateway's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemoClip } from '../../../../server/demo/clip/loadClip.ts';
import type { TerminalQuirks } from '../../../../server/demo/quirks.ts';
import type { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import { GeneralResult } from '../../../../server/device/jt808/codec/codes.ts';
import { SYNC_RULES_PATH, type SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { startOwnVehicle } from '../tracks/simulatedVehicle.ts';
import { startTrackScene, type TrackScene, type Vehicle } from '../tracks/trackScene.ts';
import {
  FETCH_DEADLINE_MS,
  isOver,
  itemsWhen,
  msOnServer,
  openCalendar,
  openSpan,
  ruleFor,
  showSecond,
  wholeOf,
} from './dataSyncScene.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const CARD_MINUTES = 20;

interface Bus extends Vehicle {
  readonly method: SyncItem['method'];
  readonly quirks: TerminalQuirks;
}

const BUSES: readonly Bus[] = [
  {
    deviceId: 'CLOCK1',
    name: 'A year ahead',
    number: '13900007001',
    method: 'ftp',
    quirks: { clock: 'next-year' },
  },
  {
    deviceId: 'CLOCK2',
    name: 'Eleven days behind',
    number: '13900007002',
    method: 'ftp',
    quirks: { clock: { aheadSeconds: -11 * 86_400 }, uploads: { format: 'packets' } },
  },
  {
    deviceId: 'CLOCK3',
    name: 'Never set',
    number: '13900007003',
    method: 'playback',
    quirks: {
      clock: 'never-set',
      card: { isUnpaced: true },
      refusals: { fileUpload: GeneralResult.NotSupported },
    },
  },
];

let scene: TrackScene;
let terminals: readonly SimulatedTerminal[] = [];
const startedAtMs = Date.now();
// All at once: each is asked a second time when its clock is known.
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: BUSES });
  const clip = await loadDemoClip('road');
  const card = { sinceMs: startedAtMs - CARD_MINUTES * MINUTE_MS, gaps: [] };
  terminals = BUSES.map((bus) => startOwnVehicle(scene, bus, { channels: 1, card, quirks: bus.quirks, clip }));
  for (const bus of BUSES) await scene.call('archivist', 'POST', SYNC_RULES_PATH, ruleFor(bus));
});
afterAll(async () => {
  for (const terminal of terminals) terminal.stop();
  await scene?.close();
});

describe('S-2.4.8 a device whose clock is off', () => {
  test.each(BUSES.map((bus) => [bus.name, bus.method, bus] as const))(
    '%s, has its card fetched by %s to the time at which it was recorded',
    async (_name, method, bus) => {
      const items = await itemsWhen(scene, bus, (all) => all.length > 0 && all.every(isOver));
      expect(items.map((item) => `${item.state} ${item.method}`)).toEqual(items.map(() => `done ${method}`));
      const fetched = wholeOf(items);
      expect(fetched.fromMs).toBeGreaterThanOrEqual(startedAtMs - (CARD_MINUTES + 1) * MINUTE_MS);
      expect(fetched.toMs).toBeLessThanOrEqual(Date.now() + SECOND_MS);
      expect(await msOnServer(scene, bus, fetched)).toBeGreaterThan(fetched.toMs - fetched.fromMs - 2 * SECOND_MS);

      const middleMs = (fetched.fromMs + fetched.toMs) / 2;
      const atMs = Math.floor(middleMs / SECOND_MS) * SECOND_MS;
      await showSecond(await openSpan(await openCalendar(scene, bus, atMs), 'On both'), atMs);
    },
    FETCH_DEADLINE_MS + 60_000,
  );
});
