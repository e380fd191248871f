// A restore: its dry run, its confirmation, and what came of the last one.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import {
  NOTE_BEFORE_RESTORE,
  RESTORE_PATH,
  RESTORE_PLAN_PATH,
  RestoreState,
  WantedRestore,
  WantedRestorePlan,
} from '../../../shared/protocol/api/system/restore.ts';
import { isAdministrator } from '../../auth/membershipRules.ts';
import { chosenKey } from '../../backup/runner/sealedKeys.ts';
import { refuseProof } from '../accounts/refusals.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  BACKUP_BUSY,
  type BackupRoutesDeps,
  MAY_BACK_UP,
  NO_BACKUP,
  NO_BACKUP_FILE,
  WHOLE_BACKUP_ACT,
} from './backupDeps.ts';
import { proveCaller } from './proveCaller.ts';
import { showRestores } from './showRestores.ts';

const DRY_RUN_RUNNING: Refusal = {
  status: 409,
  code: 'dry-run-running',
  message: 'Another preview is running. Wait for it to finish, or cancel it.',
};
const PLAN_OUTDATED: Refusal = {
  status: 409,
  code: 'restore-plan-outdated',
  message: 'This preview is no longer the newest one. Start another one.',
};
const WRONG_TITLE: Refusal = {
  status: 422,
  code: 'wrong-title',
  message: "This isn't the title of this site.",
};
const OTHER_GATEWAYS: Refusal = {
  status: 409,
  code: 'other-gateways',
  message: 'Another server works on the same database. Stop it, wait 2 minutes and try again.',
};
const NO_RESTORE: Refusal = {
  status: 409,
  code: 'restore-unavailable',
  message: 'This server can only be restored with a command on its machine.',
};

export function registerRestore(app: FastifyInstance, deps: BackupRoutesDeps): void {
  registerDryRun(app, deps);
  registerConfirming(app, deps);
}

function registerDryRun(app: FastifyInstance, { stores, backups }: BackupRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { restores, folder } = backups;
  const reading = { summary: 'The dry run of a restore, and the last restore', response: answers(RestoreState) };
  routes.get(RESTORE_PATH, { schema: reading, config: MAY_BACK_UP }, async (request) => {
    const { dryRun, last } = showRestores(restores);
    // A preview names devices and members of all groups.
    return ok({ dryRun: isAdministrator(callerOf(request).user) ? dryRun : null, last });
  });

  const planning = { summary: 'Begins a dry run', body: WantedRestorePlan, response: answers(RestoreState) };
  routes.post(RESTORE_PLAN_PATH, { schema: planning, config: WHOLE_BACKUP_ACT }, async (request, reply) => {
    const backup = await stores.backups.find(request.body.backup);
    if (backup?.state !== 'done') return refuse(reply, NO_BACKUP);
    if (!(await folder.has(backup.file))) return refuse(reply, NO_BACKUP_FILE);
    const key = chosenKey(backup, request.body.key, () => restores.keyOf(backup));
    if (typeof key === 'string') return refuse(reply, refusedFields({ key }));
    if (!restores.dryRuns.begin({ backup, key })) return refuse(reply, DRY_RUN_RUNNING);
    return ok(showRestores(restores));
  });

  const dropping = { summary: 'Cancels or forgets the dry run', response: answers(Nothing) };
  routes.delete(RESTORE_PLAN_PATH, { schema: dropping, config: WHOLE_BACKUP_ACT }, async () => {
    await restores.dryRuns.drop();
    return ok({});
  });
}

function registerConfirming(
  app: FastifyInstance,
  { backups, accounts, serverInfo }: Pick<BackupRoutesDeps, 'backups' | 'accounts' | 'serverInfo'>,
): void {
  const { restores, runner, folder } = backups;
  const schema = { summary: 'Begins a restore', body: WantedRestore, response: answers(Nothing) };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.post(RESTORE_PATH, { schema, config: WHOLE_BACKUP_ACT }, async (request, reply) => {
    const { plan, title, keep, ...proof } = request.body;
    const { ofHost } = restores;
    if (ofHost === undefined) return refuse(reply, NO_RESTORE);
    const confirmed = restores.dryRuns.confirmed(plan);
    if (confirmed === undefined) return refuse(reply, PLAN_OUTDATED);
    if (runner.running !== undefined) return refuse(reply, BACKUP_BUSY);
    if ((await restores.otherGateways()).length > 0) return refuse(reply, OTHER_GATEWAYS);
    // The file may have disappeared since the dry run; otherwise this is found only once everybody is disconnected.
    if (!(await folder.has(confirmed.backup.file))) return refuse(reply, NO_BACKUP_FILE);
    const { web_title } = await serverInfo.read(false);
    if (title.trim() !== (web_title ?? '').trim()) return refuse(reply, WRONG_TITLE);
    const proven = await proveCaller(request, accounts.ownAccess, proof);
    if (!proven.ok) return refuseProof(reply, proven);
    const { backup, key } = confirmed;
    const { file, createdAtMs } = backup;
    const by = callerOf(request).user.username;
    const restore = { file, createdAtMs, key, choices: keep, by, path: folder.pathOf(file), note: NOTE_BEFORE_RESTORE };
    // First: what can't be written down isn't done, and soon no gateway writes any more.
    await recordAudit(request, { action: 'backup.restore', target: file, detail: { createdAtMs, ...keep } });
    if (!ofHost.begin(restore, answered(reply))) return refuse(reply, BACKUP_BUSY);
    return ok({});
  });
}

/** The gateway that answers is closed then. */
function answered(reply: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    reply.raw.once('close', () => resolve());
    if (reply.raw.destroyed) resolve();
  });
}
