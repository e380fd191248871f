// Accounts as seen by the members who manage them: members, roles, member groups, sessions. Times are milliseconds since the
// epoch, 0 for none.
import * as Type from 'typebox/type';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { EmailAddress, PhoneNumber } from './notify/ownNotify.ts';
import { Count, closed, Flag, Id, LineOfText, OneOf, type RecordOf, Text, Timestamp, Version } from './records.ts';
import { NewPasswordText } from './signIn.ts';

export const MEMBERS_PATH = '/api/membership/members';
export const ROLES_PATH = '/api/membership/roles';
export const CHOICES_PATH = '/api/membership/choices';
export const POLICY_PATH = '/api/membership/policy';
export const GROUPS_PATH = '/api/membership/groups';
export const SESSIONS_PATH = '/api/membership/sessions';

/** Maximum for members, roles and member groups alike. */
export const MAX_NAME_LENGTH = 64;
export const MAX_DISPLAY_NAME_LENGTH = 100;
const MAX_TIME_ZONE_LENGTH = 64;
const MAX_GROUPS_OF_MEMBER = 1_000;
const MAX_DEVICE_GROUPS_OF_GROUP = 10_000;
const MAX_PEOPLE_OF_CHANGE = 500;
export const MAX_RETENTION_DAYS = 36_500;
/** The end of the year 9999, the last moment that a date field takes. */
const LAST_MOMENT_MS = 253_402_300_799_999;

const Name = LineOfText(MAX_NAME_LENGTH);
const Expiry = Type.Integer({ minimum: 0, maximum: LAST_MOMENT_MS });
const KnownId = Type.Integer({ minimum: 1 });
/** A number in a query, where 0 stands for records without it. */
const NumberText = Type.String({ pattern: '^\\d{1,15}$' });

/** A locale; '' until chosen. */
export const ChosenLanguage = OneOf<string>(['', 'en', 'zh-TW', 'jp']);
/** IANA name; '' for the browser's own. */
export const ChosenTimeZone = LineOfText(MAX_TIME_ZONE_LENGTH);
export const DisplayName = LineOfText(MAX_DISPLAY_NAME_LENGTH);

const MEMBER_STATES = ['active', 'invited', 'disabled', 'expired'] as const;
export const MemberState = OneOf(MEMBER_STATES);
export type MemberState = RecordOf<typeof MemberState>;

export const Member = Type.Object({
  id: Id,
  username: Text,
  displayName: Text,
  /** 0: no role, the member has a list of permissions of their own. */
  role: Id,
  permissions: Type.Array(Text),
  /** Only groups that the caller may see. */
  groups: Type.Array(Id),
  language: Text,
  timeZone: Text,
  /** '' for none; the same for the phone number. */
  email: Text,
  phone: Text,
  expiresAtMs: Timestamp,
  disabled: Flag,
  wallMonitorAllowed: Flag,
  state: MemberState,
  secondFactor: Flag,
  /** End of an invitation link that was not used yet. */
  invitationEndsAtMs: Timestamp,
  lastSignInAtMs: Timestamp,
  createdAtMs: Timestamp,
  version: Id,
  isSelf: Flag,
  /** Whether the caller may change the member: not if the member may do or see more than the caller. */
  mayEdit: Flag,
  /** Whether the caller may add the member to groups of the caller's, and remove the member from them. */
  mayPlace: Flag,
});
export type Member = RecordOf<typeof Member>;

const memberContent = {
  displayName: DisplayName,
  /** 0: the member keeps a list of permissions of their own. */
  role: Type.Integer({ minimum: 0 }),
  groups: Type.Array(KnownId, { maxItems: MAX_GROUPS_OF_MEMBER, uniqueItems: true }),
  language: ChosenLanguage,
  timeZone: ChosenTimeZone,
  /** Left out, as older clients do: the stored value stays. */
  email: Type.Optional(EmailAddress),
  phone: Type.Optional(PhoneNumber),
  expiresAtMs: Expiry,
  disabled: Flag,
  wallMonitorAllowed: Flag,
};

/** What a member's form edits. */
export const MemberContent = Type.Object(memberContent, closed);
export type MemberContent = RecordOf<typeof MemberContent>;

export const ChangedMember = Type.Object({ version: Version, ...memberContent }, closed);
export type ChangedMember = RecordOf<typeof ChangedMember>;

export const NewMember = Type.Object(
  {
    username: Name,
    /** Left out: the member is invited by a link. */
    password: Type.Optional(NewPasswordText),
    ...memberContent,
  },
  closed,
);
export type NewMember = RecordOf<typeof NewMember>;

/** A link that lets a member choose a password. The token is given out once. */
export const IssuedInvitation = Type.Object({ token: Text, expiresAtMs: Timestamp });
export type IssuedInvitation = RecordOf<typeof IssuedInvitation>;

