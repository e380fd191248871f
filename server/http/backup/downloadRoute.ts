// A backup leaves the server only for whoever proves again who they are.
import { open } from 'node:fs/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SecondFactorProof } from '../../../shared/protocol/api/ownAccount.ts';
import { IdText } from '../../../shared/protocol/api/records.ts';
import { BackupAddress, backupDownloadPath } from '../../../shared/protocol/api/system/backups.ts';
import { guardStream } from '../../faults/streams.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import { refuseProof } from '../accounts/refusals.ts';
import { answers } from '../kernel/answers.ts';
import { readBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { BACKUP_ACCESS, BACKUP_ACT, type BackupRoutesDeps, NO_BACKUP, NO_BACKUP_FILE } from './backupDeps.ts';

/** Large files are begun by hand, on another machine perhaps. */
const ADDRESS_LASTS_MS = 10 * 60_000;

export function registerBackupDownload(app: FastifyInstance, { stores, backups, accounts }: BackupRoutesDeps): void {
  const schema = {
    summary: 'Address of a backup, which works once',
    params: Type.Object({ id: IdText }),
    body: SecondFactorProof,
    response: answers(BackupAddress),
  };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.post(backupDownloadPath(':id'), { schema, config: BACKUP_ACT }, async (request, reply) => {
    const backup = await stores.backups.find(Number(request.params.id));
    if (backup?.state !== 'done') return refuse(reply, NO_BACKUP);
    const own = { caller: callerOf(request), client: clientInfoOf(request), browser: readBrowserCookie(request) };
    const proven = await accounts.ownAccess.prove({ ...own, ...request.body, code: request.body.code });
    if (!proven.ok) return refuseProof(reply, proven);
    if (!(await backups.folder.has(backup.file))) return refuse(reply, NO_BACKUP_FILE);
    const send = (current: FastifyRequest, answer: FastifyReply) =>
      sendBackup(current, answer, { backup, path: backups.folder.pathOf(backup.file) });
    return ok({ address: app.downloads.offer(request, { access: BACKUP_ACCESS, lastsMs: ADDRESS_LASTS_MS, send }) });
  });
}

interface SentBackup {
  readonly backup: StoredBackup;
  readonly path: string;
}

async function sendBackup(request: FastifyRequest, reply: FastifyReply, { backup, path }: SentBackup) {
  // It may have been deleted since the address was given.
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return refuse(reply, NO_BACKUP_FILE);
  const { size } = await handle.stat();
  await recordAudit(request, { action: 'backup.download', target: backup.file });
  return reply
    .type('application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${backup.file}"`)
    .send(guardStream(handle.createReadStream()));
}
