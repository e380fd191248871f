import type { Limit, OnLimit } from '../limits/limit.ts';
import type { DeviceStore } from '../store/devices/devices.ts';
import type { Position, PositionStore } from '../store/fleet/positions.ts';

export interface PositionBufferDeps {
  readonly store: Pick<PositionStore, 'append'>;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/** A kill -9 may lose this much. A longer delay makes larger transactions, but hardly cheaper ones. */
const FLUSH_DELAY_MS = 500;
const RETRY_DELAY_MS = 5_000;
/**
 * Positions not yet stored in the database: an hour of a thousand vehicles. Further ones are answered with a failure (0x8001, result 1), so
 * that terminals keep them and send them again; of a batch all or none.
 */
export const HELD_POSITIONS_LIMIT: Limit = { name: 'terminals.positions.all', max: 360_000 };
/**
 * Positions of one device not yet stored in the database: a hundred hours, since more must not use the room of other vehicles. Further ones
 * are answered with a failure (0x8001, result 1), so that terminals keep them and send them again; of a batch all or none.
 */
export const DEVICE_POSITIONS_LIMIT: Limit = { name: 'terminals.positions.device', max: 36_000 };
/** A row that fails this often by itself, with the database available and its device known, will never be stored. */
const MAX_ATTEMPTS = 3;

/** Gathers positions so that thousands of terminals make a few transactions a second. */
export class PositionBuffer {
  readonly #deps: PositionBufferDeps;
  #held: Position[] = [];
  /** Positions of each device that are held or being written. */
  readonly #counts = new Map<string, number>();
  #writingCount = 0;
  #writingSinceMs: number | undefined;
  #cancelFlush: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  readonly #attempts = new WeakMap<Position, number>();

  constructor(deps: PositionBufferDeps) {
    this.#deps = deps;
  }

  /**
   * Takes positions of one device, all or none. False if there is no room: the caller keeps them, because positions that
   * were taken are never dropped.
   */
  add(positions: readonly Position[]): boolean {
    const [first] = positions;
    if (first === undefined) return true;
    const full = this.#limitBefore(first.deviceId, positions.length);
    if (full !== undefined) {
      this.#deps.onLimit?.(full);
      return false;
    }
    this.#count(first.deviceId, positions.length);
    this.#held.push(...positions);
    this.#flushIn(FLUSH_DELAY_MS);
    return true;
  }

  #limitBefore(deviceId: string, count: number): Limit | undefined {
    if ((this.#counts.get(deviceId) ?? 0) + count > DEVICE_POSITIONS_LIMIT.max) return DEVICE_POSITIONS_LIMIT;
    return this.#held.length + this.#writingCount + count > HELD_POSITIONS_LIMIT.max ? HELD_POSITIONS_LIMIT : undefined;
  }

  /** Positions that are held or being written. */
  get waitingCount(): number {
    return this.#held.length + this.#writingCount;
  }

  /** Time at which the gateway received the first waiting position; undefined: none waits. */
  get waitingSinceMs(): number | undefined {
    return this.#writingSinceMs ?? this.#held[0]?.receivedAtMs;
  }

  /** Writes the remaining positions. Those that the database doesn't take now are lost, and this is reported. */
  async close(): Promise<void> {
    await this.#writing;
    this.#flush();
    await this.#writing;
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const lost = this.#held.length;
    this.#held = [];
    if (lost > 0)
      this.#deps.onFault(new Error(`${lost} positions were lost at shutdown: the database did not take them`));
  }

  #flushIn(delayMs: number): void {
    this.#cancelFlush ??= this.#deps.runAfter(delayMs, () => this.#flush());
  }

  /** One batch at a time. While the database is slow, positions are held up to the limit. */
  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const batch = this.#held;
    if (batch.length === 0 || this.#writing !== undefined) return;
    this.#held = [];
    this.#writingCount = batch.length;
    this.#writingSinceMs = batch[0]?.receivedAtMs;
    this.#writing = this.#write(batch).then((left) => {
      this.#writing = undefined;
      this.#writingCount = 0;
      this.#writingSinceMs = undefined;
      for (const { deviceId } of batch) this.#count(deviceId, -1);
      for (const { deviceId } of left) this.#count(deviceId, 1);
      this.#held = left.length === 0 ? this.#held : [...left, ...this.#held];
      if (this.#held.length > 0) this.#flushIn(left.length > 0 ? RETRY_DELAY_MS : FLUSH_DELAY_MS);
    });
  }

  #count(deviceId: string, change: number): void {
    const count = (this.#counts.get(deviceId) ?? 0) + change;
    if (count > 0) this.#counts.set(deviceId, count);
    else this.#counts.delete(deviceId);
  }

  /**
   * Returns the positions to retry. A bad row costs its neighbors a second attempt, because the batch is halved until it is
   * found.
   */
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
    // No position of a deleted device is kept.
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
