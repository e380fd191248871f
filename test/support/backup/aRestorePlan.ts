import type { RestorePlan } from '../../../server/backup/restore/planRestore.ts';

/** The plan of an archive from yesterday, in which one device is missing. */
export function aRestorePlan(changes: Partial<RestorePlan> = {}): RestorePlan {
  const nobody = { names: [], count: 0 };
  return {
    ok: true,
    head: {
      ...{
        product: 'fleetglass',
        productVersion: '9.8.6',
        schemaVersion: 32,
        engine: 'sqlite',
        createdAtMs: 1_795_000_000_000,
      },
      ...{ note: '', encryption: { kind: 'none' } },
    },
    ...{ schema: 'older', isOtherEngine: false, missingHistory: ['positions'], files: 2 },
    tables: [
      { name: 'device', part: 'core', now: 3, inArchive: 2, compared: { added: 0, kept: 2, removed: 1 } },
      { name: 'event', part: 'events', now: 70, inArchive: 50, compared: undefined },
    ],
    vanishing: { devices: { names: ['BUS 3'], count: 1 }, members: nobody },
    since: {
      ...{ disabled: { names: ['kim'], count: 1 }, passwordChanged: nobody },
      ...{ revokedLinks: { names: ['BUS 3 (kim)'], count: 1 }, events: 20, positions: 900, auditRows: 4 },
    },
    ...changes,
  };
}
