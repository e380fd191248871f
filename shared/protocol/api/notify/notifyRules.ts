// Rules for which events are sent to whom, when and how (docs/notifications.md). Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { SEVERITIES } from '../../events/eventWords.ts';
import { LOCALES } from '../../locale.ts';
import { SENDER_KINDS } from '../../notify/notifyWords.ts';
import { ChosenTimeZone } from '../accounts.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';
import { WeekSchedule } from '../weekWindows.ts';

export const NOTIFY_RULES_PATH = '/api/eventnotify/rules';
export const NOTIFY_CHOICES_PATH = '/api/eventnotify/choices';
export const NOTIFY_EXPLAIN_PATH = '/api/eventnotify/explain';
export const NOTIFY_DRY_RUN_PATH = '/api/eventnotify/dryrun';

export const MAX_RULE_NAME = 100;
export const MAX_RULES = 500;
export const MAX_STEPS = 5;
const MAX_TYPES = 500;
const MAX_GROUPS = 1_000;
const MAX_DEVICES = 1_000;
export const MAX_DELIVERIES = 10;
const MAX_MEMBERS = 200;
const MAX_ROLES = 50;
const MAX_ADDRESSES = 50;
const MAX_ADDRESS_LENGTH = 254;
const MINUTES_A_DAY = 1_440;

const KnownId = Type.Integer({ minimum: 1 });
const Minutes = Type.Integer({ minimum: 0, maximum: MINUTES_A_DAY });

export const NotifyDelivery = Type.Object(
  {
    sender: KnownId,
    /** A template for the sender's kind; 0: the one that comes with the product. */
    template: Type.Integer({ minimum: 0 }),
  },
  closed,
);
export type NotifyDelivery = RecordOf<typeof NotifyDelivery>;

/** Steps follow one another until the event is answered. */
export const NotifyStep = Type.Object(
  {
    /** Since the event began; rises from step to step. 0: at once. */
    afterMinutes: Minutes,
    deliveries: Type.Array(NotifyDelivery, { minItems: 1, maxItems: MAX_DELIVERIES }),
    /** Ids of members of the member group. */
    members: Type.Array(KnownId, { maxItems: MAX_MEMBERS, uniqueItems: true }),
    /** Ids; recipients are the members of the group who have one of these roles. */
    roles: Type.Array(KnownId, { maxItems: MAX_ROLES, uniqueItems: true }),
    /** Mail addresses and phone numbers (+ and digits): each is used by the senders of its kind. */
    addresses: Type.Array(
      Type.String({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH, pattern: '^[^\\s\\u0000-\\u001f\\u007f]*$' }),
      {
        maxItems: MAX_ADDRESSES,
        uniqueItems: true,
      },
    ),
  },
  closed,
);
export type NotifyStep = RecordOf<typeof NotifyStep>;

const content = {
  name: LineOfText(MAX_RULE_NAME),
  enabled: Flag,
  /** Codes; empty: all. */
  types: Type.Array(ShortText, { maxItems: MAX_TYPES, uniqueItems: true }),
  /** Empty: all. */
  severities: Type.Array(OneOf(SEVERITIES), { maxItems: SEVERITIES.length, uniqueItems: true }),
  /** Serial numbers, with the groups inside them. With `devices` empty too: all devices of the member group. */
  deviceGroups: Type.Array(KnownId, { maxItems: MAX_GROUPS, uniqueItems: true }),
  /** Device ids, beside those of the groups. */
  devices: Type.Array(ShortText, { maxItems: MAX_DEVICES, uniqueItems: true }),
  /** Includes events of the gateway itself, which only members with `system` are sent. */
  coversGateway: Flag,
  /** When an event must begin for messages to be sent; empty: at any time. */
  schedule: WeekSchedule,
  /** Time zone of the schedule and quiet hours: IANA name; '' for the device's own. */
  timeZone: ChosenTimeZone,
  steps: Type.Array(NotifyStep, { minItems: 1, maxItems: MAX_STEPS }),
  /** Minimum time between two events of one device and type; 0: none. */
  intervalMinutes: Minutes,
  /** The last step is repeated until the event is answered, for a day at most; 0: not at all. At least 5. */
  repeatMinutes: Minutes,
  /** Events are collected for this long and sent in one message; 0: one message for each. */
  digestMinutes: Minutes,
  /** Hours in which messages are held back until the hours end; empty: none. */
  quietHours: WeekSchedule,
  /** Critical events are sent in quiet hours too, including the members' own. */
  criticalPasses: Flag,
  /** Members' own channels and quiet hours are respected. */
  membersChoose: Flag,
  /** Language of messages to services and plain addresses; members have their own. */
  language: OneOf(LOCALES),
};

