// Orders in memory, as the store keeps them, in a database that can be away, slow, or lose its answers.
import type { AuditEntry } from '../../../../../server/store/audit/auditEntry.ts';
import type { DeviceOrder, NewDeviceOrder } from '../../../../../server/store/devices/deviceOrderRows.ts';
import type { DeviceOrderStore, OrderEnd, UnfinishedOrder } from '../../../../../server/store/devices/deviceOrders.ts';
import { type WallMs, wallMs } from '../../../../../shared/protocol/time.ts';

interface Row extends DeviceOrder {
  readonly token: string;
  readonly body: string;
}

type Store = Pick<DeviceOrderStore, 'add' | 'retract' | 'unfinished' | 'claim' | 'release' | 'noteSerial' | 'finish'>;

export class FakeOrderStore implements Store {
  readonly #rows = new Map<number, Row>();
  readonly audited: AuditEntry[] = [];
  /** Ids of the devices that are there, by incarnation. */
  readonly devices = new Map<number, string>();
  isAway = false;
  /** The next so many commits are done, and their answers lost. */
  lostAnswers = 0;
  slow: Promise<void> = Promise.resolve();
  readonly #idsByToken = new Map<string, number>();

  async add(order: NewDeviceOrder, entryOf: (id: number) => AuditEntry, at: WallMs): Promise<number | undefined> {
    return this.#commit(() => {
      if (!this.devices.has(order.incarnation)) return undefined;
      const known = this.#idsByToken.get(order.token);
      if (known !== undefined) return known;
      const id = this.#idsByToken.size + 1;
      this.#idsByToken.set(order.token, id);
      const none = wallMs(0);
      const times = { createdAtMs: at, sentAtMs: none, finishedAtMs: none, answeredAtMs: none };
      const requestedBy = order.requestedBy?.username ?? '';
      this.#rows.set(id, {
        ...order,
        id,
        requestedBy,
        state: 'waiting',
        result: undefined,
        answerId: undefined,
        ...times,
      });
      this.audited.push(entryOf(id));
      return id;
    });
  }

  /** By order id. */
  readonly serials = new Map<number, number>();

  async noteSerial(id: number, serial: number): Promise<void> {
    return this.#commit(() => void this.serials.set(id, serial));
  }

  async retract(token: string, at: WallMs): Promise<void> {
    return this.#commit(() => {
      const id = this.#idsByToken.get(token) ?? 0;
      if (this.row(id)?.state === 'waiting') this.change(id, { state: 'expired', finishedAtMs: at });
    });
  }

  async unfinished(afterId: number, limit: number): Promise<UnfinishedOrder[]> {
    const open = this.rows.filter(({ id, finishedAtMs }) => id > afterId && finishedAtMs === 0);
    return this.#commit(() =>
      open.slice(0, limit).flatMap(({ id, incarnation, reason, expiresAtMs, state }) => {
        const deviceId = this.devices.get(incarnation);
        if (deviceId === undefined) return [];
        return [{ id, incarnation, reason, expiresAtMs, deviceId, state: state === 'waiting' ? 'waiting' : 'sent' }];
      }),
    );
  }

  async claim(id: number, at: WallMs): Promise<string | undefined> {
    return this.#commit(() => {
      const row = this.row(id);
      const isFree = row?.state === 'waiting' || (row?.state === 'sent' && row.sentAtMs === at);
      if (row === undefined || !isFree || row.expiresAtMs <= at) return undefined;
      this.change(id, { state: 'sent', sentAtMs: at });
      return row.body;
    });
  }

  async release(id: number, claimedAt: WallMs): Promise<void> {
    return this.#commit(() => {
      const row = this.row(id);
      if (row?.state === 'sent' && row.sentAtMs === claimedAt) {
        this.change(id, { state: 'waiting', sentAtMs: wallMs(0) });
      }
    });
  }

  async finish(ids: readonly number[], { from, state, result, atMs, entryOf }: OrderEnd): Promise<DeviceOrder[]> {
    return this.#commit(() => {
      const known = (): Row[] => ids.flatMap((id) => this.row(id) ?? []);
      const changed = known().filter((row) => row.state === from);
      for (const { id } of changed) this.change(id, { state, result, finishedAtMs: atMs });
      const ended = known().filter((row) => row.state === state && row.finishedAtMs === atMs);
      for (const { id } of changed) {
        const row = this.row(id);
        if (row !== undefined && entryOf !== undefined) this.audited.push(entryOf(row));
      }
      return ended;
    });
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  row(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  states(): string[] {
    return this.rows.map(({ state }) => state);
  }

  change(id: number, change: Partial<Row>): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.set(id, { ...row, ...change });
  }

  remove(id: number): void {
    this.#rows.delete(id);
  }

  async #commit<Result>(work: () => Result): Promise<Result> {
    await this.slow;
    if (this.isAway) throw new Error('the database is away');
    const result = work();
    if (this.lostAnswers > 0) {
      this.lostAnswers--;
      throw new Error('the connection was lost');
    }
    return result;
  }
}
