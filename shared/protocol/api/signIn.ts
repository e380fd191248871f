// Signing in and out, and the state of a session. Pages that play video and the shell read these answers by small readers of
// their own (shared/api/parsers.ts, shared/api/accounts/user.ts) and take no schema into their scripts.
import * as Type from 'typebox/type';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords.ts';
import { Count, closed, Flag, Id, type RecordOf, ShortText, Text } from './records.ts';

/** Checked against what is stored, whatever the rules for new ones are. */
export const PasswordText = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH });
export const NewPasswordText = Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH });
/** A code of the authenticator app, or a recovery code. */
export const CodeText = Type.String({ minLength: 1, maxLength: 64 });
/** The secret of an invitation link, or of a sign-in that is not finished. */
export const TicketText = Type.String({ pattern: '^[A-Za-z\\d]{27}$' });

export const SignInBody = Type.Object(
  {
    username: ShortText,
    password: PasswordText,
    /** Asks for the long session of a wall monitor; given only to members who may have it. */
    wallMonitor: Type.Optional(Flag),
  },
  closed,
);
export const TicketBody = Type.Object({ ticket: TicketText }, closed);
export const TicketCodeBody = Type.Object({ ticket: TicketText, code: CodeText }, closed);
export const PasswordChangeBody = Type.Object({ password: PasswordText, newPassword: NewPasswordText }, closed);

export const SignInAnswer = Type.Object({
  login: Flag,
  language: Type.Optional(Text),
  /** What is still owed: a code of the second factor, or setting one up. */
  step: Type.Optional(Type.Enum(['code', 'enrol'])),
  /** For the calls of that step. */
  ticket: Type.Optional(Text),
  /** Shown once, when a second factor was set up on the way in. */
  recoveryCodes: Type.Optional(Type.Array(Text)),
});

/** A second factor that was begun: shown once, to be proven by a code. */
export const TotpEnrolment = Type.Object({
  /** Base32. */
  secret: Text,
  /** The `otpauth:` address that a QR code shows. */
  address: Text,
});
export type TotpEnrolment = RecordOf<typeof TotpEnrolment>;

/** `login: false` alone where nobody is signed in. */
export const StatusAnswer = Type.Object({
  login: Flag,
  username: Type.Optional(Text),
  permission: Type.Optional(Type.Array(Text)),
  membergroup: Type.Optional(Id),
  retentiondays: Type.Optional(Count),
  expirydate: Type.Optional(Type.Integer()),
  language: Type.Optional(Text),
  /** Additions of ours: how others see the user, and the zone that times are shown in; '' for none. */
  displayname: Type.Optional(Text),
  timezone: Type.Optional(Text),
});
export type StatusAnswer = RecordOf<typeof StatusAnswer>;

export const FrameToken = Type.Object({ sid: Text, expires: Type.Integer() });
