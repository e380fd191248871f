// What changes in the gateway and who follows it. Messages are plain data: they name what has changed, and whoever follows reads it.
import type { RecordKind, ReloadTopic } from '../../shared/protocol/api/liveUpdates.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { ActedEvent } from '../store/events/eventActs.ts';
import type { ChangedMessage } from '../store/notify/outbox/messageActs.ts';
import { type Listener, Topic } from './topic.ts';

export interface RecordsChanged {
  readonly kinds: readonly RecordKind[];
  /** The group of the member who changed them; undefined for a caller without one. */
  readonly memberGroup: number | undefined;
  /** Database id of the record, from use cases that change one. */
  readonly id?: number;
}

interface ListChanged {
  readonly list: ReloadTopic;
  /** Undefined: for all of them. */
  readonly memberGroup: number | undefined;
}

/** By database id where they were changed, by key where they were added: the writer knows no ids. */
type MessagesChanged =
  | { readonly kind: 'added'; readonly keys: readonly string[]; readonly senders: readonly number[] }
  | { readonly kind: 'changed'; readonly messages: readonly ChangedMessage[] }
  /** The delivery has changed them itself. */
  | { readonly kind: 'delivered'; readonly ids: readonly number[] };

/** Each topic with its followers, in the order in which they are called. */
const FOLLOWERS = {
  /** Saved or removed by a member, and committed. The call is answered once all followers have acted. */
  recordsChanged: [
    'board',
    'owners',
    'server information',
    'open pages',
    'event settings',
    'geofences',
    'notification rules',
    'senders',
    'delivery',
    'geofences in terminals',
    'firmware images',
    'firmware tasks',
    'data sync',
    'data usage',
    'schedules of reports',
    'license',
  ],
  /** Deleted by a member, and committed. */
  deviceRemoved: [
    'recorder',
    'rules',
    'events',
    'retention of events',
    'open events',
    'tracks',
    'data sync',
    'retention of positions',
  ],
  /** Members have answered them, which has canceled messages that waited for an answer. */
  eventsActed: ['open events', 'events', 'clips', 'alarms in terminals'],
  /** Notifications in the outbox. */
  messagesChanged: ['delivery', 'open pages'],
  /** Lists of a page that are read again as a whole. */
  listChanged: ['open pages', 'geofences in terminals'],
} as const satisfies Record<string, readonly string[]>;

type Followers = typeof FOLLOWERS;
type TopicOf<Name extends keyof Followers, Message> = Topic<Message, Followers[Name][number]>;

export interface ChangeBus {
  readonly recordsChanged: TopicOf<'recordsChanged', RecordsChanged>;
  readonly deviceRemoved: TopicOf<'deviceRemoved', { readonly deviceId: string }>;
  readonly eventsActed: TopicOf<'eventsActed', readonly ActedEvent[]>;
  readonly messagesChanged: TopicOf<'messagesChanged', MessagesChanged>;
  readonly listChanged: TopicOf<'listChanged', ListChanged>;
}

/** Calls when a member has changed a record of one of these kinds. */
export function followRecords(
  { recordsChanged }: Pick<ChangeBus, 'recordsChanged'>,
  follower: Followers['recordsChanged'][number],
  kinds: readonly RecordKind[],
  act: Listener<RecordsChanged>,
): void {
  recordsChanged.subscribe(follower, (message) =>
    message.kinds.some((kind) => kinds.includes(kind)) ? act(message) : undefined,
  );
}

/** Reports a change of a list for one member group, or for all. */
export function listTeller({ listChanged }: Pick<ChangeBus, 'listChanged'>, list: ReloadTopic) {
  return (memberGroup?: number): void => listChanged.tell({ list, memberGroup });
}

export function createChangeBus(onFault: OnFault): ChangeBus {
  const topic = <Name extends keyof Followers, Message>(name: Name, what: string): TopicOf<Name, Message> =>
    new Topic({
      followers: FOLLOWERS[name],
      faultText: () => `a part of the gateway could not act on ${what}`,
      onFault,
    });
  return {
    recordsChanged: topic('recordsChanged', 'changed records'),
    deviceRemoved: topic('deviceRemoved', 'a deleted device'),
    eventsActed: topic('eventsActed', 'answered events'),
    messagesChanged: topic('messagesChanged', 'changed messages'),
    listChanged: topic('listChanged', 'a changed list'),
  };
}
