import type { FastifyInstance } from 'fastify';
import { type EventMediaDeps, registerEventMedia } from './eventMediaRoutes.ts';
import { type EventTrackDeps, registerEventTrack } from './eventTrack.ts';
import { type PackageDeps, registerPackage } from './package/packageRoute.ts';

export interface EventEvidenceDeps
  extends Omit<EventMediaDeps, 'stores'>,
    Omit<PackageDeps, 'stores' | 'clipOf' | 'signer'> {
  readonly stores: EventMediaDeps['stores'] & PackageDeps['stores'] & EventTrackDeps['stores'];
  readonly eventClipOf: PackageDeps['clipOf'];
  readonly evidenceSigner: PackageDeps['signer'];
}

/** Pictures, files and recordings of events, one by one and as a package, and where their devices were. */
export async function registerEventEvidenceRoutes(app: FastifyInstance, deps: EventEvidenceDeps): Promise<void> {
  registerEventMedia(app, deps);
  registerEventTrack(app, deps);
  registerPackage(app, { ...deps, clipOf: deps.eventClipOf, signer: deps.evidenceSigner });
}