export const NotifyRuleContent = Type.Object(content, closed);
export type NotifyRuleContent = RecordOf<typeof NotifyRuleContent>;

export const ChangedNotifyRule = Type.Object({ ...content, version: Version }, closed);
export type ChangedNotifyRule = RecordOf<typeof ChangedNotifyRule>;

export const NotifyRule = Type.Object({
  id: Id,
  version: Version,
  ...content,
  changedAtMs: Timestamp,
  changedBy: Text,
});
export type NotifyRule = RecordOf<typeof NotifyRule>;

export const NOTIFY_RULE_SORTS = ['name', 'changedAtMs'] as const;
export type NotifyRuleSort = (typeof NOTIFY_RULE_SORTS)[number];

/** The choices in a rule's form: members and roles of the current member group, senders and templates of the installation. */
export const NotifyChoices = Type.Object({
  members: Type.Array(
    Type.Object({
      id: Id,
      username: Text,
      displayName: Text,
      hasEmail: Flag,
      hasPhone: Flag,
      /** Browsers that the member allowed. */
      pushBrowsers: Count,
    }),
  ),
  /** `members`: how many of the group have it. */
  roles: Type.Array(Type.Object({ id: Id, name: Text, builtIn: Text, members: Count })),
  senders: Type.Array(Type.Object({ id: Id, name: Text, kind: OneOf(SENDER_KINDS), enabled: Flag })),
  templates: Type.Array(Type.Object({ id: Id, name: Text, kind: OneOf(SENDER_KINDS) })),
  deviceGroups: Type.Array(Type.Object({ id: Id, name: Text, parent: Type.Union([Id, Type.Null()]) })),
  devices: Type.Array(Type.Object({ deviceid: Text, name: Text, plate: Text })),
});
export type NotifyChoices = RecordOf<typeof NotifyChoices>;

/** Reasons why a rule sends nothing for an event. */
export const RULE_MISSES = [
  'disabled',
  'other-device',
  'other-type',
  'other-severity',
  'not-scheduled',
  'too-late',
  'interval',
  'no-recipient',
] as const;
export type RuleMiss = (typeof RULE_MISSES)[number];

/** Reasons why a recipient of a matching rule gets no message, or gets it later. */
export const RECIPIENT_NOTES = [
  'none',
  'quiet-hours',
  'no-address',
  'no-browser',
  'not-chosen',
  'not-in-group',
  'no-system',
  'disabled-sender',
  'no-sender',
] as const;
export type RecipientNote = (typeof RECIPIENT_NOTES)[number];

export const ExplainRequest = Type.Object({ event: Type.Integer({ minimum: 1 }) }, closed);

export const ExplainedRecipient = Type.Object({
  step: Count,
  sender: Id,
  senderName: Text,
  kind: OneOf(SENDER_KINDS),
  /** '' for a service. */
  recipient: Text,
  /** When it would be sent, unless the event is answered before; 0: never. */
  atMs: Timestamp,
  note: OneOf(RECIPIENT_NOTES),
});
export type ExplainedRecipient = RecordOf<typeof ExplainedRecipient>;

export const ExplainedRule = Type.Object({
  rule: Id,
  name: Text,
  /** Empty: the rule matches. */
  misses: Type.Array(OneOf(RULE_MISSES)),
  recipients: Type.Array(ExplainedRecipient),
});
export type ExplainedRule = RecordOf<typeof ExplainedRule>;
export const Explained = Type.Array(ExplainedRule);
export type Explained = RecordOf<typeof Explained>;

export const DRY_RUN_DAYS = 7;
/** A rule as it is being edited. */
export const DryRunRequest = Type.Object({ rule: NotifyRuleContent }, closed);
export const DryRun = Type.Object({
  events: Count,
  /** Days of the rule's zone, the earliest first. */
  days: Type.Array(Type.Object({ fromMs: Timestamp, messages: Count })),
  /** There were more events than are looked at. */
  isCut: Flag,
});
export type DryRun = RecordOf<typeof DryRun>;
