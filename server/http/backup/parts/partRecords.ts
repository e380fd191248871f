// Records as both databases have them, the archive's and the present one: references are names, since numbers are another's there.
import type { PartFault } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart, PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';
import type { Actor } from '../../../auth/membershipRules.ts';
import type { Stores } from '../../../store/stores.ts';
import type { ApiCall } from './callsAs.ts';

export type PartStores = Pick<
  Stores,
  | 'deviceGroups'
  | 'deviceTree'
  | 'deviceRecords'
  | 'roles'
  | 'users'
  | 'members'
  | 'memberGroups'
  | 'memberGroupEditing'
  | 'fences'
  | 'eventTypes'
  | 'eventReasons'
  | 'eventRules'
  | 'notifyTemplates'
  | 'notifySenders'
>;

export type PartFields = Readonly<Record<string, unknown>>;

export interface PartRecord {
  /** By which the same record is found in another database. */
  readonly key: string;
  /** The key as people write it. */
  readonly name: string;
  readonly fields: PartFields;
  /** Whether it is one of the caller's member group, or of no group's. */
  readonly isReached: boolean;
  /** In its own database. */
  readonly id: number | string;
  readonly version: number;
}

/** Another record that a field names. */
export interface PartReference {
  readonly field: string;
  readonly record: PartRecordKind;
  readonly key: string;
  readonly name: string;
  /** Also one of other member groups. */
  readonly isAnywhere?: boolean;
}

export interface WantedRecord {
  readonly record: PartRecord;
  /** What it shall have. */
  readonly fields: PartFields;
  readonly present: PartRecord | undefined;
}

export interface PlanContext {
  readonly actor: Actor;
  readonly username: string;
  /** As many devices as the license allows; 0 for no limit. */
  readonly maxDevices: number;
  readonly present: ReadonlyMap<PartRecordKind, readonly PartRecord[]>;
  /** Of the parts that are imported. */
  readonly archived: ReadonlyMap<PartRecordKind, readonly PartRecord[]>;
}

/** Judges one record after the other: it may remember those before. */
export type JudgeRecord = (wanted: WantedRecord) => readonly PartFault[];

export interface PartKind {
  readonly record: PartRecordKind;
  readonly part: BackupPart;
  /** `memberGroup`: the caller's, as that database numbers it; NO_GROUP where it has none of that name. */
  read(stores: PartStores, memberGroup: number): Promise<readonly PartRecord[]>;
  references(fields: PartFields): readonly PartReference[];
  /** With what stays of the record that is there. Left out: nothing does. */
  merge?(wanted: PartFields, present: PartFields): PartFields;
  /** What would refuse it, beside references that lead nowhere. Left out: only the call itself does. */
  judge?(context: PlanContext): JudgeRecord;
  /** As a page would save it. `ids` gives those of the references, which are there. */
  call(wanted: WantedRecord, ids: RequiredIds): ApiCall;
}

/** Throws MissingReference for one that is gone meanwhile. */
export type RequiredIds = (record: PartRecordKind, key: string) => number | string;

export class MissingReference extends Error {
  override readonly name = 'MissingReference';
}

/** Nobody can tell two names apart that differ in case or width alone. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

export function faultOf(field: string, code: string, value = ''): PartFault {
  return { field, code, value };
}

export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
