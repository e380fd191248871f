// Data sync behind the calls: items are added and stopped in the database, and nothing is fetched.
import { join } from 'node:path';
import { type ChangeBus, followRecords } from '../../../server/bus/changeBus.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { SyncRequests } from '../../../server/sync/requests/syncRequests.ts';
import { createDeviceSources } from '../../../server/sync/sources/deviceSources.ts';
import type { SyncCalls } from '../../../server/sync/syncCalls.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';

export interface TestSync {
  readonly calls: SyncCalls;
  readonly folder: string;
  /** Devices that something was new about. */
  readonly kicked: number[];
  readonly changedGroups: number[];
  readonly changedRules: number[];
}

export function createTestSync(
  stores: Stores,
  { now, folder, bus }: { readonly now: () => WallMs; readonly folder: string; readonly bus: ChangeBus },
): TestSync {
  const kicked: number[] = [];
  const changedGroups: number[] = [];
  const changedRules: number[] = [];
  followRecords(bus, 'data sync', ['syncrule'], ({ id = 0 }) => void changedRules.push(id));
  const sources = createDeviceSources({
    recordings: stores.listedRecordings,
    tracks: stores.trackSummary,
    positions: stores.positions,
    policies: stores.recordingPolicies,
    preset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    recorded: stores.segments,
  });
  const calls: SyncCalls = {
    requests: new SyncRequests({
      items: stores.syncItems,
      sources,
      onAdded: (incarnation) => void kicked.push(incarnation),
      now,
    }),
    engine: {
      stopItem: ({ id }, as) => stores.syncItems.change(id, as, now()),
      kick: (incarnation) => void kicked.push(incarnation),
    },
    sources,
    itemsChanged: (memberGroup) => void changedGroups.push(memberGroup),
    channelsOf: ({ chn }) => Array.from({ length: chn }, (_, at) => at + 1),
    pathOf: (name) => join(folder, name),
  };
  return { calls, folder, kicked, changedGroups, changedRules };
}
