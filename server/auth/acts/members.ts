// What members do with the accounts of members: adding, changing and removing them.
import type { AddedMember, MemberContent, NewMember } from '../../../shared/protocol/api/accounts.ts';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { type Actor, refusalOfFields } from '../../records/recordActs.ts';
import type { MemberStore, StoredMember } from '../../store/accounts/members.ts';
import type { RoleStore, StoredRole, Unchanged } from '../../store/accounts/roles.ts';
import type { SessionListStore } from '../../store/accounts/sessionList.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import type { Invitations } from '../invitations.ts';
import {
  type FieldFaults,
  faultsOfChange,
  faultsOfNew,
  groupScope,
  type Actor as MembershipActor,
  mayEdit,
  sees,
} from '../membershipRules.ts';
import { passwordFault } from '../passwordRules.ts';
import type { Passwords } from '../passwords.ts';
import type { Sessions } from '../sessions.ts';
import { type AccountActsDeps, type AccountRefusal, findActing, noteAndTell } from './accountActs.ts';
import { groupNamesOf, namesOf } from './groupNames.ts';

export interface MemberActsDeps extends AccountActsDeps {
  readonly members: Pick<MemberStore, 'find' | 'insert' | 'update' | 'remove'>;
  readonly roles: Pick<RoleStore, 'find'>;
  readonly sessionList: Pick<SessionListStore, 'removeWallMonitors'>;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly invitations: Pick<Invitations, 'issue'>;
  readonly passwords: Pick<Passwords, 'hash'>;
}

export type MemberRefusal = AccountRefusal<StoredMember, 'own-account' | 'common-password'>;

export interface MemberActs {
  /** Invites the member unless they are given a password. */
  add(actor: Actor, content: NewMember): Promise<Outcome<AddedMember, MemberRefusal>>;
  /** Ends sessions that the member may not have any more. */
  change(actor: Actor, named: RecordVersion, content: MemberContent): Promise<Outcome<StoredMember, MemberRefusal>>;
  remove(actor: Actor, named: RecordVersion): Promise<Outcome<StoredMember, MemberRefusal>>;
}

const NEEDED = [Permission.Member];

export function createMemberActs(deps: MemberActsDeps): MemberActs {
  return {
    add: (actor, content) => addMember(actor, content, deps),
    change: (actor, named, content) => changeMember(actor, { named, content }, deps),
    remove: async (actor, { id, version }) => {
      const editable = await findEditable(actor, id, deps);
      if (!editable.ok) return editable;
      const { known } = editable.value;
      if (id === actor.userId) return { ok: false, reason: { kind: 'own-account' } };
      const removed = await deps.members.remove(id, version);
      if (!removed.ok) return { ok: false, reason: refusalFor(removed.reason, known) };
      const before = auditFieldsOf(removed.value, await groupNamesOf(deps));
      await noteAndTell(actor, { action: 'user.remove', target: known.username, before }, deps);
      return removed;
    },
  };
}

async function addMember(
  actor: Actor,
  { username, password, ...content }: NewMember,
  deps: MemberActsDeps,
): Promise<Outcome<AddedMember, MemberRefusal>> {
  const acting = await findActing(actor, NEEDED, deps);
  if (!acting.ok) return acting;
  const { role, ofRole, ofGroups } = await findNamed(content, deps);
  const ofRights = faultsOfNew(acting.value, { ...content, role });
  const ofTexts = { ...nameFaults(username), ...textFaults(content) };
  const refusal = refusalOfFields({ ...ofGroups, ...ofTexts, ...ofRights, ...ofRole });
  if (refusal !== undefined) return { ok: false, reason: refusal };
  if (password !== undefined && passwordFault(password, username) !== undefined) {
    return { ok: false, reason: { kind: 'common-password' } };
  }
  const passwordHash = password === undefined ? '' : await deps.passwords.hash(password);
  const expiresAtMs = wallMs(content.expiresAtMs);
  const user = { ...content, expiresAtMs, username, passwordHash, permissions: [], role: role?.id };
  const added = await deps.members.insert(user, content.groups, deps.now());
  if (!added.ok) return { ok: false, reason: { kind: 'taken', field: 'username' } };
  const id = added.value;
  const invitation = password === undefined ? await deps.invitations.issue(id, actor.userId) : undefined;
  const after = auditFieldsOf({ ...content, roleName: role?.name ?? '' }, await groupNamesOf(deps));
  const detail = { by: invitation === undefined ? 'password' : 'invitation' };
  await noteAndTell(actor, { action: 'user.add', target: username, after, detail }, deps);
  return { ok: true, value: { id, ...(invitation === undefined ? {} : { invitation }) } };
}

