// When backups are made, what is in them, and which stay.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  BACKUP_PLAN_PATH,
  BackupPlan,
  type BackupPlanValues,
  ChangedBackupPlan,
  SavedBackupPlan,
} from '../../../shared/protocol/api/system/backups.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { isAdministrator } from '../../auth/membershipRules.ts';
import { changesKey } from '../../backup/plan/planKey.ts';
import { BEYOND_OWN, refuseProof } from '../accounts/refusals.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { BACKUP_ACT, type BackupRoutesDeps, MAY_BACK_UP, showPlan } from './backupDeps.ts';
import { proveCaller } from './proveCaller.ts';

export function registerBackupPlan(app: FastifyInstance, { backups, accounts }: BackupRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { plans, planChanged } = backups;
  const shown = async () => showPlan(await plans.read(), backups);
  const reading = { summary: 'The plan of backups', response: answers(BackupPlan) };
  routes.get(BACKUP_PLAN_PATH, { schema: reading, config: MAY_BACK_UP }, async () => ok(await shown()));

  const changing = { summary: 'Changes the plan', body: ChangedBackupPlan, response: answers(SavedBackupPlan) };
  routes.put(BACKUP_PLAN_PATH, { schema: changing, config: BACKUP_ACT }, async (request, reply) => {
    const { version, passphrase, newRecoveryKey, password, code, ...values } = request.body;
    if (!isTimeZone(values.timeZone)) return refuse(reply, refusedFields({ timeZone: 'bad-format' }));
    const change = { version, values, passphrase, newRecoveryKey };
    const known = await plans.read();
    // Otherwise the change could apply to another plan than the one that is checked here.
    if (known.version !== version) return refuse(reply, conflictWith(await shown()));
    if (changesKey(known, change)) {
      if (!isAdministrator(callerOf(request).user)) return refuse(reply, BEYOND_OWN);
      if (password === undefined) return refuse(reply, refusedFields({ password: 'required' }));
      const proven = await proveCaller(request, accounts.ownAccess, { password, code });
      if (!proven.ok) return refuseProof(reply, proven);
    }
    const changed = await plans.change(change);
    if (!changed.ok && changed.reason === 'conflict') return refuse(reply, conflictWith(await shown()));
    if (!changed.ok) return refuse(reply, refusedFields({ passphrase: 'required' }));
    const { before, after, recoveryKey } = changed.value;
    await recordAudit(request, {
      action: 'backup.plan',
      before: auditFieldsOf(before.values),
      after: auditFieldsOf(after.values),
      // Which key it was before is nobody's business; that it is another is.
      detail: { newKey: after.sealedKey !== before.sealedKey && after.sealedKey !== '' },
    });
    planChanged();
    return ok({ plan: await shown(), recoveryKey });
  });
}

function auditFieldsOf({ history, files, ...values }: BackupPlanValues) {
  return { ...values, history: history.join(' '), files: files.join(' ') };
}
