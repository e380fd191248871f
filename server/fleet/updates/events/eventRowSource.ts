// The topic `events`: those that begin or change, as rows of each member group's list.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import type { EventListStore } from '../../../store/events/list/eventList.ts';
import { Pace, type PaceDeps } from '../pace.ts';
import type { GroupScope, TopicFeed, TopicSource } from '../topicSource.ts';
import { EventFeed } from './eventFeed.ts';

export interface EventRowSourceDeps extends Omit<PaceDeps, 'tell'> {
  readonly store: Pick<EventListStore, 'rowsOf'>;
  /** Told apart from those of the gateway's last run. */
  readonly firstRevision: number;
  readonly onFault: OnFault;
}

/** Rows of one message; of more events at once the pages load their lists anew. */
export const ROWS_A_MESSAGE = 500;

export class EventRowSource implements TopicSource {
  readonly #deps: EventRowSourceDeps;
  readonly #pace: Pace;
  readonly #feeds = new Set<EventFeed>();
  readonly #changed = new Set<number>();
  #deliver: () => void = () => undefined;
  /** The last one that was given to a feed. */
  #revision: number;
  #isReading = false;
  #needsReload = false;

  constructor(deps: EventRowSourceDeps) {
    this.#deps = deps;
    this.#revision = deps.firstRevision;
    this.#pace = new Pace({
      ...deps,
      tell: () => inBackground('events could not be read', this.#read(), deps.onFault),
    });
  }

  onDue(deliver: () => void): void {
    this.#deliver = deliver;
  }

  /** Events that the database has now, or has otherwise than before. */
  changed(ids: Iterable<number>): void {
    // What is told to nobody need not be read.
    if (this.#feeds.size === 0) return;
    // One more than a message has: the rest changes nothing.
    for (const id of ids) if (this.#changed.size <= ROWS_A_MESSAGE) this.#changed.add(id);
    if (this.#changed.size > 0) this.#pace.soon();
  }

  /** Lists that are shown may have other events by now: devices came, went or passed into other groups. */
  reload(): void {
    this.#needsReload = true;
    this.#pace.soon();
  }

  open(scope: GroupScope): TopicFeed {
    const feed = new EventFeed(scope, () => ++this.#revision);
    this.#feeds.add(feed);
    return {
      snapshot: () => feed.snapshot(),
      takeChanges: () => feed.takeChanges(),
      reset: (changed) => feed.reset(changed),
      close: () => this.#feeds.delete(feed),
    };
  }

  close(): void {
    this.#pace.close();
  }

  async #read(): Promise<void> {
    // A slow database is asked again once it has answered.
    if (this.#isReading) return this.#pace.soon();
    const ids = [...this.#changed];
    this.#changed.clear();
    if (this.#needsReload || ids.length > ROWS_A_MESSAGE) return this.#tellReload();
    this.#isReading = true;
    try {
      this.#tell(await this.#deps.store.rowsOf(ids));
    } catch (cause) {
      this.#tellReload();
      throw cause;
    } finally {
      this.#isReading = false;
    }
  }

  #tellReload(): void {
    this.#needsReload = false;
    for (const feed of this.#feeds) feed.reload();
    this.#deliver();
  }

  #tell(rows: readonly EventRow[]): void {
    for (const feed of this.#feeds) feed.take(rows);
    this.#deliver();
  }
}
