// Puts fences into terminals and takes them out again, and asks terminals afterwards what they have: an answer of success is not
// always true.
import type { TerminalAreaState } from '../../../shared/protocol/fences/fenceWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { FenceStore, StoredFence } from '../../store/fences/fences.ts';
import type { AreaDevice, StoredArea, TerminalAreaStore } from '../../store/fences/terminalAreas.ts';
import type { MessageBody } from '../jt808/codec/message.ts';
import { createSerialQueue } from '../jt808/serialQueue.ts';
import type { DeviceOrders, OrderRequest, OrderRequested } from '../orders/deviceOrders.ts';
import type { DeviceRegistry } from '../registry.ts';
import { areaBody, removalBody } from './areaBodies.ts';
import { AreaReader } from './areaReader.ts';
import { type EndedOrder, outcomeOf } from './areaStates.ts';

export interface AreaSyncDeps {
  readonly store: TerminalAreaStore;
  readonly fences: Pick<FenceStore, 'findAnywhere'>;
  readonly orders: Pick<DeviceOrders, 'request' | 'subscribe'>;
  readonly registry: Pick<DeviceRegistry, 'session' | 'subscribe'>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

/** Undefined: the gateway itself. */
type By = OrderRequest['by'];

export type AreaRequested = { readonly ok: true } | Extract<OrderRequested, { ok: false }>;

/** The reason of the orders; their reference is the number of the fence. */
const AREAS_REASON = 'device.areas';
/** Within this time vehicles come back from the workshop. */
const EXPIRES_AFTER_MS = 14 * 86_400_000;
/** Strays that are read from the database at once; each becomes an order. */
const STRAYS_AT_ONCE = 100;
const UNDECIDED: readonly TerminalAreaState[] = ['waiting', 'removing'];
const TAKEN: readonly TerminalAreaState[] = ['confirmed', 'sent'];
const NOTE_FAILED = 'what became of an area of a terminal could not be noted';

export class AreaSync {
  readonly #deps: AreaSyncDeps;
  readonly #reader: AreaReader;
  /** When two members ask at once, the second finds what the first has begun. */
  readonly #inTurn = createSerialQueue();
  readonly #notes = createSerialQueue();
  #unsubscribe: readonly (() => void)[] = [];
  #isClosed = false;

  constructor(deps: AreaSyncDeps) {
    this.#deps = deps;
    this.#reader = new AreaReader(deps);
  }

