// Where what is told of a topic comes from. Another topic is a name in `LIVE_TOPICS` and a source in a file of its own.
import type { LiveTopic } from '../../../shared/protocol/api/liveUpdates.ts';

/** `gateway`: of what is told of events, the gateway's own too. */
export type ToldTopic = LiveTopic | 'gateway';
export type Topics = ReadonlySet<ToldTopic>;

/** For pages without a session too. */
export const PUBLIC_TOPICS: ReadonlySet<ToldTopic> = new Set<ToldTopic>(['server']);

/** A message as it goes out: the same bytes to everybody. */
export type MessageBytes = Uint8Array<ArrayBuffer>;

/** The member group whose pages look on, and the device groups that it owns. */
export interface GroupScope {
  readonly memberGroup: number;
  readonly deviceGroups: ReadonlySet<number>;
}

/** What one member group's pages are told by one source: gathered once, put into text once, whoever many look on. */
export interface TopicFeed {
  /**
   * The whole of it, for a page that begins or fell behind. Left out where pages keep no state of it: they are told of what
   * happens from then on, and nothing makes up for a message that they miss.
   */
  readonly snapshot?: (topics: Topics) => MessageBytes;
  /** What has changed since the last call, for pages with these topics; undefined for nothing. */
  takeChanges(): (topics: Topics) => MessageBytes | undefined;
  /** The member group owns other device groups now; every page is sent a snapshot. */
  reset(scope: GroupScope): void;
  close(): void;
}

export interface TopicSource {
  /** Once a tick, before the feeds are asked: takes in what has happened. */
  gather?(): void;
  /**
   * The source tells at times of its own, and not with every tick: it calls `deliver` when its feeds have changes, at most once a
   * second.
   */
  onDue?(deliver: () => void): void;
  /** For a member group of which a page begins to look on. */
  open(scope: GroupScope): TopicFeed;
}

/** One source can serve several topics. */
export type TopicSources = { readonly [Topic in LiveTopic]: TopicSource };

/** What one source has to say now; each text is made when it is first asked for. */
export interface DueUpdates {
  readonly snapshot: ((topics: Topics) => MessageBytes) | undefined;
  readonly changes: (topics: Topics) => MessageBytes | undefined;
}

/** What is due to a page with these topics, by source. */
export type DueFor = (topics: Topics) => readonly DueUpdates[];

const encoder = new TextEncoder();

export function encode(message: unknown): MessageBytes {
  return encoder.encode(JSON.stringify(message));
}
