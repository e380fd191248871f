// The topic `eventcounts`: how many events are open, as each member group sees them.

import { Pace, type PaceDeps } from '../pace.ts';
import {
  encode,
  type GroupScope,
  type MessageBytes,
  type TopicFeed,
  type TopicSource,
  type Topics,
} from '../topicSource.ts';
import type { OpenEvents } from './openEvents.ts';

export class EventCountSource implements TopicSource {
  readonly #open: Pick<OpenEvents, 'countsOf'>;
  readonly #pace: Pace;
  #deliver: () => void = () => undefined;

  constructor(open: Pick<OpenEvents, 'countsOf'>, deps: Omit<PaceDeps, 'tell'>) {
    this.#open = open;
    this.#pace = new Pace({ ...deps, tell: () => this.#deliver() });
  }

  onDue(deliver: () => void): void {
    this.#deliver = deliver;
  }

  changed(): void {
    this.#pace.soon();
  }

  open(scope: GroupScope): TopicFeed {
    return new CountFeed(scope, this.#open);
  }

  close(): void {
    this.#pace.close();
  }
}

class CountFeed implements TopicFeed {
  readonly #open: Pick<OpenEvents, 'countsOf'>;
  #scope: GroupScope;
  /** With the gateway's own events, and without; as they were last told. */
  readonly #told = new Map<boolean, string>();

  constructor(scope: GroupScope, open: Pick<OpenEvents, 'countsOf'>) {
    this.#scope = scope;
    this.#open = open;
  }

  snapshot(topics: Topics): MessageBytes {
    return encode({ type: 'snapshot', eventCounts: this.#counts(topics) });
  }

  takeChanges(): (topics: Topics) => MessageBytes | undefined {
    const made = new Map([true, false].map((withGateway) => [withGateway, this.#changed(withGateway)]));
    return (topics) => (topics.has('eventcounts') ? made.get(topics.has('gateway')) : undefined);
  }

  reset(scope: GroupScope): void {
    this.#scope = scope;
  }

  close(): void {
    // Nobody else knows it.
  }

  #counts(topics: Topics) {
    return this.#open.countsOf(this.#scope.deviceGroups, topics.has('gateway'));
  }

  #changed(withGateway: boolean): MessageBytes | undefined {
    const eventCounts = this.#open.countsOf(this.#scope.deviceGroups, withGateway);
    const text = JSON.stringify(eventCounts);
    if (this.#told.get(withGateway) === text) return undefined;
    this.#told.set(withGateway, text);
    return encode({ type: 'changes', eventCounts });
  }
}
