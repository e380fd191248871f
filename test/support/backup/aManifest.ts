import { contentsOf } from '../../../server/backup/archive/archiveContents.ts';
import type { Loaded } from '../../../server/backup/archive/loadArchive.ts';
import type { Manifest } from '../../../server/backup/archive/manifest.ts';

/** The manifest of an archive with this many rows. */
export function aManifest(rows = 0): Manifest {
  return {
    ...{ product: 'fleetglass', schemaVersion: 33, engine: 'sqlite', createdAtMs: 0, history: [] },
    tables: [{ name: 'device', columns: [], lastSerial: 0, rows, bytes: 10 * rows, sha256: '' }],
    files: { files: 0, bytes: 0, sha256: '' },
  };
}

/** The outcome of loading it. */
export function aLoaded(rows = 0): Loaded {
  const manifest = aManifest(rows);
  return { ok: true, head: {} as Loaded['head'], manifest, contents: contentsOf(manifest, new Set()) };
}
