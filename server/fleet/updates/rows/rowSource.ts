// A topic that tells of the rows of a list that begin or change, to each member group those that it sees.
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import { Pace, type PaceDeps } from '../pace.ts';
import type { GroupScope, TopicFeed, TopicSource } from '../topicSource.ts';
import { RowFeed, type RowKind } from './rowFeed.ts';

export interface RowSourceDeps<Row> extends Omit<PaceDeps, 'tell'> {
  readonly kind: RowKind<Row>;
  /** As the database has them now. */
  readonly rowsOf: (ids: readonly number[]) => Promise<readonly Row[]>;
  /** What is reported when they could not be read. */
  readonly failure: string;
  /** Told apart from those of the gateway's last run. */
  readonly firstRevision: number;
  readonly onFault: OnFault;
}

/** Rows of one message; where more change at once the pages load their lists anew. */
export const ROWS_A_MESSAGE = 500;

export class RowSource<Row> implements TopicSource {
  readonly #deps: RowSourceDeps<Row>;
  readonly #pace: Pace;
  readonly #feeds = new Set<RowFeed<Row>>();
  readonly #changed = new Set<number>();
  #deliver: () => void = () => undefined;
  /** The last one that was given to a feed. */
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

  /** What is told to nobody need not be read. */
  protected get isWatched(): boolean {
    return this.#feeds.size > 0;
  }

  /** What the database has now, or has otherwise than before. */
  changed(ids: Iterable<number>): void {
    if (!this.isWatched) return;
    // One more than a message has: the rest changes nothing.
    for (const id of ids) if (this.#changed.size <= ROWS_A_MESSAGE) this.#changed.add(id);
    if (this.#changed.size > 0) this.#pace.soon();
  }

  /** Lists that are shown may have other rows by now: devices came, went or passed into other groups. */
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
