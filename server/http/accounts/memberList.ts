import type { FastifyInstance } from 'fastify';
import { MEMBER_SORTS, MEMBERS_PATH, Member, MemberFilters } from '../../../shared/protocol/api/accounts.ts';
import { groupNamesOf } from '../../auth/acts/groupNames.ts';
import { callerOf } from '../kernel/caller.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { actorOf, joinedNames, MAY_RUN_MEMBERS, type MembershipDeps, withinOf } from './common.ts';
import { showMember } from './memberShape.ts';

/** The members that the caller sees. */
export function registerMemberList(app: FastifyInstance, deps: MembershipDeps): void {
  const { members, now } = deps;
  listRoutes(app, {
    path: MEMBERS_PATH,
    summary: 'Members',
    access: MAY_RUN_MEMBERS.access,
    row: Member,
    sorts: MEMBER_SORTS,
    order: { sort: 'username', descending: false },
    filters: MemberFilters,
    scope: (request) => actorOf(callerOf(request)),
    load: async ({ filters: { role, group, state, secondFactor }, ...query }, actor) => {
      const page = await members.page({
        ...query,
        role: role === undefined ? undefined : Number(role),
        group: group === undefined ? undefined : Number(group),
        state,
        hasSecondFactor: secondFactor === undefined ? undefined : secondFactor === '1',
        within: withinOf(actor),
        at: now(),
      });
      if (page === undefined) return undefined;
      return { ...page, rows: page.rows.map((member) => showMember(member, actor, now())) };
    },
    csv: { fileName: 'members.csv', columns: CSV_COLUMNS, cells: () => cellsFor(deps) },
  });
}

const CSV_COLUMNS = [
  'username',
  'display_name',
  'role',
  'member_groups',
  'state',
  'second_factor',
  'language',
  'time_zone',
  'email',
  'phone',
  'expires',
  'last_sign_in',
  'created',
];

async function cellsFor(deps: MembershipDeps): Promise<(member: Member) => CsvRow> {
  const [roles, groupNames] = await Promise.all([deps.roles.list(), groupNamesOf(deps)]);
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  return (member) => [
    member.username,
    member.displayName,
    roleNames.get(member.role) ?? '',
    joinedNames(member.groups, groupNames),
    member.state,
    member.secondFactor ? 'yes' : 'no',
    member.language,
    member.timeZone,
    member.email,
    member.phone,
    csvTimestamp(member.expiresAtMs),
    csvTimestamp(member.lastSignInAtMs),
    csvTimestamp(member.createdAtMs),
  ];
}
