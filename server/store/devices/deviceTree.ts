// Device groups as a tree, limited to what one member group sees.
import type { StoreDb } from '../engine/database.ts';

export interface TreeGroup {
  readonly serialno: number;
  readonly name: string;
  /** Undefined at the top. It may be a group that the reader does not see. */
  readonly parent: number | undefined;
  readonly version: number;
  /** False when no member group owns it. */
  readonly owned: boolean;
}

export type TreeAnswer =
  | { readonly ok: true; readonly group: TreeGroup }
  | { readonly ok: false; readonly reason: 'gone' | 'conflict' | 'name-taken' | 'cycle' | 'no-parent' };

export interface GroupPlace {
  readonly name: string;
  readonly parent: number | undefined;
  /** The sibling group that it comes before; undefined: the last one. */
  readonly before?: number | undefined;
  /** Groups that the caller sees: the name must be unique in its place only among these. */
  readonly among: readonly number[];
}

export interface DeviceTreeStore {
  /** The groups that the member group owns and those without an owner, with siblings in their order. */
  visible(memberGroup: number | undefined): Promise<TreeGroup[]>;
  /** The parent of every group, whoever owns it; undefined at the top. */
  parents(): Promise<ReadonlyMap<number, number | undefined>>;
  /** Number of devices directly in each group; null stands for no group. Groups without devices are left out. */
  deviceCounts(): Promise<ReadonlyMap<number | null, number>>;
  /** The new group belongs to the member groups that own its parent, and to the given one. */
  add(place: GroupPlace, memberGroup: number | undefined): Promise<TreeAnswer>;
  change(which: { serialno: number; version: number }, place: GroupPlace): Promise<TreeAnswer>;
  /** Removes groups; their devices go to another one. Undefined: they must have none. */
  remove(groups: readonly number[], removal: GroupRemoval): Promise<GroupRemoved>;
  /** Gives those of the groups without an owner to the member group. */
  claim(groups: readonly number[], memberGroup: number): Promise<void>;
}

interface GroupRemoval {
  readonly version: number;
  /** The first of the groups, whose version counts. */
  readonly serialno: number;
  readonly moveTo: number | undefined;
  readonly atMs: number;
}

export type GroupRemoved =
  | { readonly ok: true; readonly moved: readonly string[] }
  | { readonly ok: false; readonly reason: 'conflict' | 'not-empty' };

export function createDeviceTreeStore(db: StoreDb): DeviceTreeStore {
  return {
    visible: (memberGroup) => visibleGroups(db, memberGroup),
    parents: async () => {
      const rows = await db.selectFrom('device_group').select(['serialno', 'parent']).execute();
      return new Map(rows.map(({ serialno, parent }) => [serialno, parent ?? undefined]));
    },
    deviceCounts: async () => {
      const counted = db
        .selectFrom('device')
        .select(({ fn }) => ['device_group', fn.countAll<number>().as('count')])
        .groupBy('device_group');
      return new Map((await counted.execute()).map((row) => [row.device_group, row.count]));
    },
    add: (place, memberGroup) => db.transaction().execute((work) => addGroup(work, place, memberGroup)),
    change: (which, place) => db.transaction().execute((work) => changeGroup(work, which, place)),
    remove: (groups, removal) => db.transaction().execute((work) => removeGroups(work, groups, removal)),
    claim: (groups, memberGroup) => db.transaction().execute((work) => claimGroups(work, groups, memberGroup)),
  };
}

async function visibleGroups(db: StoreDb, memberGroup: number | undefined): Promise<TreeGroup[]> {
  const [groups, owners] = await Promise.all([
    db.selectFrom('device_group').selectAll().orderBy('position').orderBy('serialno').execute(),
    db.selectFrom('member_group_device_group').selectAll().execute(),
  ]);
  const owned = new Set(owners.map((row) => row.device_group));
  const own = new Set(owners.filter((row) => row.member_group === memberGroup).map((row) => row.device_group));
  return groups
    .filter(({ serialno }) => own.has(serialno) || !owned.has(serialno))
    .map(({ serialno, name, parent, version }) => ({
      serialno,
      name,
      parent: parent ?? undefined,
      version,
      owned: owned.has(serialno),
    }));
}

async function addGroup(work: StoreDb, place: GroupPlace, memberGroup: number | undefined): Promise<TreeAnswer> {
  const { name, parent, before } = place;
  const above = parent === undefined ? undefined : await groupRow(work, parent);
  if (parent !== undefined && above === undefined) return { ok: false, reason: 'no-parent' };
  if (await isNameTaken(work, place, undefined)) return { ok: false, reason: 'name-taken' };
  const values = { name, parent: parent ?? null };
  const { serialno } = await work
    .insertInto('device_group')
    .values(values)
    .returning('serialno')
    .executeTakeFirstOrThrow();
  const owners = parent === undefined ? [] : await ownersOf(work, parent);
  // In a group without an owner, an owned one would be in a place that its owners don't see.
  const isOwned = parent === undefined || owners.length > 0;
  const all = new Set([...owners, ...(isOwned && memberGroup !== undefined ? [memberGroup] : [])]);
  const rows = [...all].map((owner) => ({ member_group: owner, device_group: serialno }));
  if (rows.length > 0) await work.insertInto('member_group_device_group').values(rows).execute();
  await putInOrder(work, serialno, parent, before);
  return answerOf(work, serialno);
}

