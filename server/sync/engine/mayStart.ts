// Whether an item may be fetched now, or what it waits for. Pure.

import type { SyncRuleContent } from '../../../shared/protocol/api/sync/sync.ts';
import type { SyncMethod, SyncWait } from '../../../shared/protocol/sync/syncWords.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';
import type { StoppedAs } from './run.ts';

export interface StartFacts {
  readonly nowMs: number;
  /** The item's reason for waiting until now. */
  readonly wait: SyncWait;
  /** Earliest time of the next attempt. */
  readonly nextAtMs: number;
  /** Whether the rule still covers the device, or the member group of the requester has it. */
  readonly isCovered: boolean;
  /** Undefined: a member or an event has requested the item. */
  readonly rule: Pick<SyncRuleContent, 'enabled' | 'hours' | 'mobile' | 'concurrency' | 'megabytesADay'> | undefined;
  readonly timeZone: string;
  readonly isOnline: boolean;
  readonly isDiskReady: boolean;
  /** Whether somebody watches the device's card. */
  readonly isWatched: boolean;
  readonly mayTransfer: boolean;
  /** Whether the device was on none of the rule's networks a short while ago. */
  readonly isOffNetwork: boolean;
  /** Bytes received for the rule from the device, since its midnight. */
  readonly receivedTodayBytes: number;
  readonly runningOfRule: number;
  readonly runningInAll: number;
  /** Whether the places that are left belong to other member groups, which have fewer runs. */
  readonly isOthersTurn: boolean;
}

export type StartDecision =
  | { readonly kind: 'start' }
  /** Nobody wants the item any more. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'wait'; readonly wait: Exclude<SyncWait, ''> };

const MEGABYTE = 1_000_000;
/** Rules leave room for requests of members and events. */
export const MAX_RUNS = 120;
export const MAX_RUNS_OF_RULES = 100;

/** Total of places for an item of a rule, or of none. */
export function placesFor(rule: unknown): number {
  return rule === undefined ? MAX_RUNS : MAX_RUNS_OF_RULES;
}

export function mayStart(facts: StartFacts): StartDecision {
  if (!isWanted(facts)) return { kind: 'cancel' };
  const wait = waitOf(facts);
  return wait === undefined ? { kind: 'start' } : { kind: 'wait', wait };
}

export interface RunFacts extends Pick<StartFacts, 'nowMs' | 'isCovered' | 'rule' | 'timeZone'> {
  readonly method: SyncMethod;
}

/** New state of an item that has to be stopped; undefined: it goes on. A begun item may exceed its rule's megabytes of the day. */
export function reasonToStop(facts: RunFacts): StoppedAs | undefined {
  if (!isWanted(facts)) return { state: 'planned', wait: '' };
  if (!isInHours(facts)) return { state: 'waiting', wait: 'window' };
  // Playback can't choose a network.
  return facts.method === 'playback' && facts.rule?.mobile === false ? { state: 'planned', wait: '' } : undefined;
}

function isWanted({ isCovered, rule }: Pick<StartFacts, 'isCovered' | 'rule'>): boolean {
  return isCovered && rule?.enabled !== false;
}

function isInHours({ rule, timeZone, nowMs }: Pick<StartFacts, 'rule' | 'timeZone' | 'nowMs'>): boolean {
  return rule === undefined || isScheduled(rule.hours, timeZone, nowMs);
}

/** The longest lasting reason is named first. */
function waitOf(facts: StartFacts): Exclude<SyncWait, ''> | undefined {
  const { rule, nowMs } = facts;
  if (!facts.isOnline) return 'online';
  if (!isInHours(facts)) return 'window';
  if (!facts.mayTransfer) return 'plan';
  if (rule !== undefined && isUsedUp(rule.megabytesADay, facts.receivedTodayBytes)) return 'allowance';
  if (facts.isOffNetwork && rule?.mobile === false) return 'network';
  if (facts.nextAtMs > nowMs) return facts.wait === 'network' || facts.wait === 'turn' ? facts.wait : 'retry';
  if (!facts.isDiskReady) return 'disk';
  if (facts.isWatched) return 'viewers';
  return isRuleFull(facts) || lacksPlace(facts) ? 'turn' : undefined;
}

function isRuleFull({ rule, runningOfRule }: StartFacts): boolean {
  return rule !== undefined && runningOfRule >= rule.concurrency;
}

function lacksPlace({ rule, runningInAll, isOthersTurn }: StartFacts): boolean {
  return isOthersTurn || runningInAll >= placesFor(rule);
}

/** Whether an item that waits for its turn could begin with the next free place. */
export function wantsPlace(facts: StartFacts): boolean {
  return facts.nextAtMs <= facts.nowMs && !isRuleFull(facts) && lacksPlace(facts);
}

/** What to check after an item that waits: its reason holds back all of the device, all of its rule, or only this item. */
export function nextOfWait(wait: Exclude<SyncWait, ''>): 'stop' | 'next-rule' | 'next-item' {
  switch (wait) {
    case 'online':
    case 'viewers':
    case 'disk':
      return 'stop';
    case 'window':
    case 'network':
    case 'allowance':
    case 'turn':
      return 'next-rule';
    case 'plan':
    case 'retry':
      return 'next-item';
  }
}

function isUsedUp(megabytesADay: number, receivedBytes: number): boolean {
  return megabytesADay > 0 && receivedBytes >= megabytesADay * MEGABYTE;
}

/** Bits of 0x9206: the networks that the device may use. */
export function networkBits(rule: Pick<SyncRuleContent, 'wifi' | 'lan' | 'mobile'> | undefined): number {
  if (rule === undefined) return 0b111;
  return (rule.wifi ? 1 : 0) | (rule.lan ? 2 : 0) | (rule.mobile ? 4 : 0);
}
