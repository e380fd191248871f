// One page that is told of updates: what it gets, and what it misses when it does not keep up.
import type { LiveTopic } from '../../../shared/protocol/api/liveUpdates.ts';
import type { MessageBytes, Topics, UpdateFeed } from './updateFeed.ts';

/** The socket, as far as it matters here. */
export interface UpdateOutlet {
  /** What was given to it and is not on its way yet. */
  readonly heldBytes: number;
  send(message: MessageBytes): void;
}

/** Some seconds of ten thousand devices that all move, or two snapshots of them. */
export const MAX_HELD_BYTES = 8 * 1024 * 1024;
/** A page that fell behind has caught up. */
const CAUGHT_UP_BYTES = 64 * 1024;

export class UpdateViewer {
  readonly #outlet: UpdateOutlet;
  #topics: Topics = new Set();
  #needsSnapshot = false;
  #isBehind = false;

  constructor(outlet: UpdateOutlet) {
    this.#outlet = outlet;
  }

  get isWatching(): boolean {
    return this.#topics.size > 0;
  }

  /** A page says what it wants; it gets it from a snapshot on. */
  watch(topics: readonly LiveTopic[]): void {
    this.#topics = new Set(topics);
    this.#needsSnapshot = true;
  }

  /** What it was told does not hold any more. */
  startAnew(): void {
    this.#needsSnapshot = true;
  }

  /**
   * Sends what is due. A page that does not take what it was sent gets nothing more until it has, and then the state
   * of that moment: it never works off a backlog.
   */
  update(feed: UpdateFeed, changes: (topics: Topics) => MessageBytes | undefined): void {
    if (!this.#keepsUp()) {
      this.#needsSnapshot = true;
      return;
    }
    if (this.#needsSnapshot) {
      this.#needsSnapshot = false;
      if (this.#topics.has('devices') || this.#topics.has('counts')) this.#outlet.send(feed.snapshot(this.#topics));
      return;
    }
    const message = changes(this.#topics);
    if (message !== undefined) this.#outlet.send(message);
  }

  /** Small, and said whatever the page holds back. */
  tellChanged(message: MessageBytes): void {
    if (this.#topics.has('changed') && this.#outlet.heldBytes <= MAX_HELD_BYTES) this.#outlet.send(message);
  }

  #keepsUp(): boolean {
    const { heldBytes } = this.#outlet;
    this.#isBehind = heldBytes > (this.#isBehind ? CAUGHT_UP_BYTES : MAX_HELD_BYTES);
    return !this.#isBehind;
  }
}
