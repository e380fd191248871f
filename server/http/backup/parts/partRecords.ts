// Records of both databases, the archive's and the present one: references are names, since the numbers differ between them.
import type { PartFault } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart, PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';
import type { Actor } from '../../../auth/membershipRules.ts';
import type { Actor as ActingMember } from '../../../records/recordActs.ts';
import type { Stores } from '../../../store/stores.ts';
import type { PartActs } from './partActs.ts';

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
  /** The key by which the same record is found in another database. */
  readonly key: string;
  /** The key as people write it. */
  readonly name: string;
  readonly fields: PartFields;
  /** Whether the record belongs to the caller's member group, or to no group. */
  readonly isReached: boolean;
  /** ID in the record's own database. */
  readonly id: number | string;
  readonly version: number;
}

/** Another record that a field names. */
export interface PartReference {
  readonly field: string;
  readonly record: PartRecordKind;
  readonly key: string;
  readonly name: string;
  /** Whether the reference may be to a record of another member group. */
  readonly isAnywhere?: boolean;
}

export interface WantedRecord {
  readonly record: PartRecord;
  /** The fields that the record is to have. */
  readonly fields: PartFields;
  readonly present: PartRecord | undefined;
}

export interface PlanContext {
  readonly actor: Actor;
  readonly username: string;
  /** Maximum devices that the license allows; 0 for no limit. */
  readonly maxDevices: number;
  readonly present: ReadonlyMap<PartRecordKind, readonly PartRecord[]>;
  /** The records in the parts that are imported. */
  readonly archived: ReadonlyMap<PartRecordKind, readonly PartRecord[]>;
}

/** Checks one record after the other: it may remember the previous ones. */
export type JudgeRecord = (wanted: WantedRecord) => readonly PartFault[];

/** What came of a record that was to be saved. `code`: the fault of a field, or that of the whole record. */
export type SavedPart =
  | { readonly ok: true; readonly id?: number | string }
  | { readonly ok: false; readonly code: string };

interface SavingPart {
  readonly actor: ActingMember;
  readonly acts: PartActs;
  /** The IDs of the references, which exist. */
  readonly ids: RequiredIds;
}

type SavePart = (wanted: WantedRecord, saving: SavingPart) => Promise<SavedPart>;

export interface PartKind {
  readonly record: PartRecordKind;
  readonly part: BackupPart;
  /** `memberGroup`: the caller's, as that database numbers it; NO_GROUP where it has none of that name. */
  read(stores: PartStores, memberGroup: number): Promise<readonly PartRecord[]>;
  references(fields: PartFields): readonly PartReference[];
  /** The wanted fields, with those that the present record keeps. Left out: it keeps none. */
  merge?(wanted: PartFields, present: PartFields): PartFields;
  /** The faults for which the record would be refused, besides missing references. Left out: only the call itself checks it. */
  judge?(context: PlanContext): JudgeRecord;
  /** Saves the record as its page would, by the same use case. */
  readonly save: SavePart;
}

/** Throws MissingReference for a record that has been deleted meanwhile. */
export type RequiredIds = (record: PartRecordKind, key: string) => number | string;

export class MissingReference extends Error {
  override readonly name = 'MissingReference';
}

/** Nobody can tell two names apart that differ only in case or width, so they have the same key. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

export function textsOf(value: unknown): readonly string[] {
  return value as readonly string[];
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