  /** Call this before the orders start: they then report how those of an earlier run ended. */
  async start(): Promise<void> {
    const { store, orders, registry, onFault } = this.#deps;
    for (const { orderId, state, result } of await store.waitingWithoutOrder()) {
      await this.#note(orderId, { state: state ?? 'unknown', result });
    }
    const unconfirmed = new Set(await store.unconfirmed());
    this.#unsubscribe = [
      orders.subscribe(({ id, reason, state, result }) => {
        if (reason === AREAS_REASON) inBackground(NOTE_FAILED, this.#note(id, { state, result }), onFault);
      }),
      registry.subscribe((deviceId, presence) => {
        if (presence === undefined || !(unconfirmed.delete(deviceId) || this.#reader.isOpen(deviceId))) return;
        inBackground('the areas of a terminal could not be read', this.#reader.read(deviceId), onFault);
      }),
    ];
  }

  /**
   * Removes areas that are no longer wanted. Call it once the orders have started, and whenever devices, their groups or fences
   * have changed.
   */
  removeStrays(): Promise<void> {
    return this.#inTurn(async () => {
      const { store } = this.#deps;
      await store.forgetFormer();
      for (;;) {
        const strays = this.#isClosed ? [] : await store.strays(STRAYS_AT_ONCE);
        for (const { fence, device } of strays) {
          // An order for which there is no room now is tried again at the next change.
          if (!(await this.#remove(fence, device, undefined)).ok) return;
        }
        if (strays.length < STRAYS_AT_ONCE) return;
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  ofFence(fence: number): Promise<StoredArea[]> {
    return this.#deps.store.ofFence(fence);
  }

  isOnline(deviceId: string): boolean {
    return this.#deps.registry.session(deviceId) !== undefined;
  }

  /** The order is sent at once, or when the terminal connects. */
  put(fence: StoredFence, device: AreaDevice, by: By): Promise<AreaRequested> {
    return this.#inTurn(() => this.#put(fence, device, by));
  }

  remove(fence: number, device: AreaDevice, by: By): Promise<AreaRequested> {
    return this.#inTurn(() => this.#remove(fence, device, by));
  }

  /** Asks the terminal what areas it has, if it is online and can say so. */
  async ask(deviceId: string): Promise<void> {
    await this.#reader.read(deviceId);
  }

  async #put(fence: StoredFence, device: AreaDevice, by: By): Promise<AreaRequested> {
    const { store } = this.#deps;
    const before = await store.find(fence.id, device);
    const { kind } = fence.content;
    if (before !== undefined && before.kind !== kind) {
      const removed = await this.#request(device, { fence: fence.id, body: removalBody(before.kind, fence.id), by });
      if (!removed.ok) return removed;
    }
    const isThere = before?.kind === kind && before.state === 'confirmed';
    const made = areaBody(fence, isThere);
    const area = {
      fence: fence.id,
      device,
      kind,
      isWanted: true,
      fenceVersion: fence.version,
      changedAtMs: this.#nowMs,
    };
    if (!made.ok) {
      await store.put({ ...area, state: 'refused', note: 'both-hemispheres', orderId: 0 });
      return { ok: true };
    }
    const requested = await this.#request(device, { fence: fence.id, body: made.body, by });
    if (!requested.ok) return requested;
    await store.put({ ...area, state: 'waiting', note: made.note, orderId: requested.id });
    this.#noteEnd(requested);
    return { ok: true };
  }

  async #remove(fence: number, device: AreaDevice, by: By): Promise<AreaRequested> {
    const { store } = this.#deps;
    const before = await store.find(fence, device);
    if (before === undefined) return { ok: true };
    if (before.orderId === 0) {
      // No order for it was ever sent.
      await store.remove(before);
      return { ok: true };
    }
    const requested = await this.#request(device, { fence, body: removalBody(before.kind, fence), by });
    if (!requested.ok) return requested;
    const removing = { state: 'removing', note: '', orderId: requested.id, changedAtMs: this.#nowMs } as const;
    await store.put({ ...before, isWanted: false, ...removing });
    this.#noteEnd(requested);
    return { ok: true };
  }

  #request(device: AreaDevice, { fence, body, by }: AreaOrder): Promise<OrderRequested> {
    const expiresAtMs = wallMs(this.#deps.now() + EXPIRES_AFTER_MS);
    return this.#deps.orders.request({ device, body, by, reason: AREAS_REASON, reference: fence, expiresAtMs });
  }

  /** The order may have ended before the area was stored under its number. */
  #noteEnd({ id, outcome }: Extract<OrderRequested, { ok: true }>): void {
    const noted = outcome.then((end) => this.#note(id, { result: undefined, ...end }));
    inBackground(NOTE_FAILED, noted, this.#deps.onFault);
  }

  /** An end that came late enough is reported twice: the second time there is nothing to note. */
  async #note(orderId: number, order: EndedOrder): Promise<void> {
    const noted = await this.#notes(() => this.#noteState(orderId, order));
    // Not in turn: a terminal may take its time to answer.
    if (noted !== undefined) await this.#reader.read(noted.deviceId);
  }

  /** Gives the device whose terminal has to be asked now. */
  async #noteState(orderId: number, order: EndedOrder): Promise<AreaDevice | undefined> {
    const { store } = this.#deps;
    const area = orderId === 0 ? undefined : await store.findByOrder(orderId);
    if (area === undefined || !UNDECIDED.includes(area.state)) return undefined;
    const others = await store.ofDevice(area.device);
    const hasOthers = others.some(({ fence, kind, state }) => {
      return fence !== area.fence && kind === area.kind && TAKEN.includes(state);
    });
    const outcome = outcomeOf(order, { ...area, hasOthers });
    if (outcome === undefined) return undefined;
    if (outcome.kind === 'gone') {
      await store.remove(area);
      return undefined;
    }
    await store.setState(area, { ...outcome, atMs: this.#nowMs });
    return order.state === 'done' || outcome.note === 'no-answer' ? area.device : undefined;
  }

  get #nowMs(): WallMs {
    return wallMs(this.#deps.now());
  }
}

interface AreaOrder {
  readonly fence: number;
  readonly body: MessageBody;
  readonly by: By;
}
