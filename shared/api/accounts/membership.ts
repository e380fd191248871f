// The calls that run the accounts. What the gateway answers is taken as it comes, but for lists that must be lists.
import type {
  EditedGroup,
  GroupContent,
  IssuedInvitation,
  ListedSession,
  Member,
  MemberContent,
  MembershipChoices,
  NewMember,
  Role,
  RoleContent,
} from '../../protocol/api/accounts.ts';
import { wallMs } from '../../protocol/time.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import { asFields, numberOf, textOf } from '../fields.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';

export const MEMBERS_PATH = '/api/membership/members';
export const GROUPS_PATH = '/api/membership/groups';
const ROLES_PATH = '/api/membership/roles';
export const SESSIONS_PATH = '/api/membership/sessions';

type Listed<Row> = Promise<ApiResult<ListPage<Row>>>;

export function listMembers(query: ListQuery, signal?: AbortSignal): Listed<Member> {
  return requestList(MEMBERS_PATH, query, readMember, signal);
}

/** With an invitation when no password was given. Field codes: `taken`, `required`, `bad-format`, `beyond-own`, `unknown`. */
export async function addMember(member: NewMember): Promise<ApiResult<IssuedInvitation | undefined>> {
  const result = await requestJson<unknown>(MEMBERS_PATH, { method: 'POST', body: member });
  return mapResult(result, (data) => {
    const { invitation } = asFields(data);
    return invitation === undefined ? undefined : readInvitation(invitation);
  });
}

export function saveMember(id: number, version: number, content: MemberContent): Promise<ApiResult<unknown>> {
  return requestJson(`${MEMBERS_PATH}/${id}`, { method: 'PUT', body: { version, ...content } });
}

export function removeMember({ id, version }: Pick<Member, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestJson(`${MEMBERS_PATH}/${id}`, { method: 'DELETE', query: { version } });
}

export async function inviteMember(id: number): Promise<ApiResult<IssuedInvitation>> {
  return mapResult(await requestJson<unknown>(`${MEMBERS_PATH}/${id}/invitation`, { method: 'POST' }), readInvitation);
}

export function setMemberPassword(id: number, password: string): Promise<ApiResult<unknown>> {
  return requestJson(`${MEMBERS_PATH}/${id}/password`, { method: 'PUT', body: { password } });
}

export function resetSecondFactor(id: number): Promise<ApiResult<unknown>> {
  return requestJson(`${MEMBERS_PATH}/${id}/secondfactor`, { method: 'DELETE' });
}

export function listSessions(query: ListQuery, signal?: AbortSignal): Listed<ListedSession> {
  return requestList(SESSIONS_PATH, query, readSession, signal);
}

export function endSession(id: string): Promise<ApiResult<unknown>> {
  return requestJson(`${SESSIONS_PATH}/${id}`, { method: 'DELETE' });
}

export async function getChoices(signal?: AbortSignal): Promise<ApiResult<MembershipChoices>> {
  return mapResult(await requestJson<unknown>('/api/membership/choices', { signal }), (data) => {
    const { roles, groups, deviceGroups, secondFactorForAll } = asFields(data);
    return {
      roles: listOf(roles, readRole),
      groups: listOf(groups, readNamed),
      deviceGroups: listOf(deviceGroups, readNamed),
      secondFactorForAll: secondFactorForAll === true,
    };
  });
}

/** Field codes: `taken`, `required`, `beyond-own`. */
export function addRole(role: RoleContent): Promise<ApiResult<unknown>> {
  return requestJson(ROLES_PATH, { method: 'POST', body: role });
}

export function saveRole(id: number, version: number, role: RoleContent): Promise<ApiResult<unknown>> {
  return requestJson(`${ROLES_PATH}/${id}`, { method: 'PUT', body: { version, ...role } });
}

export function removeRole({ id, version }: Pick<Role, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestJson(`${ROLES_PATH}/${id}`, { method: 'DELETE', query: { version } });
}

export function setSecondFactorForAll(secondFactorForAll: boolean): Promise<ApiResult<unknown>> {
  return requestJson('/api/membership/policy', { method: 'PUT', body: { secondFactorForAll } });
}

export function listGroups(query: ListQuery, signal?: AbortSignal): Listed<EditedGroup> {
  return requestList(GROUPS_PATH, query, readGroup, signal);
}

