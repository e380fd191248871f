// Which backups there are; making, canceling, testing and deleting one.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import {
  BACKUPS_PATH,
  Backup,
  BackupList,
  backupCancelPath,
  backupPath,
  backupTestPath,
  WantedBackup,
  WantedBackupTest,
} from '../../../shared/protocol/api/system/backups.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { RemoveRefusal, StartRefusal, TestRefusal } from '../../backup/runner/backupRunner.ts';
import type { KeyRefusal } from '../../backup/runner/sealedKeys.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  BACKUP_ACT,
  BACKUP_BUSY,
  BACKUP_ENDED,
  BACKUP_KEY_MISSING,
  type BackupRoutesDeps,
  LAST_TESTED,
  MAY_BACK_UP,
  NO_BACKUP,
  NO_BACKUP_FOLDER,
  showBackup,
  TOO_MANY_BACKUPS,
} from './backupDeps.ts';

const REFUSALS: Readonly<Record<StartRefusal | Exclude<TestRefusal, KeyRefusal> | RemoveRefusal, Refusal>> = {
  busy: BACKUP_BUSY,
  'key-missing': BACKUP_KEY_MISSING,
  'too-many': TOO_MANY_BACKUPS,
  'no-such-backup': NO_BACKUP,
  'last-tested': LAST_TESTED,
  'folder-missing': NO_BACKUP_FOLDER,
};
const params = Type.Object({ id: IdText });

export function registerBackups(app: FastifyInstance, deps: BackupRoutesDeps): void {
  registerList(app, deps);
  registerMaking(app, deps);
  registerActs(app, deps);
}

function registerList(app: FastifyInstance, { stores, backups }: BackupRoutesDeps): void {
  const schema = { summary: 'Backups, the newest first, and what runs', response: answers(BackupList) };
  app.withTypeProvider<TypeBoxTypeProvider>().get(BACKUPS_PATH, { schema, config: MAY_BACK_UP }, async () => {
    const { runner, plans, folder, isFolderSet, recordingFolder } = backups;
    return ok({
      backups: (await stores.backups.list()).map(showBackup),
      running: runner.running ?? null,
      folder: folder.path,
      isFolderSet,
      recordingFolder,
      nextRunAtMs: wallMs(await plans.nextRunAtMs()),
    });
  });
}

function registerMaking(app: FastifyInstance, { backups }: BackupRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const making = { summary: 'Begins a backup', body: WantedBackup, response: answers(Backup) };
  routes.post(BACKUPS_PATH, { schema: making, config: BACKUP_ACT }, async (request, reply) => {
    const { note } = request.body;
    const begun = await backups.runner.make({ madeBy: callerOf(request).user.username, note, address: request.ip });
    if (!begun.ok) return refuse(reply, REFUSALS[begun.reason]);
    return ok(showBackup(begun.value));
  });
}

function registerActs(app: FastifyInstance, { stores, backups }: BackupRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const canceling = { summary: 'Cancels a backup or its test', params, response: answers(Nothing) };
  routes.post(backupCancelPath(':id'), { schema: canceling, config: BACKUP_ACT }, async (request, reply) => {
    const backup = await stores.backups.find(Number(request.params.id));
    if (backup === undefined) return refuse(reply, NO_BACKUP);
    if (!backups.runner.cancel(backup.id)) return refuse(reply, BACKUP_ENDED);
    await recordAudit(request, { action: 'backup.cancel', target: backup.file });
    return ok({});
  });
  const testing = { summary: 'Tries to restore a backup', params, body: WantedBackupTest, response: answers(Backup) };
  routes.post(backupTestPath(':id'), { schema: testing, config: BACKUP_ACT }, async (request, reply) => {
    const begun = await backups.runner.testAgain(Number(request.params.id), request.body.key);
    if (!begun.ok) return refuse(reply, refusalOfTest(begun.reason));
    await recordAudit(request, { action: 'backup.test', target: begun.value.file });
    return ok(showBackup(begun.value));
  });
  const removing = { summary: 'Deletes a backup', params, response: answers(Nothing) };
  routes.delete(backupPath(':id'), { schema: removing, config: BACKUP_ACT }, async (request, reply) => {
    const removed = await backups.runner.remove(Number(request.params.id));
    if (!removed.ok) return refuse(reply, REFUSALS[removed.reason]);
    const { file, note } = removed.value;
    await recordAudit(request, { action: 'backup.delete', target: file, before: { note } });
    return ok({});
  });
}

function refusalOfTest(reason: TestRefusal): Refusal {
  const isOfKey = reason === 'required' || reason === 'bad-format' || reason === 'wrong-key';
  return isOfKey ? refusedFields({ key: reason }) : REFUSALS[reason];
}
