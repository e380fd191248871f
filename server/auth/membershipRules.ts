// Who may do what to whose account. Pure.
import { ALL_PERMISSIONS, Permission } from '../../shared/protocol/permissions.ts';

export interface Actor {
  readonly id: number;
  readonly permissions: readonly string[];
  readonly role: number | undefined;
  /** All groups that the actor belongs to. */
  readonly groups: readonly number[];
}

export interface Subject {
  readonly id: number;
  readonly permissions: readonly string[];
  readonly role: number | undefined;
  readonly groups: readonly number[];
  readonly disabled: boolean;
  readonly expiresAtMs: number;
  readonly wallMonitorAllowed: boolean;
}

export interface Wanted {
  /** Undefined: none, or an unknown one. */
  readonly role: { readonly id: number; readonly permissions: readonly string[] } | undefined;
  readonly groups: readonly number[];
  readonly disabled: boolean;
  readonly expiresAtMs: number;
  readonly wallMonitorAllowed: boolean;
}

export type FieldFaults = Readonly<Record<string, string>>;

/** The member groups that the actor can see and assign; undefined for all, which `system` allows. */
export function groupScope(actor: Actor): readonly number[] | undefined {
  return actor.permissions.includes(Permission.System) ? undefined : actor.groups;
}

export function holdsAll(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((permission) => held.includes(permission));
}

/**
 * An administrator has every permission. Nobody ranks above to assign groups, so administrators can choose their own;
 * otherwise they could see no device.
 */
export function isAdministrator(actor: Pick<Actor, 'permissions'>): boolean {
  return holdsAll(actor.permissions, ALL_PERMISSIONS);
}

export function sees(actor: Actor, subject: Pick<Subject, 'id' | 'groups'>): boolean {
  const scope = groupScope(actor);
  if (scope === undefined || subject.id === actor.id) return true;
  return subject.groups.some((group) => scope.includes(group));
}

/**
 * Whether the actor may change the account, set its password or end its sessions. Not if the account has more permissions
 * or is in groups that the actor can't see: otherwise a member could take over an account with more rights by resetting its
 * password.
 */
export function mayEdit(actor: Actor, subject: Pick<Subject, 'id' | 'groups' | 'permissions'>): boolean {
  const scope = groupScope(actor);
  return mayPlace(actor, subject) && (scope === undefined || holdsAllGroups(scope, subject.groups));
}

/** Whether the actor may add the member to the actor's own groups and remove them from these. */
export function mayPlace(actor: Actor, subject: Pick<Subject, 'id' | 'groups' | 'permissions'>): boolean {
  return sees(actor, subject) && holdsAll(actor.permissions, subject.permissions);
}

/** Whether the actor may make a link by which the member chooses a password; asked again when the link is used. */
export function mayInvite(actor: Actor, subject: Pick<Subject, 'id' | 'groups' | 'permissions'>): boolean {
  return actor.id !== subject.id && actor.permissions.includes(Permission.Member) && mayEdit(actor, subject);
}

interface Shifted {
  /** The member groups that owned the device group before the change. */
  readonly owners: readonly number[];
}

interface Shift {
  readonly memberGroup: number;
  readonly added: readonly Shifted[];
  readonly removed: readonly Shifted[];
}

/**
 * Whether the actor may change which device groups a member group owns. Only administrators may bring devices into their
 * own view that they could not see before: neither by assigning them to their own member group, nor by leaving them without
 * an owner, after which they can be claimed.
 */
export function mayShiftDeviceGroups(actor: Actor, { memberGroup, added, removed }: Shift): boolean {
  if (isAdministrator(actor)) return true;
  const isOwn = (group: number): boolean => actor.groups.includes(group);
  const isSeen = ({ owners }: Shifted): boolean => owners.some(isOwn);
  const isClaimable = ({ owners }: Shifted): boolean =>
    owners.length === 0 && actor.permissions.includes(Permission.DeviceGroup);
  const taken = isOwn(memberGroup) ? added : [];
  const freed = removed.filter(({ owners }) => owners.every((owner) => owner === memberGroup));
  return taken.every((each) => isSeen(each) || isClaimable(each)) && freed.every(isSeen);
}

/** Field faults of a new member. */
export function faultsOfNew(actor: Actor, wanted: Wanted): FieldFaults {
  return { ...roleFault(actor, wanted), ...groupFault(actor, wanted.groups) };
}

/** Field faults of a change. Unchanged values are never faults. */
export function faultsOfChange(actor: Actor, known: Subject, wanted: Wanted): FieldFaults {
  if (actor.id === known.id) return faultsOfOwn(actor, known, wanted);
  const roleStays = wanted.role?.id === known.role;
  return { ...(roleStays ? {} : roleFault(actor, wanted)), ...groupFault(actor, wanted.groups) };
}

const OWN = 'own-account';

function faultsOfOwn(actor: Actor, known: Subject, wanted: Wanted): FieldFaults {
  const mayChooseGroups = isAdministrator(actor);
  return {
    ...(wanted.role?.id === known.role ? {} : { role: OWN }),
    ...(mayChooseGroups || sameGroups(actor, known.groups, wanted.groups) ? {} : { groups: OWN }),
    ...(wanted.disabled === known.disabled ? {} : { disabled: OWN }),
    ...(wanted.expiresAtMs === known.expiresAtMs ? {} : { expiresAtMs: OWN }),
    ...(wanted.wallMonitorAllowed === known.wallMonitorAllowed ? {} : { wallMonitorAllowed: OWN }),
  };
}

function roleFault(actor: Actor, { role }: Wanted): FieldFaults {
  if (role === undefined) return { role: 'required' };
  return holdsAll(actor.permissions, role.permissions) ? {} : { role: 'beyond-own' };
}

function groupFault(actor: Actor, groups: readonly number[]): FieldFaults {
  const scope = groupScope(actor);
  if (scope === undefined) return {};
  if (!holdsAllGroups(scope, groups)) return { groups: 'beyond-own' };
  // Without one of the actor's groups, the actor couldn't see the member.
  return groups.length === 0 ? { groups: 'required' } : {};
}

function holdsAllGroups(scope: readonly number[], groups: readonly number[]): boolean {
  return groups.every((group) => scope.includes(group));
}

function sameGroups(actor: Actor, known: readonly number[], wanted: readonly number[]): boolean {
  const scope = groupScope(actor);
  const seen = scope === undefined ? known : known.filter((group) => scope.includes(group));
  return seen.length === new Set(wanted).size && wanted.every((group) => seen.includes(group));
}
