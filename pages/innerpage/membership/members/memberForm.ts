// A member's form as data.
import type { Member, MemberContent, NewMember } from '../../../../shared/protocol/api/accounts.ts';
import { MIN_PASSWORD_LENGTH } from '../../../../shared/protocol/passwords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { isEmailAddress, isPhoneNumber, phoneNumberOf } from '../../../../shared/ui/form/text/contactText.ts';

export interface MemberDraft {
  readonly username: string;
  readonly displayName: string;
  /** A role's number as text; '0' for a list of the member's own. */
  readonly role: string;
  readonly groups: readonly string[];
  readonly language: string;
  readonly timeZone: string;
  readonly email: string;
  readonly phone: string;
  readonly expiresAtMs: number | null;
  readonly disabled: boolean;
  readonly wallMonitorAllowed: boolean;
  /** How somebody new gets in. */
  readonly entry: 'link' | 'password';
  readonly password: string;
}

export const NEW_MEMBER: MemberDraft = {
  username: '',
  displayName: '',
  role: '',
  groups: [],
  language: '',
  timeZone: '',
  email: '',
  phone: '',
  expiresAtMs: null,
  disabled: false,
  wallMonitorAllowed: false,
  entry: 'link',
  password: '',
};

export function draftOf(member: Member): MemberDraft {
  const { username, displayName, language, timeZone, email, phone, disabled, wallMonitorAllowed } = member;
  return {
    ...NEW_MEMBER,
    username,
    displayName,
    language,
    timeZone,
    email,
    phone,
    disabled,
    wallMonitorAllowed,
    role: String(member.role),
    groups: member.groups.map(String),
    expiresAtMs: member.expiresAtMs === 0 ? null : member.expiresAtMs,
  };
}

export function contentOf(draft: MemberDraft): MemberContent {
  const { language, timeZone, disabled, wallMonitorAllowed } = draft;
  return {
    displayName: draft.displayName.trim(),
    role: Number(draft.role),
    groups: draft.groups.map(Number),
    language,
    timeZone,
    email: draft.email.trim(),
    phone: phoneNumberOf(draft.phone),
    expiresAtMs: draft.expiresAtMs ?? 0,
    disabled,
    wallMonitorAllowed,
  };
}

export function newMemberOf(draft: MemberDraft): NewMember {
  const password = draft.entry === 'password' ? { password: draft.password } : {};
  return { ...contentOf(draft), username: draft.username.trim(), ...password };
}

export interface MemberTexts {
  readonly noName: string;
  readonly badName: string;
  readonly noRole: string;
  readonly shortPassword: string;
  readonly badTimestamp: string;
  readonly badEmail: string;
  readonly badPhone: string;
}

export function checkMember(draft: MemberDraft, texts: MemberTexts, isNew: boolean): Problems<MemberDraft> {
  const name = draft.username.trim();
  const named = name === '' ? texts.noName : /[/\\?#%]/.test(name) ? texts.badName : undefined;
  const needsPassword = isNew && draft.entry === 'password' && draft.password.length < MIN_PASSWORD_LENGTH;
  return {
    username: isNew ? named : undefined,
    role: draft.role === '' ? texts.noRole : undefined,
    password: needsPassword ? texts.shortPassword : undefined,
    email: isEmailAddress(draft.email) ? undefined : texts.badEmail,
    phone: isPhoneNumber(draft.phone) ? undefined : texts.badPhone,
    expiresAtMs: Number.isNaN(draft.expiresAtMs) ? texts.badTimestamp : undefined,
  };
}
