import type { DeviceStore } from '../store/devices.ts';
import type { Position, PositionStore } from '../store/positions.ts';

export interface PositionBufferDeps {
  readonly store: Pick<PositionStore, 'append'>;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** What a kill -9 may cost. A longer wait would make larger transactions, but hardly cheaper ones. */
const FLUSH_DELAY_MS = 500;
const RETRY_DELAY_MS = 5_000;
/** While the database is away positions pile up here: an hour of a thousand vehicles, then the oldest go. */
const MAX_HELD_POSITIONS = 360_000;
/** A row that fails alone so often, with the database there and its device known, will never be stored. */
const MAX_ATTEMPTS = 3;

/** Gathers positions so that thousands of terminals make a few transactions a second. */
export class PositionBuffer {
  readonly #deps: PositionBufferDeps;
  #held: Position[] = [];
  #cancelFlush: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #attempts = new WeakMap<Position, number>();

  constructor(deps: PositionBufferDeps) {
    this.#deps = deps;
  }

  add(position: Position): void {
    this.#held.push(position);
    this.#flushIn(FLUSH_DELAY_MS);
  }

  /** Writes what is left. What the database does not take now is lost, and said so. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const lost = this.#held.length;
    this.#held = [];
    if (lost > 0) this.#deps.onFault(new Error(`${lost} positions were lost at the end: the database took them not`));
  }

  #flushIn(delayMs: number): void {
    this.#cancelFlush ??= this.#deps.after(delayMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const batch = this.#held;
    if (batch.length === 0) return;
    this.#held = [];
    this.#writing = this.#writing.then(async () => {
      const left = await this.#write(batch);
      if (left.length > 0) this.#keep(left);
    });
  }

  #keep(left: readonly Position[]): void {
    const held = left.length + this.#held.length;
    this.#held = [...left, ...this.#held].slice(-MAX_HELD_POSITIONS);
    if (held > MAX_HELD_POSITIONS) {
      this.#deps.onFault(
        new Error(`${held - MAX_HELD_POSITIONS} positions were dropped: the database is away too long`),
      );
    }
    this.#flushIn(RETRY_DELAY_MS);
  }

  /** Gives back what is to be tried again. One bad row costs its neighbours a second attempt, in halves, and no more. */
  async #write(batch: readonly Position[]): Promise<readonly Position[]> {
    try {
      await this.#deps.store.append(batch);
      return [];
    } catch (error) {
      const [first] = batch;
      if (first === undefined) return [];
      const isThere = await this.#isDeviceThere(first);
      if (isThere === 'database-away') {
        this.#deps.onFault(new Error(`${batch.length} positions could not be stored yet`, { cause: error }));
        return batch;
      }
      if (batch.length === 1) return this.#judgeAlone(first, isThere === 'yes', error);
      const middle = batch.length >> 1;
      return [...(await this.#write(batch.slice(0, middle))), ...(await this.#write(batch.slice(middle)))];
    }
  }

  #judgeAlone(position: Position, isKnown: boolean, cause: unknown): readonly Position[] {
    const attempts = (this.#attempts.get(position) ?? 0) + 1;
    this.#attempts.set(position, attempts);
    if (isKnown && attempts < MAX_ATTEMPTS) return [position];
    // Of a device that was deleted meanwhile nothing is to be kept.
    if (isKnown) this.#deps.onFault(new Error(`a position of ${position.deviceId} cannot be stored`, { cause }));
    return [];
  }

  async #isDeviceThere({ deviceId, incarnation }: Position): Promise<'yes' | 'no' | 'database-away'> {
    try {
      const device = await this.#deps.devices.findByDeviceId(deviceId);
      return device?.incarnation === incarnation ? 'yes' : 'no';
    } catch {
      return 'database-away';
    }
  }
}
