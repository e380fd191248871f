// A kind of message that parts of the gateway publish and others follow.
import { inBackground } from '../faults/background.ts';
import { faultOf, type OnFault } from '../faults/onFault.ts';

/** Runs on the thread that relays media, so it must return at once. A promise settles when it has acted on the message. */
export type Listener<Message> = (message: Message) => void | Promise<void>;

export interface TopicOptions<Message, Follower extends string> {
  /** All that may subscribe, in the order in which they are called. */
  readonly followers: readonly Follower[];
  /** What went wrong when a listener throws or rejects, for the log. */
  readonly faultText: (message: Message) => string;
  readonly onFault: OnFault;
}

interface Subscription<Message> {
  /** Position of its follower in the order. */
  readonly rank: number;
  readonly listener: Listener<Message>;
  isOver: boolean;
}

/** Calls its followers in the order that it declares, whenever they subscribe. A listener that fails affects no other. */
export class Topic<Message, Follower extends string> {
  readonly #options: TopicOptions<Message, Follower>;
  /** In the order of their ranks; a new array for each change, so that a publication in progress keeps its own. */
  #subscriptions: readonly Subscription<Message>[] = [];

  constructor(options: TopicOptions<Message, Follower>) {
    this.#options = options;
  }

  /** All that may subscribe, in the order in which they are called. */
  get followers(): readonly Follower[] {
    return this.#options.followers;
  }

  /** Returns a function that ends the subscription. */
  subscribe(follower: Follower, listener: Listener<Message>): () => void {
    const added = { rank: this.#options.followers.indexOf(follower), listener, isOver: false };
    const before = this.#subscriptions.filter(({ rank }) => rank <= added.rank);
    this.#subscriptions = [...before, added, ...this.#subscriptions.slice(before.length)];
    return () => {
      added.isOver = true;
      this.#subscriptions = this.#subscriptions.filter((other) => other !== added);
    };
  }

  /**
   * Undefined when nothing has to be awaited; otherwise whether all followers have acted on the message. It never rejects:
   * faults are reported.
   */
  publish(message: Message): Promise<boolean> | undefined {
    const pending: Promise<void>[] = [];
    for (const { listener, isOver } of this.#subscriptions) {
      if (isOver) continue;
      try {
        const acted = listener(message);
        if (acted !== undefined) pending.push(acted);
      } catch (cause) {
        pending.push(Promise.reject(cause));
      }
    }
    return pending.length === 0 ? undefined : this.#allActed(message, pending);
  }

  /** Publishes a message that nobody waits for. */
  tell(message: Message): void {
    const acted = this.publish(message);
    const { faultText, onFault } = this.#options;
    if (acted !== undefined) inBackground(faultText(message), acted, onFault);
  }

  async #allActed(message: Message, pending: readonly Promise<void>[]): Promise<boolean> {
    const results = await Promise.allSettled(pending);
    const failed = results.filter((result) => result.status === 'rejected');
    const { faultText, onFault } = this.#options;
    for (const { reason } of failed) onFault(faultOf(faultText(message), reason));
    return failed.length === 0;
  }
}
