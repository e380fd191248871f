// The form of how a user wants to be notified, as data. Pure.
import type { OwnNotify, OwnNotifyContent } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import type { PersonalKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { isEmailAddress, isPhoneNumber, phoneNumberOf } from '../../../../shared/ui/form/text/contactText.ts';

export interface NotifyDraft {
  readonly email: string;
  readonly phone: string;
  readonly channels: Readonly<Record<PersonalKind, boolean>>;
  readonly quietHours: WeekSchedule;
  readonly messageLanguage: OwnNotifyContent['messageLanguage'];
}

export function draftOf({ email, phone, channels, quietHours, messageLanguage }: OwnNotify): NotifyDraft {
  const has = (kind: PersonalKind) => channels.includes(kind);
  return {
    email,
    phone,
    channels: { email: has('email'), sms: has('sms'), push: has('push') },
    quietHours,
    messageLanguage,
  };
}

export function contentOf({ email, phone, channels, quietHours, messageLanguage }: NotifyDraft): OwnNotifyContent {
  const kinds = Object.entries(channels) as [PersonalKind, boolean][];
  return {
    email: email.trim(),
    phone: phoneNumberOf(phone),
    channels: kinds.filter(([, isOn]) => isOn).map(([kind]) => kind),
    quietHours,
    messageLanguage,
  };
}

export interface NotifyTexts {
  readonly badEmail: string;
  readonly badPhone: string;
}

export function checkNotify(draft: NotifyDraft, texts: NotifyTexts): Problems<NotifyDraft> {
  return {
    email: isEmailAddress(draft.email) ? undefined : texts.badEmail,
    phone: isPhoneNumber(draft.phone) ? undefined : texts.badPhone,
  };
}
