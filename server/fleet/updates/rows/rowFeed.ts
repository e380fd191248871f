// Messages to the pages of one member group about the rows of a list. No sockets here.
import type { LiveTopic } from '../../../../shared/protocol/api/liveUpdates.ts';
import { encode, type GroupScope, type MessageBytes, type Topics } from '../topicSource.ts';

/** Describes the rows of one list, and who sees them. */
export interface RowKind<Row> {
  /** Topic, which is also the type of its messages. */
  readonly topic: LiveTopic;
  /** The message's field that has the rows. */
  readonly field: string;
  readonly isSeen: (row: Row, scope: GroupScope) => boolean;
  /** Whether the row is only for pages with the topic `gateway`. */
  readonly isOfGateway: (row: Row) => boolean;
  /** The row as pages read it. */
  readonly shown: (row: Row, scope: GroupScope) => unknown;
}

export class RowFeed<Row> {
  readonly #kind: RowKind<Row>;
  readonly #nextRevision: () => number;
  #scope: GroupScope;
  /** Revision of the last message. */
  #revision: number;
  #rows: readonly Row[] = [];
  #isReloading = false;

  /** `nextRevision` gives each number once: a page that comes from another group's feed has a number that this feed never has. */
  constructor(kind: RowKind<Row>, scope: GroupScope, nextRevision: () => number) {
    this.#kind = kind;
    this.#scope = scope;
    this.#nextRevision = nextRevision;
    this.#revision = nextRevision();
  }

  /** The message for a new page: rows shown at another revision are out of date. */
  snapshot(): MessageBytes {
    return encode({ type: this.#kind.topic, revision: this.#revision, reload: true });
  }

  take(rows: readonly Row[]): void {
    const seen = rows.filter((row) => this.#kind.isSeen(row, this.#scope));
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

  /** The message with the changes since the last call, by topics. */
  takeChanges(): (topics: Topics) => MessageBytes | undefined {
    const { topic, field, isOfGateway, shown } = this.#kind;
    const [rows, isReloading, revision, scope] = [this.#rows, this.#isReloading, this.#revision, this.#scope];
    this.#rows = [];
    this.#isReloading = false;
    const ofDevices = rows.filter((row) => !isOfGateway(row));
    const texts = new Map<readonly Row[], MessageBytes>();
    return (topics) => {
      if (!topics.has(topic)) return undefined;
      if (isReloading) return this.snapshot();
      const told = topics.has('gateway') ? rows : ofDevices;
      if (told.length === 0) return undefined;
      const text = texts.get(told) ?? encode({ type: topic, revision, [field]: told.map((row) => shown(row, scope)) });
      texts.set(told, text);
      return text;
    };
  }
}
