// What users see and change in their own accounts, and what an invited member does before there is a session.
import * as Type from 'typebox/type';
import { ChosenLanguage, ChosenTimeZone, DisplayName, GroupName, ListedSession } from './accounts.ts';
import { Count, closed, Flag, Id, type RecordOf, Text } from './records.ts';
import { CodeText, NewPasswordText, PasswordText, TicketText } from './signIn.ts';

export const PROFILE_PATH = '/api/user/profile';
export const OWN_SESSIONS_PATH = '/api/user/sessions';
export const SECOND_FACTOR_PATH = '/api/user/secondfactor';
export const INVITATION_PATH = '/api/user/invitation';
export const OWN_GROUPS_PATH = '/api/system/membergroup';
export const OWN_GROUP_PATH = '/api/system/member';

export const Profile = Type.Object({
  username: Text,
  displayName: Text,
  language: Text,
  timeZone: Text,
});
export type Profile = RecordOf<typeof Profile>;

export const ProfileContent = Type.Object(
  { displayName: DisplayName, language: ChosenLanguage, timeZone: ChosenTimeZone },
  closed,
);
export type ProfileContent = RecordOf<typeof ProfileContent>;

export const OwnSessions = Type.Array(ListedSession);

export const SecondFactorState = Type.Object({
  isEnrolled: Flag,
  isRequired: Flag,
  recoveryCodesLeft: Count,
});
export type SecondFactorState = RecordOf<typeof SecondFactorState>;

/** Proof that the account's owner is the one changing the second factor. */
export const SecondFactorProof = Type.Object(
  {
    password: PasswordText,
    /** Code of the current second factor; left out if there is none. */
    code: Type.Optional(CodeText),
  },
  closed,
);
export type SecondFactorProof = RecordOf<typeof SecondFactorProof>;

export const CodeBody = Type.Object({ code: CodeText }, closed);

/** Shown once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Text) });

export const InvitationBody = Type.Object({ token: TicketText }, closed);
export const InvitationAcceptance = Type.Object({ token: TicketText, password: NewPasswordText }, closed);

export const Invited = Type.Object({ username: Text, displayName: Text, language: Text });
export type Invited = RecordOf<typeof Invited>;

export const InvitationAccepted = Type.Object({ username: Text });

export const OwnGroups = Type.Array(GroupName);
export const OwnGroupChoice = Type.Object(
  { self: Type.Literal(true), membergroup: Type.Integer({ minimum: 1 }) },
  closed,
);
export const OwnGroup = Type.Object({ membergroup: Id });
