// Shapes of the calls that run the accounts (docs/contract.md), as both sides see them. Times in milliseconds, 0 for none.
import type { WallMs } from '../time.ts';

export type MemberState = 'active' | 'invited' | 'disabled' | 'expired';

export interface Member {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  /** 0: no role, the member has a list of permissions of the own. */
  readonly role: number;
  readonly permissions: readonly string[];
  /** Of those that the caller may see. */
  readonly groups: readonly number[];
  /** '' until chosen. */
  readonly language: string;
  readonly timeZone: string;
  readonly expiresAtMs: WallMs;
  readonly disabled: boolean;
  readonly wallMonitorAllowed: boolean;
  readonly state: MemberState;
  readonly secondFactor: boolean;
  /** Of a link that was not used yet. */
  readonly invitationEndsAtMs: WallMs;
  readonly lastSignInAtMs: WallMs;
  readonly createdAtMs: WallMs;
  readonly version: number;
  readonly isSelf: boolean;
  /** Whether the caller may change the member: nobody changes one who may do or see more. */
  readonly mayEdit: boolean;
  /** Whether the caller may take the member into groups of the caller's, and out of them. */
  readonly mayPlace: boolean;
}

/** What a member's form edits. */
export interface MemberContent {
  readonly displayName: string;
  readonly role: number;
  readonly groups: readonly number[];
  readonly language: string;
  readonly timeZone: string;
  readonly expiresAtMs: number;
  readonly disabled: boolean;
  readonly wallMonitorAllowed: boolean;
}

export interface NewMember extends MemberContent {
  readonly username: string;
  /** Left out: the member is invited by a link. */
  readonly password?: string;
}

/** A link that lets a member choose a password. The token is given out once. */
export interface IssuedInvitation {
  readonly token: string;
  readonly expiresAtMs: WallMs;
}

export type BuiltInRole = 'operator' | 'manager' | 'administrator';

export interface Role {
  readonly id: number;
  readonly name: string;
  /** '' for roles that people made. Pages have names of their own for the others. */
  readonly builtIn: BuiltInRole | '';
  readonly permissions: readonly string[];
  readonly secondFactorRequired: boolean;
  readonly members: number;
  readonly version: number;
  /** Whether the caller may give it to others. */
  readonly mayGive: boolean;
  readonly mayEdit: boolean;
}

export interface RoleContent {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly secondFactorRequired: boolean;
}

export interface EditedGroup {
  readonly serialno: number;
  readonly name: string;
  /** 0: no limit. */
  readonly retentionDays: number;
  readonly expiresAtMs: WallMs;
  readonly deviceGroups: readonly number[];
  readonly people: number;
  readonly version: number;
}

export interface GroupContent {
  readonly name: string;
  readonly retentionDays: number;
  readonly expiresAtMs: number;
  readonly deviceGroups: readonly number[];
}

export interface ListedSession {
  readonly id: string;
  readonly memberId: number;
  readonly username: string;
  readonly displayName: string;
  readonly createdAtMs: WallMs;
  readonly lastSeenAtMs: WallMs;
  readonly endsAtMs: WallMs;
  readonly wallMonitor: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly isCurrent: boolean;
  readonly mayEnd: boolean;
}

/** What the forms choose from. */
export interface MembershipChoices {
  readonly roles: readonly Role[];
  readonly groups: readonly { readonly serialno: number; readonly name: string }[];
  /** Only for callers who may give them to groups. */
  readonly deviceGroups: readonly { readonly serialno: number; readonly name: string }[];
  readonly secondFactorForAll: boolean;
}

/** A second factor that was begun: shown once, to be proven by a code. */
export interface TotpEnrolment {
  readonly secret: string;
  readonly address: string;
}

export interface SecondFactorState {
  readonly isEnrolled: boolean;
  readonly isRequired: boolean;
  readonly recoveryCodesLeft: number;
}

/** What users see and change of themselves. */
export interface Profile {
  readonly username: string;
  readonly displayName: string;
  readonly language: string;
  readonly timeZone: string;
}

/** What the lists are sorted by. */
export const MEMBER_SORTS = [
  'username',
  'displayName',
  'role',
  'expiresAtMs',
  'lastSignInAtMs',
  'createdAtMs',
] as const;
export const GROUP_SORTS = ['name', 'people', 'retentionDays', 'expiresAtMs'] as const;
export const SESSION_SORTS = ['username', 'createdAtMs', 'lastSeenAtMs', 'address'] as const;
