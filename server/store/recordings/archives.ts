// Ownership of archives of recordings: by the member groups that own the device, or that owned it when it was deleted.
import type { StoreDb } from '../engine/database.ts';

/** `device`: it belongs to an existing device; `former`: its device was deleted; `ownerless`: it has no owner any more. */
type ArchiveOwnership = 'device' | 'former' | 'ownerless';

export interface ArchiveViewer {
  readonly userId: number;
  readonly memberGroup: number;
}

export interface ArchiveStore {
  /** Every archive that the database knows, including those of deleted devices. */
  ids(): Promise<string[]>;
  /** The archives among these that belong to the member group, if the user is in it, and those without an owner. */
  ownerships(archiveIds: readonly string[], viewer: ArchiveViewer): Promise<ReadonlyMap<string, ArchiveOwnership>>;
  /** For each archive of a deleted device, the retention days (above 0) of the member groups that owned it. */
  formerRetentions(): Promise<ReadonlyMap<string, readonly number[]>>;
}

/** SQLite takes 32,766 parameters a statement. */
const IDS_PER_STATEMENT = 1_000;

export function createArchiveStore(db: StoreDb): ArchiveStore {
  return {
    ids: async () => {
      const named = db.selectFrom('device_incarnation').select('archive_id').distinct().where('archive_id', '<>', '');
      return (await named.execute()).map((row) => row.archive_id);
    },
    ownerships: async (archiveIds, viewer) => {
      const found = new Map<string, ArchiveOwnership>();
      for (let start = 0; start < archiveIds.length; start += IDS_PER_STATEMENT) {
        await addOwnerships(db, { archiveIds: archiveIds.slice(start, start + IDS_PER_STATEMENT), viewer }, found);
      }
      return found;
    },
    formerRetentions: async () => {
      const rows = await formerOwners(db)
        .select(['gone.archive_id', 'owner.retention_days'])
        .where('gone.archive_id', '<>', '')
        .where('owner.retention_days', '>', 0)
        .execute();
      const days = new Map<string, number[]>();
      for (const row of rows) days.set(row.archive_id, [...(days.get(row.archive_id) ?? []), row.retention_days]);
      return days;
    },
  };
}

/**
 * Archives of member groups, or only the given one, each with the group that it counts for: the oldest one of several owners. For a deleted
 * device, the groups that owned it.
 */
export function archiveOwners(db: StoreDb, archiveId?: string) {
  const ofDevices = db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.archive_id', 'owns.member_group']);
  const ofFormer = formerOwners(db)
    .select(['gone.archive_id', 'owner.serialno as member_group'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('device').select('device_id').whereRef('device.archive_id', '=', 'gone.archive_id'))),
    );
  const all =
    archiveId === undefined
      ? ofDevices.unionAll(ofFormer)
      : ofDevices
          .where('device.archive_id', '=', archiveId)
          .unionAll(ofFormer.where('gone.archive_id', '=', archiveId));
  return db
    .selectFrom(all.as('owned'))
    .select(({ fn }) => ['owned.archive_id', fn.min('owned.member_group').as('owner')])
    .groupBy('owned.archive_id');
}

interface Wanted {
  readonly archiveIds: readonly string[];
  readonly viewer: ArchiveViewer;
}

async function addOwnerships(
  db: StoreDb,
  { archiveIds, viewer }: Wanted,
  found: Map<string, ArchiveOwnership>,
): Promise<void> {
  const ofDevices = db.selectFrom('device').select('archive_id').where('archive_id', 'in', archiveIds);
  const ofFormer = formerOwners(db).select('gone.archive_id').where('gone.archive_id', 'in', archiveIds);
  const [devices, former, seenDevices, seenFormer] = await Promise.all([
    ofDevices.execute(),
    ofFormer.execute(),
    ofDevices
      .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
      .innerJoin('app_user_member_group as belongs', 'belongs.member_group', 'owns.member_group')
      .where('belongs.user_id', '=', viewer.userId)
      .where('belongs.member_group', '=', viewer.memberGroup)
      .execute(),
    ofFormer
      .innerJoin('app_user_member_group as belongs', 'belongs.member_group', 'owner.serialno')
      .where('belongs.user_id', '=', viewer.userId)
      .where('belongs.member_group', '=', viewer.memberGroup)
      .execute(),
  ]);
  const owned = new Set([...devices, ...former].map((row) => row.archive_id));
  for (const archiveId of archiveIds) if (!owned.has(archiveId)) found.set(archiveId, 'ownerless');
  const isOfDevice = new Set(devices.map((row) => row.archive_id));
  for (const { archive_id: archiveId } of seenFormer) if (!isOfDevice.has(archiveId)) found.set(archiveId, 'former');
  for (const { archive_id: archiveId } of seenDevices) found.set(archiveId, 'device');
}

/** Deleted devices with those of their owners that still exist. */
function formerOwners(db: StoreDb) {
  return db
    .selectFrom('device_incarnation as gone')
    .innerJoin('former_owner', 'former_owner.incarnation', 'gone.incarnation')
    .innerJoin('member_group as owner', 'owner.serialno', 'former_owner.member_group')
    .where('gone.ended_at_ms', '>', 0);
}
