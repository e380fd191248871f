// Device groups: what the calls of /api/devicegroup/groups say.
import * as Type from 'typebox/type';
import { GroupOrNone } from './devices.ts';
import { Count, closed, Flag, Id, IdText, Nullable, type RecordOf, Text, Version, VersionText } from './records.ts';

export const DEVICE_GROUPS_PATH = '/api/devicegroup/groups';

export const GroupNode = Type.Object({
  id: Id,
  name: Text,
  /** Null at the top, also where the group above is none that the caller sees. */
  parent: GroupOrNone,
  version: Count,
  /** Devices in it, those of the groups beneath not counted. */
  devices: Count,
  /** False for a group of no member group: only administrators see it. */
  owned: Flag,
});
export type GroupNode = RecordOf<typeof GroupNode>;

export const GroupTree = Type.Object({
  /** The caller's member group; null for a caller who belongs to none. */
  memberGroup: Nullable(Type.Object({ serialno: Id, name: Text })),
  /** Each behind the groups beside it that come before it. */
  groups: Type.Array(GroupNode),
  /** Devices that lie in no group. */
  ungrouped: Count,
});
export type GroupTree = RecordOf<typeof GroupTree>;

export const GroupPlace = Type.Object(
  {
    name: Type.String({ maxLength: 4_000 }),
    parent: GroupOrNone,
    /** The group that it comes before; null or left out: the last one. */
    before: Type.Optional(GroupOrNone),
  },
  closed,
);
export type GroupPlace = RecordOf<typeof GroupPlace>;

export const EditedGroup = Type.Object({ ...GroupPlace.properties, version: Version }, closed);
export type EditedGroup = RecordOf<typeof EditedGroup>;

export const GroupIdParams = Type.Object({ id: IdText });

export const GroupRemoval = Type.Object({
  version: VersionText,
  /** Where its devices, and those of the groups beneath it, go. Left out, there must be none. */
  moveto: Type.Optional(IdText),
});
