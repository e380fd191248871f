// The days of devices that have to be computed again. They are stored in the database, so that a crash forgets none.
import type { DirtyDay, TrackStore } from '../../store/tracks/tracks.ts';
import type { Dirt } from './deviceTrack.ts';

interface Mark {
  fromMs: number;
  /** Settles when the mark is in the database. */
  kept: Promise<void>;
}

export class DirtyDays {
  readonly #store: Pick<TrackStore, 'markDirty' | 'clearDirty'>;
  /** Marks by incarnation and local day. */
  readonly #marks = new Map<number, Map<number, Mark>>();
  #unwritten: DirtyDay[] = [];
  /** Statements follow each other: a day that is marked again stays marked. */
  #statements: Promise<void> = Promise.resolve();
  #nextWrite: Promise<void> | undefined;

  constructor(store: Pick<TrackStore, 'markDirty' | 'clearDirty'>) {
    this.#store = store;
  }

  get count(): number {
    let count = 0;
    for (const days of this.#marks.values()) count += days.size;
    return count;
  }

  /** Settles when the mark is in the database. */
  mark(incarnation: number, { localDay, fromMs }: Dirt): Promise<void> {
    const days = this.#daysOf(incarnation);
    const known = days.get(localDay);
    if (known !== undefined && known.fromMs <= fromMs) return known.kept;
    this.#unwritten.push({ incarnation, localDay, fromMs });
    this.#nextWrite ??= this.#then(() => this.#write());
    const kept = this.#nextWrite;
    days.set(localDay, { fromMs, kept });
    // A mark that could not be stored doesn't count as stored for the next one.
    kept.catch(() => {
      if (days.get(localDay)?.kept === kept) days.set(localDay, { fromMs: Number.POSITIVE_INFINITY, kept });
    });
    return kept;
  }

  /** Takes a mark that an earlier run has left in the database. */
  resume({ incarnation, localDay, fromMs }: DirtyDay): void {
    this.#daysOf(incarnation).set(localDay, { fromMs, kept: Promise.resolve() });
  }

  /** Takes the marks of a device, the earliest first. */
  take(incarnation: number): Dirt[] {
    const days = [...(this.#marks.get(incarnation) ?? [])].map(([localDay, { fromMs }]) => ({ localDay, fromMs }));
    this.#marks.delete(incarnation);
    return days.sort((left, right) => left.fromMs - right.fromMs);
  }

  /** Removes the marks of computed days; those that were marked again since stay. */
  done(incarnation: number, dirt: readonly Dirt[]): Promise<void> {
    return this.#then(async () => {
      const again = this.#marks.get(incarnation);
      const days = dirt.map(({ localDay }) => localDay).filter((day) => again?.has(day) !== true);
      await this.#store.clearDirty(incarnation, days);
    });
  }

  /** Settles when all statements have succeeded or failed: then the database may be closed. */
  settled(): Promise<void> {
    return this.#statements;
  }

  forget(incarnation: number): void {
    this.#marks.delete(incarnation);
  }

  #daysOf(incarnation: number): Map<number, Mark> {
    const days = this.#marks.get(incarnation) ?? new Map<number, Mark>();
    this.#marks.set(incarnation, days);
    return days;
  }

  #write(): Promise<void> {
    this.#nextWrite = undefined;
    const earliest = new Map<string, DirtyDay>();
    for (const day of this.#unwritten) {
      const key = `${day.incarnation} ${day.localDay}`;
      const other = earliest.get(key);
      if (other === undefined || day.fromMs < other.fromMs) earliest.set(key, day);
    }
    this.#unwritten = [];
    return this.#store.markDirty([...earliest.values()]);
  }

  #then(statement: () => Promise<void>): Promise<void> {
    const result = this.#statements.then(statement);
    this.#statements = result.catch(() => undefined);
    return result;
  }
}
