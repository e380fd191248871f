// Sets alarm limits in terminals, and asks them afterwards what they have: an answer of success is not always true.
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import type { AlarmLimitChange, AlarmLimitState, AlarmLimits } from '../../../shared/protocol/api/eventConfig.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { AlarmLimitStore, LimitedDevice, StoredAlarmLimits } from '../../store/devices/alarmLimits.ts';
import { createSerialQueue } from '../jt808/serialQueue.ts';
import type { DeviceOrders, OrderRequest, OrderRequested } from '../orders/deviceOrders.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { TerminalSession } from '../terminalSession.ts';
import { ALARM_LIMIT_IDS, changedLimits, hasLimits, itemsOfLimits, limitsOfItems } from './alarmLimitItems.ts';

export interface AlarmLimitSyncDeps {
  readonly store: AlarmLimitStore;
  readonly orders: Pick<DeviceOrders, 'request' | 'subscribe' | 'withdraw'>;
  readonly registry: Pick<DeviceRegistry, 'session' | 'subscribe'>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

export interface LimitsChange {
  /** Limits to change: a missing one stays unchanged, null removes it. */
  readonly limits: AlarmLimitChange;
  /** The version that is changed. */
  readonly version: number;
  readonly by: NonNullable<OrderRequest['by']>;
}

export type LimitsChanged =
  | { readonly ok: true; readonly before: Partial<AlarmLimits>; readonly after: Partial<AlarmLimits> }
  /** Another user has changed the limits since. */
  | { readonly ok: false; readonly reason: 'conflict' }
  | Extract<OrderRequested, { ok: false }>;

interface WantedNow extends Pick<LimitsChange, 'by'> {
  readonly wanted: Partial<AlarmLimits>;
  readonly version: number;
}

/** The reason of the order; its reference is the version of the wanted limits. */
const LIMITS_REASON = 'device.limits';
/** Within this time vehicles come back from the workshop. */
const EXPIRES_AFTER_MS = 14 * 86_400_000;
/** A terminal's answer is fresh for this long and not asked for again. */
const FRESH_MS = 30_000;
const NOTE_FAILED = 'what became of the limits of a terminal could not be noted';
const UNDECIDED: readonly AlarmLimitState[] = ['waiting', 'sent'];

export class AlarmLimitSync {
  readonly #deps: AlarmLimitSyncDeps;
  /** Devices whose terminals have to be asked when they connect. */
  readonly #unconfirmed = new Set<string>();
  readonly #asking = new Map<TerminalSession, Promise<void>>();
  /** When two administrators change limits at once, the second finds what the first has set. */
  readonly #inTurn = createSerialQueue();
  #unsubscribe: readonly (() => void)[] = [];

  constructor(deps: AlarmLimitSyncDeps) {
    this.#deps = deps;
  }

