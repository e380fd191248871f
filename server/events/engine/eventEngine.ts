// Turns what terminals report into events. It runs on the thread that relays media: everything here is in memory, and the database is
// written afterwards.
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import type { Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { MessageReport, PositionReport, Report } from '../../device/reportFeed.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { storableText } from '../../limits/storableText.ts';
import type { EventLogStore, StoredEvent } from '../../store/events/eventLog.ts';
import { MAX_SIGNALS } from '../signals/observation.ts';
import { isLateTime } from '../signals/reportTimes.ts';
import { type Observation, Origin, type Signal } from '../signals/signal.ts';
import { DeviceEvents } from './deviceEvents.ts';
import { type EventChange, EventTracker, type TrackingContext } from './eventTracker.ts';
import { type EventPlanner, EventWriter, type StoredChange } from './eventWriter.ts';
import { groupByArchive } from './groupByArchive.ts';
import { type EventDevice, NOWHERE, type Place, type TrackedEvent } from './trackedEvent.ts';
import type { TypeSettings } from './typeSettings.ts';

export interface EventEngineDeps {
  readonly store: EventLogStore;
  /** What a report says about conditions; undefined for nothing. */
  readonly observationOf: (report: Report) => Observation | undefined;
  /** What the gateway's own rules say about the report. */
  readonly ruleSignalsOf: (report: Report) => readonly Signal[];
  /** Settings of a type at a device. `device` undefined: of the gateway itself. The result is undefined for a type that raises nothing. */
  readonly settingsOf: (device: EventDevice | undefined, type: string) => TypeSettings | undefined;
  /** Day where the device is, as a number such as 20261123. */
  readonly localDayOf: (device: EventDevice | undefined, atMs: number) => number;
  /** Whether the device has this channel; others are not reported on, whatever the terminal says. */
  readonly hasChannel: (device: EventDevice, channel: number) => boolean;
  /** Where the device was last; undefined: not known. */
  readonly lastPlaceOf: (device: EventDevice) => Place | undefined;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Called at once, before the event is stored. */
  readonly onChanged: (event: TrackedEvent) => void;
  readonly onStored: (changes: readonly StoredChange[]) => void;
  /** Decides who is notified of events that begin; left out: nobody is. */
  readonly planner?: EventPlanner | undefined;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

/** Conditions that one report of a terminal may raise. The others of this report are left out. */
export const SIGNALS_LIMIT: Limit = { name: 'events.signals.report', max: MAX_SIGNALS };
const EXPIRY_CHECK_MS = 10_000;
/** Interval at which the database is told that an event still lasts. */
const SEEN_WRITTEN_EVERY_MS = 60_000;
const HOUR_MS = 60 * 60_000;

export class EventEngine {
  readonly #deps: EventEngineDeps;
  readonly #writer: EventWriter;
  /** Events of devices, by archive number. */
  readonly #devices = new Map<number, DeviceEvents>();
  readonly #system: EventTracker;
  /** When the clock may have to end events, by archive number. */
  readonly #expiring = new Map<number, number>();
  readonly #begun = new Map<Severity, number>();
  #cancelCheck: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: EventEngineDeps) {
    this.#deps = deps;
    this.#writer = new EventWriter(deps);
    this.#system = new EventTracker(deps.onLimit);
  }

  /** Resumes the events that lasted when the gateway stopped. Reports come only after it. */
  async start(deviceOf: (archiveNumber: number) => EventDevice | undefined): Promise<void> {
    const { store, now } = this.#deps;
    const stored = await store.tracked(now() - HOUR_MS);
    for (const [archiveNumber, events] of groupByArchive(stored)) {
      const device = deviceOf(archiveNumber);
      const tracked = events.map((event) => this.#toTracked(event, device));
      if (archiveNumber === 0) this.#system.resume(tracked);
      else if (device === undefined) this.#add(endOf(tracked));
      else {
        this.#eventsOf(device).resume(tracked);
        this.#expiring.set(archiveNumber, now());
      }
    }
    this.#checkLater();
  }

  /** Events that last, of all devices. */
  *lasting(): Iterable<TrackedEvent> {
    for (const device of this.#devices.values()) {
      for (const event of device.events) if (event.origins !== 0) yield event;
    }
  }

  /** Settles once the events that this report begins, continues or ends are stored; undefined if there are none. */
  handle(report: Report): Promise<void> | undefined {
    const { device } = report;
    if (report.kind === 'message') this.#noteDriver(report);
    const observed = this.#observationOf(report);
    if (observed === undefined) return undefined;
    if (observed.signalsLeftOut !== undefined) this.#deps.onLimit(SIGNALS_LIMIT);
    const observation = this.#ofFittedChannels(device, observed);
    const said = report.kind === 'position' ? { edition: report.edition, place: placeOf(report) } : undefined;
    const changes = this.#observe(device, observation, said);
    if (report.kind === 'position') this.#notePlace(report);
    return this.#whenStored(changes);
  }

  /** Called for something that was found without a report of the terminal. */
  observe(device: EventDevice, observation: Observation): void {
    this.#observe(device, this.#ofFittedChannels(device, observation), undefined);
  }

  /** The terminal's own signals and those of rules are of one moment: together they begin one event, not two. */
  #observationOf(report: Report): Observation | undefined {
    const observed = this.#deps.observationOf(report);
    const found = this.#deps.ruleSignalsOf(report);
    if (found.length === 0) return observed;
    if (observed !== undefined) return { ...observed, signals: [...observed.signals, ...found] };
    const atMs = this.#deps.now();
    return { atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals: found };
  }

  #ofFittedChannels(device: EventDevice, observation: Observation): Observation {
    const isFitted = ({ type, unit }: Signal): boolean =>
      unit === 0 || builtInType(type)?.unit !== 'channel' || this.#deps.hasChannel(device, unit);
    if (observation.signals.every(isFitted)) return observation;
    return { ...observation, signals: observation.signals.filter(isFitted) };
  }

  #observe(device: EventDevice, observation: Observation, said: ReportedPlace | undefined): readonly EventChange[] {
    const known = this.#devices.get(device.archiveNumber);
    if (known === undefined && observation.signals.length === 0) return [];
    const events = known ?? this.#eventsOf(device);
    const place = observation.isLate ? events.latePlace : events.place;
    const context = { ...this.#contextOf(events), place, driver: events.driverOf(observation), ...said };
    const changes = events.observe(observation, context, this.#deps.now());
    if (observation.isLate) this.#expiring.set(device.archiveNumber, this.#deps.now());
    else this.#expectEnds(device, changes);
    this.#add(changes);
    return changes;
  }

  /** Schedules the check for an end that only the terminal reports, however the event came to wait for it: the report may get lost. */
  #expectEnds({ archiveNumber }: EventDevice, changes: readonly EventChange[]): void {
    if (this.#expiring.has(archiveNumber)) return;
    const isWaiting = changes.some(({ event }) => (event.origins & Origin.ActiveSafety) !== 0);
    if (isWaiting) this.#expiring.set(archiveNumber, this.#deps.now());
  }

  /** Called for something that the gateway has found by itself, about a device or about itself. */
  raise(signal: Pick<Signal, 'type' | 'form' | 'value' | 'limit'>, device?: EventDevice): void {
    const atMs = this.#deps.now();
    const observation = {
      atMs,
      deviceTimeMs: atMs,
      isLate: false,
      covered: 0,
      signals: [{ ...signal, origin: Origin.System, unit: 0, area: 0 }],
    };
    if (device !== undefined) this.#observe(device, observation, undefined);
    else this.#add(this.#system.observe(observation, this.#contextOf(undefined)));
  }

  /** Called when a member has closed or reopened the event. */
  setAnswered(archiveNumber: number, id: number, isAnswered: boolean): void {
    const events = archiveNumber === 0 ? this.#system.events : (this.#devices.get(archiveNumber)?.events ?? []);
    for (const event of events) {
      if (event.id !== id) continue;
      event.isAnswered = isAnswered;
      this.#deps.onChanged(event);
    }
  }

  /** Called when the device was deleted. */
  forget(deviceId: string): void {
    for (const [archiveNumber, events] of this.#devices) {
      if (events.device.deviceId !== deviceId) continue;
      this.#devices.delete(archiveNumber);
      this.#expiring.delete(archiveNumber);
      this.#add(events.endAll());
    }
  }

  /** Writes the changes that are still waiting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelCheck?.();
    await this.#writer.close();
  }

  get waitingCount(): number {
    return this.#writer.waitingCount;
  }

  begunCount(severity: Severity): number {
    return this.#begun.get(severity) ?? 0;
  }

  #eventsOf(device: EventDevice): DeviceEvents {
    const known = this.#devices.get(device.archiveNumber);
    // A later device with the same archive continues the events of the former one.
    if (known !== undefined) return known;
    const events = new DeviceEvents(device, this.#deps.onLimit);
    events.place = this.#deps.lastPlaceOf(device) ?? NOWHERE;
    this.#devices.set(device.archiveNumber, events);
    return events;
  }

  #notePlace(report: PositionReport): void {
    const events = this.#devices.get(report.device.archiveNumber);
    if (events === undefined) return;
    if (report.isLive) events.place = placeOf(report);
    else events.latePlace = placeOf(report);
  }

  #noteDriver({ device, body, receivedAtMs }: MessageReport): void {
    if (body.kind !== 'driverIdentity') return;
    const name = body.status === CARD_INSERTED ? storableText(body.card?.name ?? '') : '';
    const { time = receivedAtMs } = body;
    this.#eventsOf(device).setDriver(name, isLateTime(time, receivedAtMs) ? time : receivedAtMs);
  }

  #contextOf(events: DeviceEvents | undefined): TrackingContext {
    const { settingsOf, localDayOf } = this.#deps;
    const device = events?.device;
    return {
      device,
      place: events?.place ?? NOWHERE,
      driver: '',
      edition: '',
      settingsOf: (type) => settingsOf(device, type),
      localDayOf: (atMs) => localDayOf(device, atMs),
    };
  }

  /** Undefined when none of them is worth waiting for. Repeated reports wait too: their event may still be unstored. */
  #whenStored(changes: readonly EventChange[]): Promise<void> | undefined {
    const awaited = changes.filter(({ kind, event }) => kind !== 'seen' || event.id === undefined);
    const events = awaited.map(({ event }) => event);
    return events.length === 0 ? undefined : this.#writer.whenStored(events);
  }

  #add(changes: readonly EventChange[]): void {
    for (const { kind, event } of changes) {
      if (kind === 'begun') this.#begun.set(event.severity, this.begunCount(event.severity) + 1);
      if (kind !== 'seen') this.#deps.onChanged(event);
    }
    const worth = changes.filter(({ kind, event }) => {
      if (kind === 'seen' && event.lastSeenAtMs - event.writtenSeenMs < SEEN_WRITTEN_EVERY_MS) return false;
      event.writtenSeenMs = event.lastSeenAtMs;
      return true;
    });
    if (worth.length > 0) this.#writer.add(worth);
  }

  #checkLater(): void {
    if (this.#isClosed) return;
    this.#cancelCheck = this.#deps.runAfter(EXPIRY_CHECK_MS, () => {
      this.#expire();
      this.#checkLater();
    });
  }

  #expire(): void {
    const nowMs = this.#deps.now();
    for (const [archiveNumber, dueMs] of this.#expiring) {
      if (dueMs > nowMs) continue;
      const expired = this.#devices.get(archiveNumber)?.expire(nowMs);
      if (expired?.nextMs === undefined) this.#expiring.delete(archiveNumber);
      else this.#expiring.set(archiveNumber, expired.nextMs);
      this.#add(expired?.changes ?? []);
    }
  }

  #toTracked({ archiveNumber: _, ...event }: StoredEvent, device: EventDevice | undefined): TrackedEvent {
    return {
      ...event,
      device,
      localDay: this.#deps.localDayOf(device, event.beginAtMs),
      countedMs: event.endAtMs === 0 ? 0 : event.endAtMs - event.beginAtMs,
      writtenSeenMs: event.lastSeenAtMs,
    };
  }
}

const CARD_INSERTED = 1;

interface ReportedPlace {
  readonly edition: string;
  readonly place: Place;
}

function placeOf({ position }: PositionReport): Place {
  const { latitude, longitude, speedKmh, headingDeg } = position;
  return { latitude, longitude, speedKmh, headingDeg };
}

/** Ends the events of a device that was deleted while the gateway was down. */
function endOf(events: readonly TrackedEvent[]): EventChange[] {
  return events
    .filter(({ endAtMs }) => endAtMs === 0)
    .map((event) => {
      event.origins = 0;
      event.endAtMs = Math.max(event.lastSeenAtMs, event.beginAtMs, 1);
      return { kind: 'ended', event };
    });
}
