// A backup that a member hands in as a file, such as one of another machine.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Backup } from '../../../shared/protocol/api/system/backups.ts';
import { BACKUP_UPLOADED_PATH, UploadedBackup } from '../../../shared/protocol/api/system/restore.ts';
import type { TakeRefusal } from '../../backup/runner/backupRunner.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, type Refusal, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { refusalOfTaking } from '../uploads/uploadRefusals.ts';
import {
  BACKUP_ACT,
  BACKUP_BUSY,
  type BackupRoutesDeps,
  NO_BACKUP_FOLDER,
  showBackup,
  TOO_MANY_BACKUPS,
} from './backupDeps.ts';

const NOT_A_BACKUP: Refusal = {
  status: 422,
  code: 'not-a-backup',
  message: "This file isn't a backup of Fleetglass, or is damaged.",
};
const NEWER_BACKUP: Refusal = {
  status: 422,
  code: 'newer-backup',
  message: 'This backup was made by a newer version of Fleetglass. Update first.',
};

export function registerUploadedBackup(app: FastifyInstance, { backups, uploads }: BackupRoutesDeps): void {
  const schema = { summary: 'Begins to take an uploaded backup', body: UploadedBackup, response: answers(Backup) };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.post(BACKUP_UPLOADED_PATH, { schema, config: BACKUP_ACT }, async (request, reply) => {
    const by = callerOf(request).user;
    const taken = await backups.runner.takeUploaded({ upload: request.body.upload, by }, uploads);
    if (!taken.ok) return refuse(reply, refusalOf(taken.reason));
    const { file, note } = taken.value;
    await recordAudit(request, { action: 'backup.upload', target: file, detail: { note } });
    return ok(showBackup(taken.value));
  });
}

function refusalOf(reason: TakeRefusal): Refusal {
  switch (reason) {
    case 'gone':
    case 'incomplete':
      return refusalOfTaking(reason);
    case 'busy':
      return BACKUP_BUSY;
    case 'too-many':
      return TOO_MANY_BACKUPS;
    case 'folder-missing':
      return NO_BACKUP_FOLDER;
    case 'newer-format':
    case 'newer-schema':
      return NEWER_BACKUP;
    default:
      return NOT_A_BACKUP;
  }
}
