// Decides, from what is observed of one device, which events begin, go on and end. No clock, no database: the same observations
// give the same events.

import type { EventSource } from '../../../shared/protocol/events/eventWords.ts';
import type { Limit } from '../../limits/limit.ts';
import { type Observation, Origin, type Signal } from '../signals/signal.ts';
import type { EventDevice, Place, TrackedEvent } from './trackedEvent.ts';
import type { TypeSettings } from './typeSettings.ts';

/** Facts about the device beside the observation. */
export interface TrackingContext {
  readonly device: EventDevice | undefined;
  readonly place: Place;
  readonly driver: string;
  readonly edition: string;
  /** Undefined for a type that is unknown or disabled here. */
  readonly settingsOf: (type: string) => TypeSettings | undefined;
  readonly localDayOf: (atMs: number) => number;
}

export type ChangeKind = 'begun' | 'repeated' | 'ended' | 'seen';

export interface EventChange {
  readonly kind: ChangeKind;
  readonly event: TrackedEvent;
}

/**
 * Events of one device that last or can be continued: without a limit, a terminal could name ever new areas. A new one takes the place of
 * the one that ended first; if all last, it is not raised. There is as much room again for critical events, so that nothing else can crowd
 * out an emergency.
 */
export const TRACKS_LIMIT: Limit = { name: 'events.tracked.device', max: 256 };
const HOUR_MS = 60 * 60_000;
/** Time after which an event ends whose terminal's `end` was lost, or whose terminal was switched off meanwhile. */
const BEGUN_HOLDS_MS = 10 * 60_000;
/** Origins that report the end explicitly, so that silence does not end the event. */
const EXPLICIT = Origin.ActiveSafety;

/** A condition. In a storm several of one type share an event. */
interface Track {
  readonly key: string;
  readonly event: TrackedEvent;
  /** Bits of the origins that say it lasts. */
  origins: number;
  /** Device time of the last report that began the condition: the same report, sent twice, counts once. */
  onsetDeviceMs: number;
}

/** How many events may begin, beside the limit of each type. */
export interface BeginQuota {
  /** The event in which the next one of the type is counted instead of beginning; undefined: it may begin. */
  fullAt(type: string): TrackedEvent | undefined;
  noteBegun(event: TrackedEvent): void;
}

interface TypeHistory {
  /** Times within the last hour at which events of the type began. */
  begunAtMs: number[];
  latest: Track;
}

export class EventTracker {
  readonly #tracks = new Map<string, Track>();
  readonly #types = new Map<string, TypeHistory>();
  readonly #onLimit: (limit: Limit) => void;
  readonly #quota: BeginQuota | undefined;

  constructor(onLimit: (limit: Limit) => void, quota?: BeginQuota) {
    this.#onLimit = onLimit;
    this.#quota = quota;
  }

  get size(): number {
    return this.#tracks.size;
  }

