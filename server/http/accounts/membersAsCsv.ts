import type { Member } from '../../../shared/protocol/api/accounts.ts';
import { csvTimestamp } from '../kernel/allRows.ts';

export const CSV_HEADER = [
  'username',
  'display_name',
  'role',
  'member_groups',
  'state',
  'second_factor',
  'language',
  'time_zone',
  'expires',
  'last_sign_in',
  'created',
];

/** Times in UTC, as spreadsheets and scripts both read them. */
export function memberLine(
  member: Member,
  roleName: string,
  groupNames: ReadonlyMap<number, string>,
): readonly string[] {
  const groups = member.groups.map((group) => groupNames.get(group) ?? String(group)).join('; ');
  return [
    member.username,
    member.displayName,
    roleName,
    groups,
    member.state,
    member.secondFactor ? 'yes' : 'no',
    member.language,
    member.timeZone,
    ...[member.expiresAtMs, member.lastSignInAtMs, member.createdAtMs].map(csvTimestamp),
  ];
}

/** The names of the columns before the rows. */
export async function* withHeader(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<readonly (readonly string[])[]> {
  yield [header];
  yield* batches;
}