/** Field codes: `taken`, `required`, `unknown`. */
export function addGroup(group: GroupContent): Promise<ApiResult<unknown>> {
  return requestJson(GROUPS_PATH, { method: 'POST', body: group });
}

export function saveGroup(serialno: number, version: number, group: GroupContent): Promise<ApiResult<unknown>> {
  return requestJson(`${GROUPS_PATH}/${serialno}`, { method: 'PUT', body: { version, ...group } });
}

export function removeGroup({ serialno, version }: EditedGroup): Promise<ApiResult<unknown>> {
  return requestJson(`${GROUPS_PATH}/${serialno}`, { method: 'DELETE', query: { version } });
}

export interface PeopleChange {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

export function changePeople(serialno: number, change: PeopleChange): Promise<ApiResult<unknown>> {
  return requestJson(`${GROUPS_PATH}/${serialno}/people`, { method: 'POST', body: change });
}

function listOf<Item>(value: unknown, read: (item: unknown) => Item): readonly Item[] {
  return Array.isArray(value) ? value.map(read) : [];
}

const numbers = (value: unknown): readonly number[] => listOf(value, numberOf);
const moment = (value: unknown) => wallMs(numberOf(value));

const STATES = ['active', 'invited', 'disabled', 'expired'] as const;

export function readMember(data: unknown): Member {
  const row = asFields(data);
  return {
    id: numberOf(row.id),
    username: textOf(row.username),
    displayName: textOf(row.displayName),
    role: numberOf(row.role),
    permissions: listOf(row.permissions, textOf),
    groups: numbers(row.groups),
    language: textOf(row.language),
    timeZone: textOf(row.timeZone),
    expiresAtMs: moment(row.expiresAtMs),
    disabled: row.disabled === true,
    wallMonitorAllowed: row.wallMonitorAllowed === true,
    state: STATES.find((state) => state === row.state) ?? 'active',
    secondFactor: row.secondFactor === true,
    invitationEndsAtMs: moment(row.invitationEndsAtMs),
    lastSignInAtMs: moment(row.lastSignInAtMs),
    createdAtMs: moment(row.createdAtMs),
    version: numberOf(row.version),
    isSelf: row.isSelf === true,
    mayEdit: row.mayEdit === true,
    mayPlace: row.mayPlace === true,
  };
}

const BUILT_IN = ['operator', 'manager', 'administrator'] as const;

export function readRole(data: unknown): Role {
  const row = asFields(data);
  return {
    id: numberOf(row.id),
    name: textOf(row.name),
    permissions: listOf(row.permissions, textOf),
    builtIn: BUILT_IN.find((kind) => kind === row.builtIn) ?? '',
    secondFactorRequired: row.secondFactorRequired === true,
    members: numberOf(row.members),
    version: numberOf(row.version),
    mayGive: row.mayGive === true,
    mayEdit: row.mayEdit === true,
  };
}

export function readGroup(data: unknown): EditedGroup {
  const row = asFields(data);
  return {
    serialno: numberOf(row.serialno),
    name: textOf(row.name),
    retentionDays: numberOf(row.retentionDays),
    expiresAtMs: moment(row.expiresAtMs),
    deviceGroups: numbers(row.deviceGroups),
    people: numberOf(row.people),
    version: numberOf(row.version),
  };
}

export function readSession(data: unknown): ListedSession {
  const row = asFields(data);
  return {
    id: textOf(row.id),
    memberId: numberOf(row.memberId),
    username: textOf(row.username),
    displayName: textOf(row.displayName),
    createdAtMs: moment(row.createdAtMs),
    lastSeenAtMs: moment(row.lastSeenAtMs),
    endsAtMs: moment(row.endsAtMs),
    wallMonitor: row.wallMonitor === true,
    address: textOf(row.address),
    userAgent: textOf(row.userAgent),
    isCurrent: row.isCurrent === true,
    mayEnd: row.mayEnd === true,
  };
}

function readNamed(data: unknown): { readonly serialno: number; readonly name: string } {
  const { serialno, name } = asFields(data);
  return { serialno: numberOf(serialno), name: textOf(name) };
}

function readInvitation(data: unknown): IssuedInvitation {
  const { token, expiresAtMs } = asFields(data);
  return { token: textOf(token), expiresAtMs: moment(expiresAtMs) };
}