  get events(): TrackedEvent[] {
    return [...this.#tracks.values()].map(({ event }) => event);
  }

  /** Takes events that were stored before the start, so that a restart neither ends them nor begins them again. */
  resume(events: readonly TrackedEvent[]): void {
    for (const event of [...events].sort((left, right) => left.beginAtMs - right.beginAtMs)) {
      const onsetDeviceMs = event.count === 1 ? event.deviceTimeMs : Number.NaN;
      const track = { key: keyOf(event), event, origins: event.origins, onsetDeviceMs };
      this.#tracks.set(track.key, track);
      this.#note(track, event.beginAtMs);
    }
  }

  /** The event of this condition that lasts or could be continued. */
  find(condition: Pick<Signal, 'type' | 'unit' | 'area'>): TrackedEvent | undefined {
    return this.#tracks.get(keyOf(condition))?.event;
  }

  observe(said: Observation, context: TrackingContext): EventChange[] {
    if (said.signals.length === 0 && this.#tracks.size === 0) return [];
    const observation = { ...said, signals: said.signals.map((signal) => this.#placed(signal)) };
    const { signals, covered } = observation;
    const changes: EventChange[] = [];
    this.#endDisabled(observation, context, changes);
    this.#endUnsaid(observation, context, changes);
    for (const signal of signals) {
      const change = this.#take(signal, observation, context);
      if (change !== undefined) changes.push(change);
    }
    if (covered !== 0 || signals.length > 0) this.#forgetOld(observation.atMs, context);
    return changes;
  }

  /** Ends events that a lost message would keep open. Also returns when there may be more to end; undefined: never by itself. */
  expire(nowMs: number): { readonly changes: EventChange[]; readonly nextMs: number | undefined } {
    const changes: EventChange[] = [];
    let nextMs: number | undefined;
    for (const { event } of this.#tracks.values()) {
      if ((event.origins & EXPLICIT) === 0) continue;
      // While another origin reports it too, the event lasts; the lost end only counts when that origin has ended.
      const isSaidElsewhere = (event.origins & ~EXPLICIT) !== 0;
      const dueMs = (isSaidElsewhere ? nowMs : event.lastSeenAtMs) + BEGUN_HOLDS_MS;
      if (dueMs > nowMs) nextMs = Math.min(nextMs ?? dueMs, dueMs);
      else changes.push(this.#endAsSeen(event));
    }
    return { changes, nextMs };
  }

  /** Ends everything at the time of its last report: there will be no more reports. */
  endAll(): EventChange[] {
    const lasting = new Set(this.events.filter(({ origins }) => origins !== 0));
    return [...lasting].map((event) => this.#endAsSeen(event));
  }

  #endAsSeen(event: TrackedEvent): EventChange {
    for (const track of this.#tracks.values()) if (track.event === event) track.origins = 0;
    return end(event, event.lastSeenAtMs, event.endPlace);
  }

  /** Terminals name an area as they cross it and then repeat the alarm without it: the alarm is still that of the area. */
  #placed(signal: Signal): Signal {
    if (signal.form !== 'held' || signal.area !== 0 || this.#tracks.has(keyOf(signal))) return signal;
    for (const { origins, event } of this.#tracks.values()) {
      const isOf = event.type === signal.type && event.unit === signal.unit;
      if (isOf && event.area !== 0 && (origins & signal.origin) !== 0) return { ...signal, area: event.area };
    }
    return signal;
  }

  /** An administrator has turned the type off. */
  #endDisabled({ atMs }: Observation, { place, settingsOf }: TrackingContext, changes: EventChange[]): void {
    for (const track of this.#tracks.values()) {
      if (track.origins === 0 || settingsOf(track.event.type) !== undefined) continue;
      if (this.#setOrigins(track, 0)) changes.push(end(track.event, atMs, place));
    }
  }

  #endUnsaid({ signals, covered, atMs }: Observation, { place }: TrackingContext, changes: EventChange[]): void {
    if (covered === 0) return;
    for (const track of this.#tracks.values()) {
      if ((track.origins & covered) === 0) continue;
      const stillHeld = signals.reduce(
        (bits, signal) => (signal.form === 'held' && keyOf(signal) === track.key ? bits | signal.origin : bits),
        0,
      );
      const origins = track.origins & (~covered | stillHeld);
      if (this.#setOrigins(track, origins)) changes.push(end(track.event, atMs, place));
    }
  }

  /** Sets the track's origins. Returns whether the event has ended by it. */
  #setOrigins(track: Track, origins: number): boolean {
    if (track.origins === origins) return false;
    track.origins = origins;
    const { event } = track;
    const wasLasting = event.origins !== 0;
    event.origins = origins;
    for (const other of this.#tracks.values()) if (other.event === event) event.origins |= other.origins;
    return wasLasting && event.origins === 0;
  }

  #take(signal: Signal, observation: Observation, context: TrackingContext): EventChange | undefined {
    const track = this.#tracks.get(keyOf(signal));
    if (signal.form === 'end') {
      if (track === undefined || (track.origins & signal.origin) === 0) return undefined;
      takeValues(track.event, signal);
      if (!this.#setOrigins(track, track.origins & ~signal.origin)) return undefined;
      return end(track.event, Math.min(signal.sinceMs ?? observation.atMs, observation.atMs), context.place);
    }
    if (track === undefined || track.origins === 0) return this.#begin(signal, observation, context);
    if (signal.form !== 'momentary') this.#setOrigins(track, track.origins | signal.origin);
    return see(track.event, signal, observation.atMs, context);
  }

  #begin(signal: Signal, observation: Observation, context: TrackingContext): EventChange | undefined {
    const settings = context.settingsOf(signal.type);
    if (settings === undefined) return undefined;
    const { atMs, deviceTimeMs: onsetDeviceMs } = observation;
    const earlier = this.#tracks.get(keyOf(signal));
    if (earlier !== undefined && isToldAgain(earlier, signal, observation) && isNear(earlier.event, atMs, settings)) {
      return { kind: 'seen', event: earlier.event };
    }
    const continued = this.#continuedBy(signal, settings, atMs);
    const event = continued ?? begunEvent(signal, { observation, context, settings });
    const origins = signal.form === 'momentary' ? 0 : signal.origin;
    const track = { key: keyOf(signal), event, origins, onsetDeviceMs };
    if (!this.#keep(track)) return undefined;
    if (continued === undefined) this.#note(track, atMs);
    else repeat(continued, signal, atMs, context);
    if (continued === undefined) this.#quota?.noteBegun(event);
    event.origins |= track.origins;
    event.endAtMs = 0;
    if (event.origins === 0) end(event, atMs, context.place);
    return { kind: continued === undefined ? 'begun' : 'repeated', event };
  }

  /** A repeat within the merge window continues the same event; beyond the limit of an hour, the latest event is continued. */
  #continuedBy(signal: Signal, settings: TypeSettings, atMs: number): TrackedEvent | undefined {
    const event = this.#tracks.get(keyOf(signal))?.event;
    if (event !== undefined && !event.isAnswered && isNear(event, atMs, settings)) return event;
    const inStorm = this.#stormEventOf(signal.type, settings, atMs) ?? this.#quota?.fullAt(signal.type);
    // Once a member has closed the event, the next one has to be visible.
    return inStorm?.isAnswered === true ? undefined : inStorm;
  }

  #stormEventOf(type: string, { eventsAnHour }: TypeSettings, atMs: number): TrackedEvent | undefined {
    const history = this.#types.get(type);
    if (history === undefined) return undefined;
    history.begunAtMs = history.begunAtMs.filter((begunMs) => Math.abs(atMs - begunMs) < HOUR_MS);
    return history.begunAtMs.length >= eventsAnHour ? history.latest.event : undefined;
  }

  #keep(track: Track): boolean {
    const room = track.event.severity === 'critical' ? 2 * TRACKS_LIMIT.max : TRACKS_LIMIT.max;
    if (this.#tracks.size >= room && !this.#tracks.has(track.key) && !this.#makeRoom()) {
      this.#onLimit(TRACKS_LIMIT);
      return false;
    }
    this.#tracks.set(track.key, track);
    return true;
  }

  #note(track: Track, atMs: number): void {
    const history = this.#types.get(track.event.type);
    if (history === undefined) this.#types.set(track.event.type, { begunAtMs: [atMs], latest: track });
    else {
      history.begunAtMs.push(atMs);
      history.latest = track;
    }
  }

  /** Forgets the condition that ended first; false when all of them last. In a storm its event may last because of another condition. */
  #makeRoom(): boolean {
    let first: Track | undefined;
    for (const track of this.#tracks.values()) {
      if (track.origins !== 0) continue;
      if (first === undefined || track.event.endAtMs < first.event.endAtMs) first = track;
    }
    if (first === undefined) return false;
    this.#tracks.delete(first.key);
    return true;
  }

  /** Forgets conditions that have ended and can't be continued any more. */
  #forgetOld(atMs: number, { settingsOf }: TrackingContext): void {
    for (const { key, event } of this.#tracks.values()) {
      if (event.origins !== 0) continue;
      const settings = settingsOf(event.type);
      const isOver = settings === undefined || atMs - event.endAtMs >= settings.mergeMs;
      if (isOver && !this.#isStormy(event.type, atMs)) this.#tracks.delete(key);
    }
    for (const [type, { begunAtMs }] of this.#types) {
      const lastMs = begunAtMs.at(-1);
      if (lastMs === undefined || atMs - lastMs >= HOUR_MS) this.#types.delete(type);
    }
  }

  /** Conditions of a type with several begins are kept for an hour: the next one may belong to a storm. */
  #isStormy(type: string, atMs: number): boolean {
    const begun = this.#types.get(type)?.begunAtMs;
    return begun !== undefined && begun.length > 1 && atMs - (begun.at(-1) ?? 0) < HOUR_MS;
  }
}

