// The event types in memory, for code that can't wait for the database.
import type { EventTypeStore, StoredEventType } from '../../store/events/eventTypes.ts';
import { CustomTypes } from '../signals/customTypes.ts';
import { builtInRows } from './builtInRows.ts';

type Store = Pick<EventTypeStore, 'all' | 'addMissing'>;

export class EventTypes {
  readonly #store: Store;
  #types: ReadonlyMap<string, StoredEventType> = new Map();
  #customTypes = new CustomTypes([]);
  #asked = 0;
  #answered = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds the built-in types that a new version brings. */
  async start(): Promise<void> {
    await this.#store.addMissing(builtInRows());
    await this.reload();
  }

  /** Called when a type was edited. */
  async reload(): Promise<void> {
    const turn = ++this.#asked;
    const types = await this.#store.all();
    // The answer to the first of two simultaneous edits may come last.
    if (turn < this.#answered) return;
    this.#answered = turn;
    this.#types = new Map(types.map((type) => [type.code, type]));
    const enabled = types.filter((type) => type.enabled);
    this.#customTypes = new CustomTypes(
      enabled.flatMap(({ code, source }) => (source === null ? [] : { code, source })),
    );
  }

  get all(): Iterable<StoredEventType> {
    return this.#types.values();
  }

  /** The types that administrators have made and not disabled. */
  get customTypes(): CustomTypes {
    return this.#customTypes;
  }

  find(code: string): StoredEventType | undefined {
    return this.#types.get(code);
  }
}
