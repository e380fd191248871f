// Parts of a backup for the running installation: a dry run by row, and the import of exactly what it has said.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Nothing } from '../../../../shared/protocol/api/records.ts';
import {
  AppliedParts,
  BACKUP_PARTS_APPLY_PATH,
  BACKUP_PARTS_PATH,
  PartsImportState,
  WantedParts,
} from '../../../../shared/protocol/api/system/backupParts.ts';
import { PART_PERMISSIONS } from '../../../../shared/protocol/backup/partWords.ts';
import { NO_GROUP } from '../../../noGroup.ts';
import { BEYOND_OWN } from '../../accounts/refusals.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { ok, type Refusal, Refused, refuse } from '../../kernel/envelope.ts';
import { type Caller, recognise, refusalFor } from '../../kernel/recognise.ts';
import { auditEntryOf } from '../../kernel/recordAudit.ts';
import { actorFrom } from '../../kernel/records/recordRoutes.ts';
import { BACKUP_ACT, type BackupRoutesDeps, MAY_BACK_UP, NO_BACKUP, NO_BACKUP_FILE } from '../backupDeps.ts';
import { type ApplyDeps, applyParts } from './applyParts.ts';
import { createPartActs } from './createPartActs.ts';
import { PartsImports, type RunImport } from './partsImports.ts';
import { planFromArchive } from './planFromArchive.ts';

const PARTS_RUNNING: Refusal = {
  status: 409,
  code: 'parts-import-running',
  message: 'Another import from a backup is running. Wait for it to finish and try again.',
};
const PARTS_OUTDATED: Refusal = {
  status: 409,
  code: 'parts-import-outdated',
  message: 'This preview is no longer there. Run it again.',
};

/** `/api/backup/parts`. */
export function registerBackupParts(app: FastifyInstance, deps: BackupRoutesDeps): void {
  const imports = new PartsImports({
    onChanged: () => deps.bus.listChanged.tell({ list: 'backups', memberGroup: undefined }),
    onLimit: deps.onLimit,
    onFault: (error) => app.log.error({ err: error }, 'backup'),
  });
  app.addHook('preClose', () => imports.close());
  registerState(app, imports);
  registerPlanning(app, deps, imports);
  registerApplying(app, deps, imports);
}

function registerState(app: FastifyInstance, imports: PartsImports): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const reading = { summary: 'The import of parts of a backup', response: answers(PartsImportState) };
  routes.get(BACKUP_PARTS_PATH, { schema: reading, config: MAY_BACK_UP }, async (request) =>
    ok({ current: imports.show(callerOf(request).user.id) }),
  );
  const dropping = { summary: 'Cancels or forgets the import', response: answers(Nothing) };
  routes.delete(BACKUP_PARTS_PATH, { schema: dropping, config: BACKUP_ACT }, async (request) => {
    imports.drop(callerOf(request).user.id);
    return ok({});
  });
}

function registerPlanning(app: FastifyInstance, deps: BackupRoutesDeps, imports: PartsImports): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Begins to find out what an import of parts of a backup would do',
    body: WantedParts,
    response: answers(PartsImportState),
  };
  routes.post(BACKUP_PARTS_PATH, { schema, config: BACKUP_ACT }, async (request, reply) => {
    const { backup: id, key, parts } = request.body;
    const caller = callerOf(request);
    const needed = parts.flatMap((part) => PART_PERMISSIONS[part]);
    if (!needed.every((permission) => caller.user.permissions.includes(permission))) return refuse(reply, BEYOND_OWN);
    const backup = await deps.stores.backups.find(id);
    if (backup?.state !== 'done') return refuse(reply, NO_BACKUP);
    if (!(await deps.backups.folder.has(backup.file))) return refuse(reply, NO_BACKUP_FILE);
    const owner = caller.user.id;
    const hasBegun = imports.begin({ owner, backup: id, parts }, (options) =>
      planFromArchive({ archive: { backup, key }, parts, caller }, deps, options),
    );
    return hasBegun ? ok({ current: imports.show(owner) }) : refuse(reply, PARTS_RUNNING);
  });
}

function registerApplying(app: FastifyInstance, deps: BackupRoutesDeps, imports: PartsImports): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Imports exactly what was said',
    body: AppliedParts,
    response: answers(PartsImportState),
  };
  routes.post(BACKUP_PARTS_APPLY_PATH, { schema, config: BACKUP_ACT }, async (request, reply) => {
    const owner = callerOf(request).user.id;
    const current = imports.show(owner);
    const backup = current === null ? undefined : await deps.stores.backups.find(current.backup);
    const run = importAs(request, deps, { file: backup?.file ?? '', parts: current?.parts ?? [] });
    if (!imports.apply(owner, request.body.id, run)) return refuse(reply, PARTS_OUTDATED);
    return ok({ current: imports.show(owner) });
  });
}

/** Continues after the request has been answered. */
function importAs(
  request: FastifyRequest,
  deps: BackupRoutesDeps,
  { file, parts }: { readonly file: string; readonly parts: readonly string[] },
): RunImport {
  const { stores } = deps;
  const saving = { acting: actingBy(request, deps), acts: createPartActs(deps) };
  const entry = auditEntryOf(request, { action: 'backup.import', target: file });
  const { store, now } = request.server.audit;
  const memberGroup = memberGroupOf(callerOf(request));
  return async ({ rows }, { signal, onRow, imported }) => {
    try {
      await applyParts(rows, { stores, memberGroup, ...saving, signal, onRow });
    } finally {
      await store.add({ ...entry, detail: { parts: parts.join(' '), counts: { ...imported() } } }, now());
    }
  };
}

/** Recognizes the caller anew each time: what an import may save is what a call of theirs could save at that moment. */
function actingBy(request: FastifyRequest, { sessions }: BackupRoutesDeps): ApplyDeps['acting'] {
  // The socket forgets its address when it closes.
  const { ip } = request;
  return async (part) => {
    const caller = await recognise(request, sessions);
    if (caller === undefined) return { ok: false, reason: Refused.notSignedIn };
    const refusal = refusalFor(caller, PART_PERMISSIONS[part]);
    return refusal === undefined ? { ok: true, value: actorFrom(caller, ip) } : { ok: false, reason: refusal };
  };
}

function memberGroupOf({ group }: Caller): number {
  return group?.serialno ?? NO_GROUP;
}
