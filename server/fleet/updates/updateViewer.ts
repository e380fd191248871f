// One page that receives live updates: what it is sent, and what it skips when it can't keep up.
import type { LiveTopic } from '../../../shared/protocol/api/liveUpdates.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { DueFor, DueUpdates, MessageBytes, Topics } from './topicSource.ts';

/** The socket, as far as it matters here. */
export interface UpdateSink {
  /** Bytes that were accepted for sending and haven't reached the network yet. */
  readonly heldBytes: number;
  send(message: MessageBytes): void;
}

/**
 * Data queued for one page: some seconds of updates of ten thousand moving devices, or two snapshots of them. Nothing more is sent until it
 * has caught up, then the whole fleet.
 */
export const HELD_BYTES_LIMIT: Limit = { name: 'updates.queue-bytes.socket', max: 8 * 1024 * 1024 };
/** Below this, a page that fell behind counts as caught up. */
const CAUGHT_UP_BYTES = 64 * 1024;
/**
 * Snapshots of the whole fleet for one page per minute; up to 10 at once. A few bytes of request cost megabytes of snapshot with a large
 * fleet. A further one is sent later, with the changes since.
 */
export const SNAPSHOTS_LIMIT: Limit = { name: 'updates.snapshots.socket', max: 12 };
/** A page requests a snapshot for each of its parts that subscribes. */
const SNAPSHOTS_BURST = 10;

interface UpdateViewerDeps {
  readonly now?: (() => number) | undefined;
  readonly onLimit?: OnLimit | undefined;
}

export class UpdateViewer {
  readonly #sink: UpdateSink;
  readonly #now: () => number;
  readonly #onLimit: OnLimit | undefined;
  readonly #snapshots: TokenBucket;
  #wanted: readonly LiveTopic[] = [];
  #allowed: Topics = new Set();
  #topics: Topics = new Set();
  #needsSnapshot = false;
  #isBehind = false;

  constructor(sink: UpdateSink, { now = Date.now, onLimit }: UpdateViewerDeps = {}) {
    this.#sink = sink;
    this.#now = now;
    this.#onLimit = onLimit;
    this.#snapshots = new TokenBucket({ burst: SNAPSHOTS_BURST, perSecond: SNAPSHOTS_LIMIT.max / 60 }, now());
  }

  get isWatching(): boolean {
    return this.#wanted.length > 0;
  }

  /** Sets the topics of the page, starting with a snapshot. */
  watch(topics: readonly LiveTopic[]): void {
    this.#wanted = topics;
    this.#choose();
  }

  /** What the member may be told of, `gateway` included. Before it is said, nothing is told. */
  allow(topics: Topics): void {
    if (topics.size === this.#allowed.size && [...topics].every((topic) => this.#allowed.has(topic))) return;
    this.#allowed = topics;
    this.#choose();
  }

  #choose(): void {
    const told = this.#wanted.filter((topic) => this.#allowed.has(topic));
    const withGateway = told.length > 0 && this.#allowed.has('gateway');
    this.#topics = withGateway ? new Set([...told, 'gateway']) : new Set(told);
    this.#needsSnapshot = true;
  }

  /** What the page was sent is out of date; it needs a snapshot. */
  startAnew(): void {
    this.#needsSnapshot = true;
  }

  /**
   * Sends what is due. A page that does not take what it was sent gets no more of a state until it has, and then the state
   * of that moment: it never works off a backlog. What no snapshot makes up for is small, and sent as long as there is room.
   */
  update(dueFor: DueFor): void {
    const due = dueFor(this.#topics);
    this.#updateState(due.filter(({ snapshot }) => snapshot !== undefined));
    const hasRoom = this.#sink.heldBytes <= HELD_BYTES_LIMIT.max;
    if (hasRoom) this.#sendChanges(due.filter(({ snapshot }) => snapshot === undefined));
  }

  /** Sends what a source tells at its own time; of a state, unless a snapshot is due anyway. */
  deliver({ snapshot, changes }: DueUpdates): void {
    if (snapshot === undefined) {
      if (this.#sink.heldBytes <= HELD_BYTES_LIMIT.max) this.#sendChange(changes);
      return;
    }
    if (this.#needsSnapshot) return;
    if (!this.#keepsUp()) this.#needsSnapshot = true;
    else this.#sendChange(changes);
  }

  #updateState(due: readonly DueUpdates[]): void {
    if (!this.#keepsUp()) this.#needsSnapshot = true;
    else if (!this.#needsSnapshot) this.#sendChanges(due);
    else if (due.length > 0) this.#sendSnapshots(due);
  }

  #sendChanges(due: readonly DueUpdates[]): void {
    for (const { changes } of due) this.#sendChange(changes);
  }

  #sendChange(changes: DueUpdates['changes']): void {
    const message = changes(this.#topics);
    if (message !== undefined) this.#sink.send(message);
  }

  #sendSnapshots(due: readonly DueUpdates[]): void {
    if (!this.#snapshots.take(this.#now())) {
      this.#onLimit?.(SNAPSHOTS_LIMIT);
      return;
    }
    this.#needsSnapshot = false;
    for (const { snapshot } of due) if (snapshot !== undefined) this.#sink.send(snapshot(this.#topics));
  }

  #keepsUp(): boolean {
    const { heldBytes } = this.#sink;
    const wasBehind = this.#isBehind;
    this.#isBehind = heldBytes > (wasBehind ? CAUGHT_UP_BYTES : HELD_BYTES_LIMIT.max);
    if (this.#isBehind && !wasBehind) this.#onLimit?.(HELD_BYTES_LIMIT);
    return !this.#isBehind;
  }
}
