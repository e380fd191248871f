// What the pages of one member group are told of events. No sockets here.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { encode, type GroupScope, type MessageBytes, type Topics } from '../topicSource.ts';

export class EventFeed {
  readonly #nextRevision: () => number;
  #scope: GroupScope;
  /** Of the last message. */
  #revision: number;
  #rows: readonly EventRow[] = [];
  #isReloading = false;

  /** `nextRevision` gives each number once: a page that comes from another group's feed has none that this one ever has. */
  constructor(scope: GroupScope, nextRevision: () => number) {
    this.#scope = scope;
    this.#nextRevision = nextRevision;
    this.#revision = nextRevision();
  }

  /** What was shown at another revision is out of date. */
  snapshot(): MessageBytes {
    return encode({ type: 'events', revision: this.#revision, reload: true });
  }

  take(rows: readonly EventRow[]): void {
    const seen = rows.filter(({ group, deviceid }) => deviceid === '' || this.#scope.deviceGroups.has(group));
    if (seen.length === 0) return;
    this.#rows = [...this.#rows, ...seen];
    this.#revision = this.#nextRevision();
  }

  reload(): void {
    this.#rows = [];
    this.#isReloading = true;
    this.#revision = this.#nextRevision();
  }

  reset(scope: GroupScope): void {
    this.#scope = scope;
    this.#rows = [];
    this.#revision = this.#nextRevision();
  }

  /** The message since the last call, by topics. */
  takeChanges(): (topics: Topics) => MessageBytes | undefined {
    const [rows, isReloading, revision] = [this.#rows, this.#isReloading, this.#revision];
    this.#rows = [];
    this.#isReloading = false;
    const ofDevices = rows.filter(({ deviceid }) => deviceid !== '');
    const texts = new Map<readonly EventRow[], MessageBytes>();
    return (topics) => {
      if (!topics.has('events')) return undefined;
      if (isReloading) return this.snapshot();
      const told = topics.has('gateway') ? rows : ofDevices;
      if (told.length === 0) return undefined;
      const text = texts.get(told) ?? encode({ type: 'events', revision, events: told });
      texts.set(told, text);
      return text;
    };
  }
}
