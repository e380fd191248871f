import type { FastifyInstance } from 'fastify';
import type { BackupRoutesDeps } from './backupDeps.ts';
import { registerBackupDownload } from './downloadRoute.ts';
import { registerBackups } from './listRoutes.ts';
import { registerBackupParts } from './parts/partsRoutes.ts';
import { registerBackupPlan } from './planRoutes.ts';
import { registerRestore } from './restoreRoutes.ts';
import { registerUploadedBackup } from './uploadedRoute.ts';

/** `/api/backup/*`: the installation's backups. */
export async function registerBackupRoutes(app: FastifyInstance, deps: BackupRoutesDeps): Promise<void> {
  registerBackups(app, deps);
  registerBackupPlan(app, deps);
  registerBackupDownload(app, deps);
  registerUploadedBackup(app, deps);
  registerRestore(app, deps);
  registerBackupParts(app, deps);
}