  /** Call this before the orders start: they then report how those of an earlier run ended. */
  async start(): Promise<void> {
    const { store, orders, registry } = this.#deps;
    await this.#noteLostEnds();
    for (const deviceId of await store.unconfirmed()) this.#unconfirmed.add(deviceId);
    this.#unsubscribe = [
      orders.subscribe(({ deviceId, incarnation, reason, reference, state }) => {
        if (reason !== LIMITS_REASON || reference === undefined) return;
        const noted = this.#note({ deviceId, incarnation }, reference, state);
        inBackground(NOTE_FAILED, noted, this.#deps.onFault);
      }),
      registry.subscribe((deviceId, presence) => {
        if (presence === undefined || !this.#unconfirmed.has(deviceId)) return;
        inBackground('the limits of a terminal could not be read', this.#ask(presence.session), this.#deps.onFault);
      }),
    ];
  }

  /** The gateway may have ended between the end of an order and its note, or before the order was stored. */
  async #noteLostEnds(): Promise<void> {
    const { store } = this.#deps;
    for (const { device, version, orderState } of await store.waitingWithoutOrder(LIMITS_REASON)) {
      await store.setState(device, version, { from: ['waiting'], to: stateAfter(orderState ?? 'unknown') });
    }
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** The wanted limits and the terminal's own: the terminal is asked if it is online and hasn't just reported them. */
  async current(deviceId: string): Promise<StoredAlarmLimits | undefined> {
    const known = await this.#deps.store.find(deviceId);
    const session = this.#deps.registry.session(deviceId);
    const isFresh = known !== undefined && this.#deps.now() - known.reportedAtMs < FRESH_MS;
    if (session === undefined || isFresh) return known;
    await this.#ask(session);
    return this.#deps.store.find(deviceId);
  }

  /** The limits as last stored. */
  known(deviceId: string): Promise<StoredAlarmLimits | undefined> {
    return this.#deps.store.find(deviceId);
  }

  isOnline(deviceId: string): boolean {
    return this.#deps.registry.session(deviceId) !== undefined;
  }

  /** The order is sent at once, or when the terminal connects. */
  change(device: LimitedDevice, change: LimitsChange): Promise<LimitsChanged> {
    return this.#inTurn(() => this.#change(device, change));
  }

  async #change(device: LimitedDevice, { limits, version: changed, by }: LimitsChange): Promise<LimitsChanged> {
    const { store, orders } = this.#deps;
    const known = await store.find(device.deviceId);
    if (changed !== (known?.version ?? 0)) return { ok: false, reason: 'conflict' };
    const before = known?.wanted ?? {};
    const after = changedLimits(before, limits);
    const version = changed + 1;
    const requested = await this.#request(device, { wanted: after, version, by });
    if (requested?.ok === false) return requested;
    // Limits that are no longer wanted must not reach the terminal later.
    orders.withdraw(device.deviceId, { reason: LIMITS_REASON, exceptId: requested?.id });
    await store.want(device, { wanted: after, version, by: by.username, atMs: this.#nowMs });
    if (requested !== undefined) {
      // The order may have ended before this was stored.
      const noted = requested.outcome.then(({ state }) => this.#note(device, version, state));
      inBackground(NOTE_FAILED, noted, this.#deps.onFault);
    }
    return { ok: true, before, after };
  }

  /** Undefined where no limits are wanted. */
  async #request(device: LimitedDevice, { wanted, version, by }: WantedNow): Promise<OrderRequested | undefined> {
    if (Object.keys(wanted).length === 0) return undefined;
    return this.#deps.orders.request({
      device,
      // All wanted limits, so that the result of an earlier order doesn't matter.
      body: { kind: 'setParameters', items: itemsOfLimits(wanted) },
      by,
      reason: LIMITS_REASON,
      reference: version,
      expiresAtMs: wallMs(this.#deps.now() + EXPIRES_AFTER_MS),
    });
  }

  async #note(device: LimitedDevice, version: number, state: OrderState): Promise<void> {
    const to = stateAfter(state);
    if (to === 'waiting') return;
    await this.#deps.store.setState(device, version, { from: ['waiting'], to });
    if (to === 'expired') return;
    this.#unconfirmed.add(device.deviceId);
    const session = this.#deps.registry.session(device.deviceId);
    if (session === undefined) return;
    // A question under way was asked before the change.
    await this.#asking.get(session);
    await this.#ask(session);
  }

  /** Callers at the same time wait for one answer. */
  #ask(session: TerminalSession): Promise<void> {
    const known = this.#asking.get(session);
    if (known !== undefined) return known;
    const asking = this.#read(session).finally(() => this.#asking.delete(session));
    this.#asking.set(session, asking);
    return asking;
  }

  async #read(session: TerminalSession): Promise<void> {
    const { store } = this.#deps;
    const { deviceId, incarnation } = session;
    const asked = await store.find(deviceId);
    const reported = await askLimits(session);
    if (reported === undefined) return;
    await store.report({ deviceId, incarnation }, { reported, atMs: this.#nowMs });
    // Limits that have been wanted since then are not what the terminal was asked about.
    if (asked?.wanted === undefined || asked.state === 'waiting') return;
    const to = hasLimits(reported, asked.wanted) ? 'confirmed' : 'differs';
    const from: readonly AlarmLimitState[] =
      to === 'confirmed' ? ['sent', 'confirmed', 'differs', 'refused', 'expired'] : ['sent', 'confirmed', 'differs'];
    await store.setState({ deviceId, incarnation }, asked.version, { from, to });
    if (!UNDECIDED.includes((await store.find(deviceId))?.state ?? 'none')) this.#unconfirmed.delete(deviceId);
  }

  get #nowMs(): WallMs {
    return wallMs(this.#deps.now());
  }
}

/** Terminals of the older edition may not know the question for some parameters. */
async function askLimits(session: TerminalSession): Promise<Partial<AlarmLimits> | undefined> {
  const some = await session.query({ kind: 'querySomeParameters', ids: ALARM_LIMIT_IDS }, 'parametersReply');
  if (some.ok) return limitsOfItems(some.answer.items, session.edition);
  if (some.reason !== 'refused') return undefined;
  const all = await session.query({ kind: 'queryParameters' }, 'parametersReply');
  return all.ok ? limitsOfItems(all.answer.items, session.edition) : undefined;
}

/** Without an answer the terminal may still have obeyed: asking it shows what it has. */
function stateAfter(state: OrderState): AlarmLimitState {
  switch (state) {
    case 'waiting':
    case 'sent':
      return 'waiting';
    case 'done':
    case 'no-answer':
    case 'unknown':
      return 'sent';
    case 'refused':
      return 'refused';
    case 'expired':
      return 'expired';
  }
}
