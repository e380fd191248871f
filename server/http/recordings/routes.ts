import type { FastifyInstance } from 'fastify';
import type { Stores } from '../../store/stores.ts';
import { type EvidenceDeps, registerEvidence } from './evidenceRoutes.ts';
import { type ExportDeps, registerExport } from './exportRoutes.ts';
import { type RangesDeps, registerRanges } from './rangesRoute.ts';
import { type RemotePlaybackDeps, registerRemotePlayback } from './remoteRoutes.ts';

export interface RecordingRoutesDeps
  extends RemotePlaybackDeps,
    Omit<RangesDeps, 'onLimit'>,
    Pick<ExportDeps, 'gopReader' | 'exportJobs'>,
    Pick<EvidenceDeps, 'evidenceRoom' | 'onLimit'> {
  readonly stores: Stores;
}

/** Recordings of devices and of the server, their export, and those that are held as evidence. */
export async function registerRecordingRoutes(app: FastifyInstance, deps: RecordingRoutesDeps): Promise<void> {
  const parts = { ...deps.stores, ...deps };
  await registerRemotePlayback(app, parts);
  await registerRanges(app, parts);
  await registerExport(app, parts);
  await registerEvidence(app, parts);
}
