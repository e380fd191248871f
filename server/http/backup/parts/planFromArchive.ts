// A dry run: reads the parts of an archive and what there is now, and says what would be done.
import type { BackupPart, PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';
import type { ReadArchive } from '../../../backup/parts/archivedStores.ts';
import type { BackupRunOptions } from '../../../backup/thread/backupThread.ts';
import { NO_GROUP } from '../../../noGroup.ts';
import { actorOf } from '../../accounts/common.ts';
import { createYielder } from '../../devices/import/yielder.ts';
import type { Caller } from '../../kernel/recognise.ts';
import type { BackupRoutesDeps } from '../backupDeps.ts';
import { PART_KINDS } from './partKinds.ts';
import type { PartKind, PartRecord, PartStores } from './partRecords.ts';
import { PART_ROWS_LIMIT, type PartsOutcome } from './partsImports.ts';
import { planParts } from './planParts.ts';
import { RECORD_TABLES } from './recordTables.ts';

export interface PlanRequest {
  readonly archive: ReadArchive;
  readonly parts: readonly BackupPart[];
  readonly caller: Caller;
}

type Records = ReadonlyMap<PartRecordKind, readonly PartRecord[]>;

export async function planFromArchive(
  { archive, parts, caller }: PlanRequest,
  deps: Pick<BackupRoutesDeps, 'stores' | 'backups' | 'serverInfo' | 'onLimit'>,
  options: BackupRunOptions,
): Promise<PartsOutcome> {
  const kinds = PART_KINDS.filter(({ part }) => parts.includes(part));
  const read = await deps.backups.archives.read(archive, options, async (stores, rowsOf) => {
    // They are held all at once: not before it is known how many there are.
    const count = kinds.reduce((sum, { record }) => sum + rowsOf(RECORD_TABLES[record]), 0);
    if (count > PART_ROWS_LIMIT.max) return undefined;
    return readRecords(kinds, stores, await sameGroup(stores, caller));
  });
  if (!read.ok) return read;
  const archived = read.value;
  if (archived === undefined) {
    deps.onLimit(PART_ROWS_LIMIT);
    return { ok: false, fault: 'too-many-rows' };
  }
  const present = await readRecords(PART_KINDS, deps.stores, caller.group?.serialno ?? NO_GROUP);
  const maxDevices = await deps.serverInfo.maxDevices();
  const context = { actor: actorOf(caller), username: caller.user.username, maxDevices, present, archived };
  return { ok: true, planned: await planParts(parts, context, createYielder()) };
}

async function readRecords(kinds: readonly PartKind[], stores: PartStores, memberGroup: number): Promise<Records> {
  const records = new Map<PartRecordKind, readonly PartRecord[]>();
  for (const kind of kinds) records.set(kind.record, await kind.read(stores, memberGroup));
  return records;
}

/** The caller's member group as the archive numbers it. */
async function sameGroup({ memberGroups }: PartStores, { group }: Caller): Promise<number> {
  const found = (await memberGroups.list()).find(({ name }) => name === group?.name);
  return found?.serialno ?? NO_GROUP;
}
