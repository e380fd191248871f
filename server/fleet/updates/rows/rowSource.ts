// A topic for rows of a list that are new or have changed: each member group gets the rows that it sees.
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import { Pace, type PaceDeps } from '../pace.ts';
import type { GroupScope, TopicFeed, TopicSource } from '../topicSource.ts';
import { RowFeed, type RowKind } from './rowFeed.ts';

export interface RowSourceDeps<Row> extends Omit<PaceDeps, 'tell'> {
  readonly kind: RowKind<Row>;
  /** Reads the present rows from the database. */
  readonly rowsOf: (ids: readonly number[]) => Promise<readonly Row[]>;
  /** The message of the fault that is reported when the rows could not be read. */
  readonly failure: string;
  /** The first revision, distinct from those of the gateway's last run. */
  readonly firstRevision: number;
  readonly onFault: OnFault;
}

/** Most rows of one message; if more change at once, the pages load their lists again. */
export const ROWS_A_MESSAGE = 500;

export class RowSource<Row> implements TopicSource {
  readonly #deps: RowSourceDeps<Row>;
  readonly #pace: Pace;
  readonly #feeds = new Set<RowFeed<Row>>();
  readonly #changed = new Set<number>();
  #deliver: () => void = () => undefined;
  /**
   * The last revision that was given to a feed. Feeds share the count: a page whose session moves to another member group keeps its
   * connection, and would keep the former group's rows if both feeds were at the same revision.
   */
  #revision: number;
  #isReading = false;
  #needsReload = false;

  constructor(deps: RowSourceDeps<Row>) {
    this.#deps = deps;
    this.#revision = deps.firstRevision;
    this.#pace = new Pace({
      ...deps,
      tell: () => inBackground(deps.failure, this.#read(), deps.onFault),
    });
  }

  onDue(deliver: () => void): void {
    this.#deliver = deliver;
  }

  /** Rows that no feed gets need not be read. */
  protected get isWatched(): boolean {
    return this.#feeds.size > 0;
  }

  /** Call this when rows were added or changed in the database. */
  changed(ids: Iterable<number>): void {
    if (!this.isWatched) return;
    // One more than a message holds is enough: the rest makes no difference.
    for (const id of ids) if (this.#changed.size <= ROWS_A_MESSAGE) this.#changed.add(id);
    if (this.#changed.size > 0) this.#pace.soon();
  }

  /** Call this when shown lists may have other rows: devices were added, removed or moved to other groups. */
  reload(): void {
    this.#needsReload = true;
    this.#pace.soon();
  }

  open(scope: GroupScope): TopicFeed {
    const feed = new RowFeed(this.#deps.kind, scope, () => ++this.#revision);
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
      this.#tell(await this.#deps.rowsOf(ids));
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

  #tell(rows: readonly Row[]): void {
    for (const feed of this.#feeds) feed.take(rows);
    this.#deliver();
  }
}
