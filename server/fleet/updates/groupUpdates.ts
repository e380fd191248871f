// The pages of one member group: what they watch, and what is due to them.
import { isSameScope } from './groupScope.ts';
import type { DueFor, DueUpdates, GroupScope, TopicFeed, TopicSource, TopicSources } from './topicSource.ts';
import type { UpdateViewer } from './updateViewer.ts';

export class GroupUpdates {
  readonly viewers = new Set<UpdateViewer>();
  readonly #sources: TopicSources;
  readonly #feeds: ReadonlyMap<TopicSource, TopicFeed>;
  #scope: GroupScope;

  constructor(scope: GroupScope, sources: TopicSources) {
    this.#scope = scope;
    this.#sources = sources;
    this.#feeds = new Map([...new Set(Object.values(sources))].map((source) => [source, source.open(scope)]));
  }

  get memberGroup(): number {
    return this.#scope.memberGroup;
  }

  /** The page's snapshot, without waiting for the next tick. */
  begin(viewer: UpdateViewer): void {
    viewer.update(this.#dueFor(() => () => undefined));
  }

  tick(): void {
    const dueFor = this.#dueFor((feed, source) => (source.onDue === undefined ? feed.takeChanges() : () => undefined));
    for (const viewer of this.viewers) viewer.update(dueFor);
  }

  /** What a source tells at its own time. */
  deliver(source: TopicSource): void {
    const feed = this.#feeds.get(source);
    if (feed === undefined) return;
    const due = { snapshot: feed.snapshot?.bind(feed), changes: feed.takeChanges() };
    for (const viewer of this.viewers) viewer.deliver(due);
  }

  /** The member group may own other device groups by now; its pages then begin anew. */
  setScope(scope: GroupScope): void {
    if (isSameScope(scope, this.#scope)) return;
    this.#scope = scope;
    for (const feed of this.#feeds.values()) feed.reset(scope);
    for (const viewer of this.viewers) viewer.startAnew();
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }

  #dueFor(changesOf: (feed: TopicFeed, source: TopicSource) => DueUpdates['changes']): DueFor {
    const due = [...this.#feeds].map(([source, feed]) => {
      return { source, snapshot: feed.snapshot?.bind(feed), changes: changesOf(feed, source) };
    });
    return (topics) => {
      const watched = [...topics].flatMap((topic) => (topic === 'gateway' ? [] : this.#sources[topic]));
      return due.filter(({ source }) => watched.includes(source));
    };
  }
}
