// How members want to be notified, within what rules allow.
import * as Type from 'typebox/type';
import { LOCALES } from '../../locale.ts';
import { MAIL_ADDRESS_PATTERN } from '../../notify/mailAddress.ts';
import { PERSONAL_KINDS } from '../../notify/notifyWords.ts';
import { closed, Id, OneOf, type RecordOf, Text, Timestamp } from '../records.ts';
import { WeekSchedule } from '../weekWindows.ts';

export const OWN_NOTIFY_PATH = '/api/user/notify';
export const OWN_PUSH_PATH = '/api/user/push';

export const MAX_EMAIL_LENGTH = 254;
export const EMAIL_PATTERN = `^$|^${MAIL_ADDRESS_PATTERN}$`;
export const PHONE_PATTERN = '^$|^\\+[1-9]\\d{5,14}$';

/** '' for none. */
export const EmailAddress = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN });
/** International, such as +886912345678; '' for none. */
export const PhoneNumber = Type.String({ pattern: PHONE_PATTERN });

const content = {
  email: EmailAddress,
  phone: PhoneNumber,
  /** Kinds of senders that may notify the member. */
  channels: Type.Array(OneOf(PERSONAL_KINDS), { maxItems: PERSONAL_KINDS.length, uniqueItems: true }),
  /** On the clock of the account's time zone; empty: none. */
  quietHours: WeekSchedule,
  /** Language of messages; '' for the account's language. */
  messageLanguage: OneOf(['', ...LOCALES]),
};
export const OwnNotifyContent = Type.Object(content, closed);
export type OwnNotifyContent = RecordOf<typeof OwnNotifyContent>;

export const OwnNotify = Type.Object({
  ...content,
  /** VAPID key of the installation, base64url; '' where no push sender is enabled. */
  pushKey: Text,
  browsers: Type.Array(
    Type.Object({
      id: Id,
      /** SHA-256 in hex, by which a browser recognizes itself. */
      endpointHash: Text,
      userAgent: Text,
      createdAtMs: Timestamp,
      lastUsedAtMs: Timestamp,
    }),
  ),
});
export type OwnNotify = RecordOf<typeof OwnNotify>;

/** A push subscription as a browser provides it. */
export const PushSubscriptionContent = Type.Object(
  {
    endpoint: Type.String({ maxLength: 1_000, pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$' }),
    /** base64url of 65 and 16 bytes. */
    p256dh: Type.String({ pattern: '^[\\w-]{87}=?$' }),
    auth: Type.String({ pattern: '^[\\w-]{22}(==)?$' }),
  },
  closed,
);
export type PushSubscriptionContent = RecordOf<typeof PushSubscriptionContent>;
