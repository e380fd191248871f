// The event types in memory, for whatever cannot wait for the database.
import type { EventTypeStore, StoredEventType } from '../../store/events/eventTypes.ts';
import { EVENTS_AN_HOUR, MERGE_WINDOW_MS, type TypeSettings } from '../engine/typeSettings.ts';
import { builtInRows } from './builtInRows.ts';

export class EventTypes {
  readonly #store: EventTypeStore;
  #types: ReadonlyMap<string, StoredEventType> = new Map();
  #settings: ReadonlyMap<string, TypeSettings> = new Map();

  constructor(store: EventTypeStore) {
    this.#store = store;
  }

  /** Adds the built-in types that a new version brings. */
  async start(): Promise<void> {
    await this.#store.addMissing(builtInRows());
    await this.reload();
  }

  /** A type was edited. */
  async reload(): Promise<void> {
    const types = await this.#store.all();
    this.#types = new Map(types.map((type) => [type.code, type]));
    const enabled = types.filter((type) => type.enabled);
    this.#settings = new Map(enabled.map(({ code, severity }) => [code, { ...DEFAULTS, severity }]));
  }

  get all(): Iterable<StoredEventType> {
    return this.#types.values();
  }

  find(code: string): StoredEventType | undefined {
    return this.#types.get(code);
  }

  /** Undefined for a type that is unknown or disabled. */
  settingsOf(code: string): TypeSettings | undefined {
    return this.#settings.get(code);
  }
}

const DEFAULTS = { mergeMs: MERGE_WINDOW_MS, eventsAnHour: EVENTS_AN_HOUR, rule: 0 } as const;
