// Whether recordings can be held as evidence beside what is held already, where member groups share the space. Members' holds stay until
// they release them: half of the space is first come, first served, and in the other half a group gets no more than an equal share.
// Clips of events can be released: they use all free space, and give it back to groups that have less than a share. Pure.
import { bytesToGive } from '../../limits/makeRoom.ts';

/** Bytes held of the recordings of a member group's devices; group 0: of devices that no longer belong to a group. */
export interface HeldBytes {
  readonly memberGroup: number;
  readonly bytes: number;
  /** The part that members hold; the rest is held for events alone. */
  readonly memberBytes: number;
}

export interface SharedSpace {
  readonly maximumBytes: number;
  /** Member groups that may hold something. */
  readonly groups: number;
}

/** `full`: others hold what is missing, or all of it is the group's. `share-used`: the rest is kept for other groups. */
export type NoRoom = 'full' | 'share-used';
/** Bytes of clips that have to be released first, by member group. */
export type RoomByClips = ReadonlyMap<number, number>;
export type Room = 'free' | NoRoom | RoomByClips;

/** Part of the space that members of any group may fill beyond its share: most groups hold nothing, and a long ride takes many shares. */
const COMMON_PART = 0.5;

/** Room for a member's hold. `held`: with this hold included. */
export function roomForMember(memberGroup: number, held: readonly HeldBytes[], space: SharedSpace): Room {
  const share = shareOfEvidence(held, space);
  const byMembers = sumOf(held, ({ memberBytes }) => memberBytes);
  const isWithinShare = (ofGroup(memberGroup, held)?.memberBytes ?? 0) <= share;
  if (isWithinShare || byMembers <= space.maximumBytes * COMMON_PART) return roomByClips(held, share, space);
  return byMembers > space.maximumBytes ? 'full' : 'share-used';
}

/** Room for the clip of an event. `held`: with this clip included. */
export function roomForClip(memberGroup: number, held: readonly HeldBytes[], space: SharedSpace): Room {
  if (sumOf(held, ({ bytes }) => bytes) <= space.maximumBytes) return 'free';
  const share = memberGroup === 0 ? 0 : shareOfEvidence(held, space);
  const own = ofGroup(memberGroup, held)?.bytes ?? 0;
  return share === 0 || own > share ? 'full' : roomByClips(held, share, space);
}

/**
 * The most that each member group can get, whatever the others do from now on: an equal share of the space that is left by recordings
 * without a group, and by members of groups that hold more than such a share.
 */
export function shareOfEvidence(held: readonly HeldBytes[], { maximumBytes, groups }: SharedSpace): number {
  const ofGroups = held.filter(({ memberGroup }) => memberGroup !== 0).map(({ memberBytes }) => memberBytes);
  let left = maximumBytes - (ofGroup(0, held)?.memberBytes ?? 0);
  let sharing = Math.max(1, groups, ofGroups.length);
  for (const bytes of ofGroups.sort((one, other) => other - one)) {
    if (sharing === 0 || bytes <= left / sharing) break;
    left -= bytes;
    sharing--;
  }
  return sharing === 0 ? 0 : Math.max(0, Math.floor(left / sharing));
}

/** The groups that are furthest above their share release clips, each no more than its excess. */
function roomByClips(held: readonly HeldBytes[], share: number, { maximumBytes }: SharedSpace): Room {
  const excess = sumOf(held, ({ bytes }) => bytes) - maximumBytes;
  if (excess <= 0) return 'free';
  const givable = new Map<number, number>();
  for (const { memberGroup, bytes, memberBytes } of held) {
    const above = memberGroup === 0 ? bytes : bytes - share;
    givable.set(memberGroup, Math.max(0, Math.min(above, bytes - memberBytes)));
  }
  if ([...givable.values()].reduce((sum, bytes) => sum + bytes, 0) < excess) return 'full';
  return bytesToGive(givable, excess);
}

function ofGroup(memberGroup: number, held: readonly HeldBytes[]): HeldBytes | undefined {
  return held.find((each) => each.memberGroup === memberGroup);
}

function sumOf(held: readonly HeldBytes[], bytesOf: (each: HeldBytes) => number): number {
  return held.reduce((sum, each) => sum + bytesOf(each), 0);
}