interface Versioned {
  readonly serialno: number;
  readonly version: number;
}

async function changeGroup(work: StoreDb, { serialno, version }: Versioned, place: GroupPlace): Promise<TreeAnswer> {
  const { name, parent, before } = place;
  const current = await groupRow(work, serialno);
  if (current === undefined) return { ok: false, reason: 'gone' };
  if (current.version !== version) return { ok: false, reason: 'conflict' };
  if (parent !== undefined && (await groupRow(work, parent)) === undefined) return { ok: false, reason: 'no-parent' };
  if (await liesIn(work, parent, serialno)) return { ok: false, reason: 'cycle' };
  if (await isNameTaken(work, place, serialno)) return { ok: false, reason: 'name-taken' };
  const values = { name, parent: parent ?? null, version: version + 1 };
  await work.updateTable('device_group').set(values).where('serialno', '=', serialno).execute();
  const isMoved = (current.parent ?? undefined) !== parent || before !== undefined;
  if (isMoved) await putInOrder(work, serialno, parent, before);
  return answerOf(work, serialno);
}

async function removeGroups(
  work: StoreDb,
  groups: readonly number[],
  { serialno, version, moveTo, atMs }: GroupRemoval,
): Promise<GroupRemoved> {
  const current = await groupRow(work, serialno);
  if (current?.version !== version) return { ok: false, reason: 'conflict' };
  const inThem = work.selectFrom('device').select('device_id').where('device_group', 'in', groups);
  const devices = (await inThem.execute()).map((row) => row.device_id);
  if (devices.length > 0 && moveTo === undefined) return { ok: false, reason: 'not-empty' };
  if (devices.length > 0 && moveTo !== undefined) {
    await work
      .updateTable('device')
      .set((is) => ({ device_group: moveTo, version: is('version', '+', 1), changed_at_ms: atMs }))
      .where('device_group', 'in', groups)
      .execute();
  }
  await work.deleteFrom('device_group').where('serialno', 'in', groups).execute();
  return { ok: true, moved: devices };
}

async function claimGroups(work: StoreDb, groups: readonly number[], memberGroup: number): Promise<void> {
  for (const group of groups) {
    if ((await ownersOf(work, group)).length > 0) continue;
    const values = { member_group: memberGroup, device_group: group };
    await work.insertInto('member_group_device_group').values(values).execute();
  }
}

function groupRow(work: StoreDb, serialno: number) {
  return work.selectFrom('device_group').selectAll().where('serialno', '=', serialno).executeTakeFirst();
}

async function ownersOf(work: StoreDb, deviceGroup: number): Promise<number[]> {
  const owners = work.selectFrom('member_group_device_group').select('member_group');
  return (await owners.where('device_group', '=', deviceGroup).execute()).map((row) => row.member_group);
}

function besides(work: StoreDb, parent: number | undefined) {
  const groups = work.selectFrom('device_group').select(['serialno', 'name']).orderBy('position').orderBy('serialno');
  return parent === undefined ? groups.where('parent', 'is', null) : groups.where('parent', '=', parent);
}

/** Two siblings of the same name could not be told apart, least of all in an import. */
async function isNameTaken(work: StoreDb, place: GroupPlace, self: number | undefined): Promise<boolean> {
  const { name, parent, among } = place;
  const beside = await besides(work, parent).execute();
  return beside.some((group) => group.serialno !== self && group.name === name && among.includes(group.serialno));
}

async function liesIn(work: StoreDb, group: number | undefined, ancestor: number): Promise<boolean> {
  let at = group;
  while (at !== undefined) {
    if (at === ancestor) return true;
    at = (await groupRow(work, at))?.parent ?? undefined;
  }
  return false;
}

async function putInOrder(
  work: StoreDb,
  serialno: number,
  parent: number | undefined,
  before: number | undefined,
): Promise<void> {
  const others = (await besides(work, parent).execute()).map((row) => row.serialno).filter((each) => each !== serialno);
  const at = before === undefined ? -1 : others.indexOf(before);
  const ordered = at < 0 ? [...others, serialno] : [...others.slice(0, at), serialno, ...others.slice(at)];
  for (const [position, each] of ordered.entries()) {
    await work.updateTable('device_group').set({ position }).where('serialno', '=', each).execute();
  }
}

async function answerOf(work: StoreDb, serialno: number): Promise<TreeAnswer> {
  const row = await groupRow(work, serialno);
  if (row === undefined) return { ok: false, reason: 'gone' };
  const owned = (await ownersOf(work, serialno)).length > 0;
  const { name, parent, version } = row;
  return { ok: true, group: { serialno, name, parent: parent ?? undefined, version, owned } };
}