/** Whether a signal at that time continues the event. Times may go back: when a clock is set, or with an older package of reports. */
function isNear({ beginAtMs, endAtMs }: TrackedEvent, atMs: number, { mergeMs }: TypeSettings): boolean {
  if (atMs < beginAtMs - mergeMs) return false;
  // In a storm the condition's event may still last because of another one.
  return endAtMs === 0 || atMs - endAtMs < mergeMs;
}

/** A terminal that got no answer sends the same position again. Held alarms depend on what lasts, and need no such rule. */
function isToldAgain(track: Track, { form }: Signal, { covered, deviceTimeMs }: Observation): boolean {
  return form !== 'held' && covered !== 0 && track.onsetDeviceMs === deviceTimeMs;
}

function keyOf({ type, unit, area }: Pick<Signal, 'type' | 'unit' | 'area'>): string {
  return `${type}/${unit}/${area}`;
}

interface Beginning {
  readonly observation: Observation;
  readonly context: TrackingContext;
  readonly settings: TypeSettings;
}

function begunEvent(signal: Signal, { observation, context, settings }: Beginning): TrackedEvent {
  const beginAtMs = Math.min(signal.sinceMs ?? observation.atMs, observation.atMs);
  return {
    id: undefined,
    device: context.device,
    type: signal.type,
    unit: signal.unit,
    area: signal.area,
    severity: settings.severity,
    source: sourceOf(signal),
    beginAtMs,
    deviceTimeMs: observation.deviceTimeMs,
    place: context.place,
    driver: context.driver,
    rule: signal.origin === Origin.Rule ? settings.rule : 0,
    isLate: observation.isLate,
    edition: context.edition,
    localDay: context.localDayOf(beginAtMs),
    alarmMark: signal.alarmMark ?? '',
    origins: 0,
    endAtMs: 0,
    lastSeenAtMs: observation.atMs,
    endPlace: context.place,
    count: 1,
    value: signal.value,
    limit: signal.limit,
    countedMs: 0,
    writtenSeenMs: observation.atMs,
    isAnswered: false,
  };
}

