// The calls that run the accounts.
import {
  AddedMember,
  CHOICES_PATH,
  EditedGroup,
  EndedSessions,
  GROUPS_PATH,
  type GroupContent,
  IssuedInvitation,
  ListedSession,
  MEMBERS_PATH,
  Member,
  type MemberContent,
  MembershipChoices,
  MembershipPolicy,
  type NewMember,
  type PeopleChange,
  POLICY_PATH,
  ROLES_PATH,
  Role,
  type RoleContent,
  SESSIONS_PATH,
} from '../../protocol/api/accounts.ts';
import { Nothing } from '../../protocol/api/records.ts';
import { type ApiResult, mapResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { requestRecord } from '../requestRecord.ts';

type Listed<Row> = Promise<ApiResult<ListPage<Row>>>;

/** Filters: those of MemberFilters. */
export function listMembers(query: ListQuery, signal?: AbortSignal): Listed<Member> {
  return requestList(MEMBERS_PATH, Member, query, signal);
}

/** With an invitation when no password was given. Field codes: `taken`, `required`, `bad-format`, `beyond-own`, `unknown`. */
export async function addMember(member: NewMember): Promise<ApiResult<IssuedInvitation | undefined>> {
  const added = await requestRecord(MEMBERS_PATH, AddedMember, { method: 'POST', body: member });
  return mapResult(added, ({ invitation }) => invitation);
}

export function saveMember(id: number, version: number, content: MemberContent): Promise<ApiResult<Member>> {
  return requestRecord(`${MEMBERS_PATH}/${id}`, Member, { method: 'PUT', body: { version, ...content } });
}

export function removeMember({ id, version }: Pick<Member, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${MEMBERS_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

export function inviteMember(id: number): Promise<ApiResult<IssuedInvitation>> {
  return requestRecord(`${MEMBERS_PATH}/${id}/invitation`, IssuedInvitation, { method: 'POST' });
}

export function setMemberPassword(id: number, password: string): Promise<ApiResult<unknown>> {
  return requestRecord(`${MEMBERS_PATH}/${id}/password`, EndedSessions, { method: 'PUT', body: { password } });
}

export function resetSecondFactor(id: number): Promise<ApiResult<unknown>> {
  return requestRecord(`${MEMBERS_PATH}/${id}/secondfactor`, EndedSessions, { method: 'DELETE' });
}

/** Filters: those of SessionFilters. */
export function listSessions(query: ListQuery, signal?: AbortSignal): Listed<ListedSession> {
  return requestList(SESSIONS_PATH, ListedSession, query, signal);
}

export function endSession(id: string): Promise<ApiResult<unknown>> {
  return requestRecord(`${SESSIONS_PATH}/${id}`, Nothing, { method: 'DELETE' });
}

export function getChoices(signal?: AbortSignal): Promise<ApiResult<MembershipChoices>> {
  return requestRecord(CHOICES_PATH, MembershipChoices, { signal });
}

/** Field codes: `taken`, `required`, `beyond-own`. */
export function addRole(role: RoleContent): Promise<ApiResult<Role>> {
  return requestRecord(ROLES_PATH, Role, { method: 'POST', body: role });
}

export function saveRole(id: number, version: number, role: RoleContent): Promise<ApiResult<Role>> {
  return requestRecord(`${ROLES_PATH}/${id}`, Role, { method: 'PUT', body: { version, ...role } });
}

export function removeRole({ id, version }: Pick<Role, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${ROLES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

export function setSecondFactorForAll(secondFactorForAll: boolean): Promise<ApiResult<MembershipPolicy>> {
  return requestRecord(POLICY_PATH, MembershipPolicy, { method: 'PUT', body: { secondFactorForAll } });
}

export function listGroups(query: ListQuery, signal?: AbortSignal): Listed<EditedGroup> {
  return requestList(GROUPS_PATH, EditedGroup, query, signal);
}

/** Field codes: `taken`, `required`, `unknown`. */
export function addGroup(group: GroupContent): Promise<ApiResult<EditedGroup>> {
  return requestRecord(GROUPS_PATH, EditedGroup, { method: 'POST', body: group });
}

export function saveGroup(serialno: number, version: number, group: GroupContent): Promise<ApiResult<EditedGroup>> {
  return requestRecord(`${GROUPS_PATH}/${serialno}`, EditedGroup, { method: 'PUT', body: { version, ...group } });
}

export function removeGroup({ serialno, version }: EditedGroup): Promise<ApiResult<unknown>> {
  return requestRecord(`${GROUPS_PATH}/${serialno}`, Nothing, { method: 'DELETE', query: { version } });
}

export function changePeople(serialno: number, change: PeopleChange): Promise<ApiResult<EditedGroup>> {
  return requestRecord(`${GROUPS_PATH}/${serialno}/people`, EditedGroup, { method: 'POST', body: change });
}