/** `invitation`: only for a member who was given no password. */
export const AddedMember = Type.Object({ id: Id, invitation: Type.Optional(IssuedInvitation) });
export type AddedMember = RecordOf<typeof AddedMember>;

export const GivenPassword = Type.Object({ password: NewPasswordText }, closed);

/** How many sessions a change has ended. */
export const EndedSessions = Type.Object({ ended: Count });

export const MEMBER_SORTS = [
  'username',
  'displayName',
  'role',
  'expiresAtMs',
  'lastSignInAtMs',
  'createdAtMs',
] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

export const MemberFilters = {
  /** 0: members without a role. */
  role: Type.Optional(NumberText),
  group: Type.Optional(NumberText),
  state: Type.Optional(MemberState),
  secondFactor: Type.Optional(OneOf(['0', '1'])),
};

const BUILT_IN_ROLES = ['operator', 'manager', 'administrator'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

export const Role = Type.Object({
  id: Id,
  name: Text,
  /** '' for roles that users made. Pages have names of their own for the others. */
  builtIn: OneOf(['', ...BUILT_IN_ROLES]),
  permissions: Type.Array(Text),
  secondFactorRequired: Flag,
  /** How many members have the role. */
  members: Count,
  version: Id,
  /** Whether the caller may give the role to others. */
  mayGive: Flag,
  mayEdit: Flag,
});
export type Role = RecordOf<typeof Role>;

export const Roles = Type.Array(Role);

const roleContent = {
  name: Name,
  permissions: Type.Array(OneOf<string>(ALL_PERMISSIONS), { uniqueItems: true }),
  secondFactorRequired: Flag,
};

export const RoleContent = Type.Object(roleContent, closed);
export type RoleContent = RecordOf<typeof RoleContent>;

export const ChangedRole = Type.Object({ version: Version, ...roleContent }, closed);

/** A member group, as it is edited. */
export const EditedGroup = Type.Object({
  serialno: Id,
  name: Text,
  /** 0: no limit. */
  retentionDays: Count,
  expiresAtMs: Timestamp,
  deviceGroups: Type.Array(Id),
  people: Count,
  version: Id,
});
export type EditedGroup = RecordOf<typeof EditedGroup>;

const groupContent = {
  name: Name,
  retentionDays: Type.Integer({ minimum: 0, maximum: MAX_RETENTION_DAYS }),
  expiresAtMs: Expiry,
  deviceGroups: Type.Array(KnownId, { maxItems: MAX_DEVICE_GROUPS_OF_GROUP, uniqueItems: true }),
};

export const GroupContent = Type.Object(groupContent, closed);
export type GroupContent = RecordOf<typeof GroupContent>;

export const ChangedGroup = Type.Object({ version: Version, ...groupContent }, closed);

const PeopleIds = Type.Array(KnownId, { maxItems: MAX_PEOPLE_OF_CHANGE, uniqueItems: true });

/** Members who are added to a group and removed from it, by their ids. */
export const PeopleChange = Type.Object({ add: PeopleIds, remove: PeopleIds }, closed);
export type PeopleChange = RecordOf<typeof PeopleChange>;

export const GROUP_SORTS = ['name', 'people', 'retentionDays', 'expiresAtMs'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

export const GroupName = Type.Object({ serialno: Id, name: Text });

/** What the forms choose from. */
export const MembershipChoices = Type.Object({
  roles: Roles,
  groups: Type.Array(GroupName),
  /** Only for callers who may give device groups to member groups. */
  deviceGroups: Type.Array(GroupName),
  secondFactorForAll: Flag,
});
export type MembershipChoices = RecordOf<typeof MembershipChoices>;

export const MembershipPolicy = Type.Object({ secondFactorForAll: Flag }, closed);
export type MembershipPolicy = RecordOf<typeof MembershipPolicy>;

export const ListedSession = Type.Object({
  /** Names the session and opens nothing. */
  id: Text,
  memberId: Id,
  username: Text,
  displayName: Text,
  createdAtMs: Timestamp,
  lastSeenAtMs: Timestamp,
  /** The session ends then, unless it is used before. */
  endsAtMs: Timestamp,
  wallMonitor: Flag,
  address: Text,
  userAgent: Text,
  isCurrent: Flag,
  mayEnd: Flag,
});
export type ListedSession = RecordOf<typeof ListedSession>;

export const SessionParams = Type.Object({ id: Type.String({ pattern: '^[\\da-f]{1,64}$' }) });

export const SESSION_SORTS = ['username', 'createdAtMs', 'lastSeenAtMs', 'address'] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

export const SessionFilters = { member: Type.Optional(NumberText) };