interface MemberChange {
  readonly named: RecordVersion;
  readonly content: MemberContent;
}

async function changeMember(
  actor: Actor,
  { named: { id, version }, content }: MemberChange,
  deps: MemberActsDeps,
): Promise<Outcome<StoredMember, MemberRefusal>> {
  const editable = await findEditable(actor, id, deps);
  if (!editable.ok) return editable;
  const { known, acting } = editable.value;
  const { role, ofRole, ofGroups } = await findNamed(content, deps);
  const ofRights = faultsOfChange(acting, known, { ...content, role });
  const refusal = refusalOfFields({ ...ofGroups, ...textFaults(content), ...ofRights, ...ofRole });
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const stored = { ...content, role: role?.id, expiresAtMs: wallMs(content.expiresAtMs) };
  const changed = await deps.members.update(id, version, { content: stored, scope: groupScope(acting) });
  if (!changed.ok) return { ok: false, reason: refusalFor(changed.reason, known) };
  const now = await deps.members.find(id);
  if (now === undefined) return { ok: false, reason: { kind: 'gone' } };
  if (content.disabled) await deps.sessions.endAllOf(id);
  // Given for half a year: what is not allowed any more must not go on until then.
  else if (!content.wallMonitorAllowed) await deps.sessionList.removeWallMonitors(id);
  const names = await groupNamesOf(deps);
  const [before, after] = [auditFieldsOf(changed.value, names), auditFieldsOf(now, names)];
  await noteAndTell(actor, { action: 'user.change', target: known.username, before, after }, deps);
  return { ok: true, value: now };
}

interface Editable {
  readonly known: StoredMember;
  readonly acting: MembershipActor;
}

async function findEditable(actor: Actor, id: number, deps: MemberActsDeps): Promise<Outcome<Editable, MemberRefusal>> {
  const acting = await findActing(actor, NEEDED, deps);
  if (!acting.ok) return acting;
  const known = await deps.members.find(id);
  if (known === undefined || !sees(acting.value, known)) return { ok: false, reason: { kind: 'gone' } };
  if (!mayEdit(acting.value, known)) return { ok: false, reason: { kind: 'beyond-own' } };
  return { ok: true, value: { known, acting: acting.value } };
}

function refusalFor(reason: Unchanged, known: StoredMember): MemberRefusal {
  return reason === 'conflict' ? { kind: reason, current: known } : { kind: reason };
}

interface NamedRecords {
  /** Undefined: none, which is right for a member who has none, or an unknown one. */
  readonly role: StoredRole | undefined;
  readonly ofRole: FieldFaults;
  readonly ofGroups: FieldFaults;
}

/** The records that a content names by their numbers, and the faults of those that don't exist. */
async function findNamed({ role, groups }: MemberContent, deps: MemberActsDeps): Promise<NamedRecords> {
  const known = role === 0 ? undefined : await deps.roles.find(role);
  const names = await groupNamesOf(deps);
  return {
    role: known,
    ofRole: role === 0 || known !== undefined ? {} : { role: 'unknown' },
    ofGroups: groups.every((group) => names.has(group)) ? {} : { groups: 'unknown' },
  };
}

/** Faults of the texts themselves, whoever sends them. */
function textFaults({ timeZone }: MemberContent): FieldFaults {
  return isTimeZone(timeZone) ? {} : { timeZone: 'unknown' };
}

/** A username is a part of link addresses, between slashes. */
function nameFaults(username: string): FieldFaults {
  if (username.trim() === '') return { username: 'required' };
  return /^\S(?:[^/\\?#%]*\S)?$/.test(username) && !/[/\\?#%]/.test(username) ? {} : { username: 'bad-format' };
}

interface AuditedMember extends Omit<MemberContent, 'role'> {
  readonly roleName: string;
}

/** The fields for the audit log: roles and groups by their names at that time, since numbers outlive what they number. */
function auditFieldsOf(member: AuditedMember, groupNames: ReadonlyMap<number, string>): AuditFields {
  const { displayName, roleName, language, timeZone, email = '', phone = '' } = member;
  const { expiresAtMs, disabled, wallMonitorAllowed } = member;
  const groups = namesOf(member.groups, groupNames);
  const person = { displayName, role: roleName, groups, language, timeZone, email, phone };
  return { ...person, expiresAtMs, disabled, wallMonitorAllowed };
}
