// The topic `changed`: the kinds of records that any user has edited, so that lists which show them are out of date.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { encode, type TopicFeed, type TopicSource } from './topicSource.ts';

export class RecordSource implements TopicSource {
  /** For each feed, the kinds that its pages have not been sent yet. */
  readonly #pending = new Set<Set<RecordKind>>();

  /** Call this when records of these kinds were edited. */
  changed(records: readonly RecordKind[]): void {
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
      // The kinds don't depend on who owns the devices.
      reset: () => undefined,
      close: () => this.#pending.delete(pending),
    };
  }
}
