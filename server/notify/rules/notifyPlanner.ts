// Plans the messages of events that are about to be written, so that both are written together.
import { randomUUID } from 'node:crypto';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { NotifyToldStore } from '../../store/notify/notifyTold.ts';
import type { EventMessage, PlannedMessage } from '../../store/notify/plannedMessage.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import { type PlannedEvent, planMessages } from './planMessages.ts';
import { TOLD_TIMES_LIMIT, ToldTimes, toldKey } from './toldTimes.ts';
import { WaitingShares } from './waitingShares.ts';

/**
 * Notifications that wait to be sent, of all member groups together. Beyond it, member groups with more than an equal share are only
 * notified of critical events.
 */
export const WAITING_MESSAGES_LIMIT: Limit = { name: 'notify.waiting.all', max: 100_000 };
/** Notifications of one event, of all rules, steps and recipients. The notifications of later steps are left out first. */
export const EVENT_MESSAGES_LIMIT: Limit = { name: 'notify.messages.event', max: 500 };
const COUNT_INTERVAL_MS = 60_000;

export interface NotifyPlannerDeps {
  readonly settings: { readonly facts: NotifyFacts };
  readonly told: Pick<NotifyToldStore, 'since' | 'waitingByGroup'>;
  readonly isFailing: (sender: number) => boolean;
  /** Called with messages that are in the database now, except for those that have joined a digest. */
  readonly onMessages: (messages: readonly Pick<PlannedMessage, 'key' | 'sender'>[]) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

export interface PlannedBatch {
  readonly messages: readonly EventMessage[];
  /** To be called when they are stored. A batch that isn't stored is planned again with the next attempt. */
  readonly stored: () => void;
}

export class NotifyPlanner {
  readonly #deps: NotifyPlannerDeps;
  readonly #told: ToldTimes;
  /** The counted messages, and those added since; messages that were sent since are taken into account a minute later. */
  #waiting = new WaitingShares(WAITING_MESSAGES_LIMIT.max);
  #planned = 0;
  #rounds: Rounds | undefined;

  constructor(deps: NotifyPlannerDeps) {
    this.#deps = deps;
    this.#told = new ToldTimes(deps.onLimit);
  }

  /** Messages that were planned and stored since the start. */
  get plannedCount(): number {
    return this.#planned;
  }

  async start(): Promise<void> {
    const { told, now } = this.#deps;
    this.#told.takeUp(await told.since(ToldTimes.sinceMs(now()), TOLD_TIMES_LIMIT.max));
    await this.#count();
    this.#rounds = new Rounds({
      ...this.#deps,
      work: () => this.#count(),
      failure: 'messages that wait could not be counted',
      intervalMs: COUNT_INTERVAL_MS,
      delayMs: COUNT_INTERVAL_MS,
    });
  }

  async close(): Promise<void> {
    await this.#rounds?.close();
  }

  /** Plans the messages of the events, in their order. */
  plan(events: readonly ToldEvent[]): PlannedBatch {
    const { facts } = this.#deps.settings;
    const nowMs = this.#deps.now();
    const toldNow = new Map<string, number>();
    const messages: EventMessage[] = [];
    const waiting = this.#waiting.copy();
    for (const [at, event] of events.entries()) {
      const keyOf = (rule: number): string => toldKey({ rule, ...placeOf(event) });
      const planned = planMessages(event, facts, {
        nowMs,
        lastToldAtMs: (rule) => {
          const key = keyOf(rule);
          return toldNow.get(key) ?? this.#told.lastAt(key);
        },
        isFailing: this.#deps.isFailing,
        enough: EVENT_MESSAGES_LIMIT.max + 1,
        newKey: randomUUID,
      });
      const { fitting, withoutRoom } = this.#fitting(planned.messages, event, waiting);
      for (const message of this.#bounded(fitting)) {
        messages.push({ event: at, ...message });
        waiting.add(message.message.memberGroup);
      }
      for (const rule of planned.rules) {
        if (hasInterval(facts, rule) && !withoutRoom.has(rule)) toldNow.set(keyOf(rule), nowMs);
      }
    }
    return { messages, stored: () => this.#stored(messages, toldNow) };
  }

  /** `withoutRoom`: rules that notify nobody of the event, since too many messages of their member group wait. */
  #fitting(planned: PlannedEvent['messages'], { severity }: ToldEvent, waiting: WaitingShares) {
    const withoutRoom = new Set<number>();
    if (severity === 'critical') return { fitting: planned, withoutRoom };
    const fitting = planned.filter(({ message: { memberGroup, rule } }) => {
      if (waiting.hasRoom(memberGroup)) return true;
      withoutRoom.add(rule);
      return false;
    });
    if (withoutRoom.size > 0) this.#deps.onLimit(WAITING_MESSAGES_LIMIT);
    return { fitting, withoutRoom };
  }

  #bounded(messages: readonly Omit<EventMessage, 'event'>[]): readonly Omit<EventMessage, 'event'>[] {
    if (messages.length <= EVENT_MESSAGES_LIMIT.max) return messages;
    this.#deps.onLimit(EVENT_MESSAGES_LIMIT);
    const firstSteps = messages.toSorted((left, right) => left.message.step - right.message.step);
    return firstSteps.slice(0, EVENT_MESSAGES_LIMIT.max);
  }

  #stored(messages: readonly EventMessage[], toldNow: ReadonlyMap<string, number>): void {
    for (const [key, atMs] of toldNow) this.#told.note(key, atMs);
    for (const { message } of messages) this.#waiting.add(message.memberGroup);
    this.#planned += messages.length;
    if (messages.length > 0) this.#deps.onMessages(messages.map(({ message }) => message));
  }

  async #count(): Promise<void> {
    this.#waiting = new WaitingShares(WAITING_MESSAGES_LIMIT.max, await this.#deps.told.waitingByGroup());
  }
}

function placeOf({ device, type }: ToldEvent): { readonly archiveNumber: number; readonly type: string } {
  return { archiveNumber: device?.archiveNumber ?? 0, type };
}

function hasInterval({ rules }: NotifyFacts, rule: number): boolean {
  return (rules.find(rule)?.rule.intervalMinutes ?? 0) > 0;
}
