// A backup leaves the server only for whoever proves again who they are.
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SecondFactorProof } from '../../../shared/protocol/api/ownAccount.ts';
import { IdText } from '../../../shared/protocol/api/records.ts';
import { BackupAddress, backupDownloadPath } from '../../../shared/protocol/api/system/backups.ts';
import { guardStream } from '../../faults/streams.ts';
import { createRunAfter, runEvery } from '../../faults/timers.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { watchStalls } from '../../recording/export/stallWatch.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import { refuseProof } from '../accounts/refusals.ts';
import { answers } from '../kernel/answers.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  type BackupRoutesDeps,
  NO_BACKUP,
  NO_BACKUP_FILE,
  WHOLE_BACKUP_ACCESS,
  WHOLE_BACKUP_ACT,
} from './backupDeps.ts';
import { proveCaller } from './proveCaller.ts';

/** Large files are begun by hand, on another machine perhaps. */
const ADDRESS_LASTS_MS = 10 * 60_000;
const ASK_INTERVAL_MS = 1_000;

export function registerBackupDownload(app: FastifyInstance, deps: BackupRoutesDeps): void {
  const { stores, backups, accounts, onLimit } = deps;
  const schema = {
    summary: 'Address of a backup, which works once',
    params: Type.Object({ id: IdText }),
    body: SecondFactorProof,
    response: answers(BackupAddress),
  };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.post(backupDownloadPath(':id'), { schema, config: WHOLE_BACKUP_ACT }, async (request, reply) => {
    const backup = await stores.backups.find(Number(request.params.id));
    if (backup?.state !== 'done') return refuse(reply, NO_BACKUP);
    const proven = await proveCaller(request, accounts.ownAccess, request.body);
    if (!proven.ok) return refuseProof(reply, proven);
    if (!(await backups.folder.has(backup.file))) return refuse(reply, NO_BACKUP_FILE);
    const sent = { backup, path: backups.folder.pathOf(backup.file) };
    const address = app.downloads.offer(request, {
      access: WHOLE_BACKUP_ACCESS,
      lastsMs: ADDRESS_LASTS_MS,
      send: (current, answer, isAllowed) => sendBackup({ request: current, reply: answer, isAllowed }, sent, onLimit),
    });
    return ok({ address });
  });
}

interface SentBackup {
  readonly backup: StoredBackup;
  readonly path: string;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly isAllowed: () => Promise<boolean>;
}

async function sendBackup(exchange: Exchange, { backup, path }: SentBackup, onLimit: OnLimit): Promise<FastifyReply> {
  const { request, reply } = exchange;
  // It may have been deleted since the address was given.
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return refuse(reply, NO_BACKUP_FILE);
  let size: number;
  try {
    size = (await handle.stat()).size;
    await recordAudit(request, { action: 'backup.download', target: backup.file });
  } catch (error) {
    await handle.close();
    throw error;
  }
  const body = watched(guardStream(handle.createReadStream()), exchange, onLimit);
  return reply
    .type('application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${backup.file}"`)
    .send(body);
}

/** Breaks off once the caller may no longer have it, or doesn't read it any more. */
function watched(file: Readable, { request, reply, isAllowed }: Exchange, onLimit: OnLimit): Readable {
  const onFault = (error: Error): void => request.log.error({ err: error }, 'downloads of backups');
  const stopAsking = runEvery(
    ASK_INTERVAL_MS,
    async () => {
      if (!(await isAllowed())) file.destroy();
    },
    onFault,
  );
  file.once('close', stopAsking);
  reply.raw.once('close', () => file.destroy());
  // The browser may have gone while the file was opened.
  if (reply.raw.destroyed) file.destroy();
  const body = watchStalls(file, {
    runAfter: createRunAfter(onFault),
    // Each account has its own places, and backups are large: a slow line takes its time.
    isWaitedFor: () => false,
    onStalled: (limit) => {
      onLimit(limit);
      file.destroy();
      reply.raw.destroy();
    },
  });
  body.once('error', (error) => request.log.info({ err: error }, 'the download of a backup broke off'));
  return body;
}
