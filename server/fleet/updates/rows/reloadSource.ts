// A topic that tells a member group's pages no more than that a list of theirs is out of date.
import type { LiveTopic } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Pace, type PaceDeps } from '../pace.ts';
import { encode, type GroupScope, type TopicFeed, type TopicSource } from '../topicSource.ts';

export interface ReloadSourceDeps extends Omit<PaceDeps, 'tell'> {
  /** Also the type of its messages. */
  readonly topic: LiveTopic;
  /** Told apart from those of the gateway's last run. */
  readonly firstRevision: number;
}

interface Feed {
  memberGroup: number;
  revision: number;
  isDue: boolean;
}

export class ReloadSource implements TopicSource {
  readonly #topic: LiveTopic;
  readonly #pace: Pace;
  readonly #feeds = new Set<Feed>();
  /** Member groups whose lists have changed since they were last told. */
  readonly #changed = new Set<number>();
  #deliver: () => void = () => undefined;
  #revision: number;

  constructor({ topic, firstRevision, ...timing }: ReloadSourceDeps) {
    this.#topic = topic;
    this.#revision = firstRevision;
    this.#pace = new Pace({ ...timing, tell: () => this.#tell() });
  }

  onDue(deliver: () => void): void {
    this.#deliver = deliver;
  }

  changed(memberGroup: number): void {
    if (this.#feeds.size === 0) return;
    this.#changed.add(memberGroup);
    this.#pace.soon();
  }

  /** What is out of date is no member group's. */
  changedForAll(): void {
    for (const { memberGroup } of this.#feeds) this.changed(memberGroup);
  }

  open({ memberGroup }: GroupScope): TopicFeed {
    const feed: Feed = { memberGroup, revision: ++this.#revision, isDue: false };
    this.#feeds.add(feed);
    const message = () => encode({ type: this.#topic, revision: feed.revision, reload: true });
    return {
      snapshot: message,
      takeChanges: () => {
        const { isDue } = feed;
        feed.isDue = false;
        return (topics) => (isDue && topics.has(this.#topic) ? message() : undefined);
      },
      reset: (scope) => {
        feed.memberGroup = scope.memberGroup;
        feed.revision = ++this.#revision;
      },
      close: () => this.#feeds.delete(feed),
    };
  }

  close(): void {
    this.#pace.close();
  }

  #tell(): void {
    for (const feed of this.#feeds) {
      if (!this.#changed.has(feed.memberGroup)) continue;
      feed.isDue = true;
      feed.revision = ++this.#revision;
    }
    this.#changed.clear();
    this.#deliver();
  }
}