function sourceOf({ origin }: Signal): EventSource {
  switch (origin) {
    case Origin.Rule:
    case Origin.Fence:
      return 'rule';
    case Origin.System:
      return 'system';
    default:
      return 'terminal';
  }
}

/** Notes that a lasting event was reported again. */
function see(event: TrackedEvent, signal: Signal, atMs: number, { place }: TrackingContext): EventChange {
  event.lastSeenAtMs = Math.max(event.lastSeenAtMs, atMs);
  event.endPlace = place;
  takeValues(event, signal);
  return { kind: 'seen', event };
}

function repeat(event: TrackedEvent, signal: Signal, atMs: number, context: TrackingContext): void {
  event.count++;
  event.alarmMark = signal.alarmMark ?? event.alarmMark;
  see(event, signal, atMs, context);
}

function takeValues(event: TrackedEvent, { value, limit, origin }: Signal): void {
  event.limit = limit ?? event.limit;
  if (value === undefined || !Number.isFinite(value)) return;
  // The lowest value is the worst for a rule with a lower limit, such as that of a cold cabin.
  const isLower = (measured: number): boolean => event.limit !== undefined && measured < event.limit;
  const before = event.value ?? value;
  const worse = origin === Origin.Rule && isLower(value) && isLower(before) ? Math.min : Math.max;
  event.value = worse(before, value);
}

function end(event: TrackedEvent, atMs: number, place: Place): EventChange {
  event.origins = 0;
  event.endAtMs = Math.max(atMs, event.beginAtMs, 1);
  event.endPlace = place;
  return { kind: 'ended', event };
}
