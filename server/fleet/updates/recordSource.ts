// The topic `changed`: which kinds of records were edited, by anybody, so that lists which show them are out of date.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { encode, type TopicFeed, type TopicSource } from './topicSource.ts';

export class RecordSource implements TopicSource {
  /** Of each feed, the kinds that its pages have not been told of yet. */
  readonly #pending = new Set<Set<RecordKind>>();

  /** Records of these kinds were edited. */
  tellChanged(records: readonly RecordKind[]): void {
    for (const pending of this.#pending) for (const record of records) pending.add(record);
  }

  open(): TopicFeed {
    const pending = new Set<RecordKind>();
    this.#pending.add(pending);
    return {
      takeChanges: () => {
        const message = pending.size === 0 ? undefined : encode({ type: 'changed', records: [...pending].sort() });
        pending.clear();
        return (topics) => (topics.has('changed') ? message : undefined);
      },
      // Whoever owns the devices, the kinds are the same.
      reset: () => undefined,
      close: () => this.#pending.delete(pending),
    };
  }
}
