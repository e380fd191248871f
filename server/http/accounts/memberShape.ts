// Members on the wire: what comes in, how they are shown, and what is told of them in the audit.
import { Type } from 'typebox';
import type { MemberContent, Member as ShownMember } from '../../../shared/protocol/api/accounts.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import {
  type Actor,
  type FieldFaults,
  groupScope,
  isAdministrator,
  mayEdit,
  mayPlace,
} from '../../auth/membershipRules.ts';
import type { Member } from '../../store/accounts/members.ts';

const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$';
const Text = (maxLength: number) => Type.String({ maxLength, pattern: ONE_LINE });

/** One of these texts. */
export function OneOf<const Text extends string>(texts: readonly Text[]) {
  return Type.Unsafe<Text>(Type.String({ enum: [...texts] }));
}

export const State = OneOf(['active', 'invited', 'disabled', 'expired']);
const MAX_GROUPS = 1_000;

export const MAX_NAME = 64;
const LAST_MOMENT_MS = 253_402_300_799_999; // the end of the year 9999, the last that a date field takes

export const content = {
  displayName: Text(100),
  /** 0: the member keeps the list of the own. */
  role: Type.Integer({ minimum: 0 }),
  groups: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: MAX_GROUPS, uniqueItems: true }),
  language: OneOf(['', 'en', 'zh-TW', 'jp']),
  timeZone: Text(64),
  expiresAtMs: Type.Integer({ minimum: 0, maximum: LAST_MOMENT_MS }),
  disabled: Type.Boolean(),
  wallMonitorAllowed: Type.Boolean(),
};

const closed = { additionalProperties: false } as const;

export const NewPassword = Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH });
export const ChangedMember = Type.Object({ version: Type.Integer({ minimum: 1 }), ...content }, closed);
export const NewMember = Type.Object(
  { username: Text(MAX_NAME), password: Type.Optional(NewPassword), ...content },
  closed,
);
export type GivenMember = MemberContent;

const memberAnswer = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  displayName: Type.String(),
  role: Type.Integer(),
  permissions: Type.Array(Type.String()),
  groups: Type.Array(Type.Integer()),
  language: Type.String(),
  timeZone: Type.String(),
  expiresAtMs: Type.Integer(),
  disabled: Type.Boolean(),
  wallMonitorAllowed: Type.Boolean(),
  state: State,
  secondFactor: Type.Boolean(),
  invitationEndsAtMs: Type.Integer(),
  lastSignInAtMs: Type.Integer(),
  createdAtMs: Type.Integer(),
  version: Type.Integer(),
  isSelf: Type.Boolean(),
  mayEdit: Type.Boolean(),
  mayPlace: Type.Boolean(),
});
export const MemberAnswer = Type.Unsafe<ShownMember>(memberAnswer);

/** As this caller may see the member. */
export function showMember(member: Member, actor: Actor, at: WallMs): ShownMember {
  const scope = groupScope(actor);
  const { roleName: _, hasPassword: __, hasSecondFactor, ...shown } = member;
  return {
    ...shown,
    role: member.role ?? 0,
    permissions: [...member.permissions],
    groups: member.groups.filter((group) => scope?.includes(group) ?? true),
    secondFactor: hasSecondFactor,
    invitationEndsAtMs: member.invitationEndsAtMs > at ? member.invitationEndsAtMs : wallMs(0),
    state: stateOf(member, at),
    isSelf: member.id === actor.id,
    mayEdit: mayEdit(actor, member),
    mayPlace: mayPlace(actor, member) && (member.id !== actor.id || isAdministrator(actor)),
  };
}

export function stateOf(member: Member, at: WallMs): ShownMember['state'] {
  if (member.disabled) return 'disabled';
  if (member.expiresAtMs !== 0 && member.expiresAtMs <= at) return 'expired';
  return member.hasPassword ? 'active' : 'invited';
}

/** For the audit: roles and groups by the names that they have at that time, since numbers outlive what they number. */
export function factsOf(member: NotedMember, groupNames: ReadonlyMap<number, string>) {
  const { displayName, roleName, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed } = member;
  const groups = namesOf(member.groups, groupNames);
  return { displayName, role: roleName, groups, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed };
}

type NotedMember = Omit<GivenMember, 'role'> & { readonly roleName: string };

/** In the order of the names. */
export function namesOf(serials: readonly number[], names: ReadonlyMap<number, string>): readonly string[] {
  return serials.map((serialno) => names.get(serialno) ?? String(serialno)).sort();
}

/** What is wrong with the words themselves, whoever says them. */
export function textFaults({ timeZone }: Pick<GivenMember, 'timeZone'>): FieldFaults {
  return isTimeZone(timeZone) ? {} : { timeZone: 'unknown' };
}

/** '' stands for the browser's own. */
export function isTimeZone(name: string): boolean {
  if (name === '') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // asking is the only way to know
  }
}

/** A user name stands in the addresses of links, between slashes. */
export function nameFaults(username: string): FieldFaults {
  if (username.trim() === '') return { username: 'required' };
  return /^\S(?:[^/\\?#%]*\S)?$/.test(username) && !/[/\\?#%]/.test(username) ? {} : { username: 'bad-format' };
}
