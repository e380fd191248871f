// Requests the files that a terminal has of an alarm (T/JSATL 12) by 0x9208, under a number that nobody can guess. A number is valid for
// a day: over absences and restarts, and through as many uploads as it takes, until every file is there.
import { randomBytes } from 'node:crypto';
import type { AttachmentSink, GivenNumber } from '../../device/attachments/attachmentSink.ts';
import { readAlarmMark } from '../../device/jt808/codec/alarmMark.ts';
import type { PresenceReport } from '../../device/reportFeed.ts';
import type { MediaAddress, TerminalSession } from '../../device/terminalSession.ts';
import { inBackground } from '../../faults/background.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { AttachmentRequestRow, AttachmentRequestStore } from '../../store/events/attachmentRequests.ts';
import type { EventRef } from '../../store/events/eventMediaRows.ts';
import type { MissedEvidenceStore } from '../../store/events/missedEvidence.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { EventDevice, TrackedEvent } from '../engine/trackedEvent.ts';
import { addPlaceholder, failPlaceholder } from './attachmentPlaceholder.ts';
import { type AttachmentUploads, beginUpload } from './attachmentUpload.ts';
import { HourlyLimit } from './hourlyLimit.ts';
import { PartialFiles } from './partialFiles.ts';

export interface AttachmentRequestsDeps extends Omit<AttachmentUploads, 'onEnded' | 'partials'> {
  readonly requests: AttachmentRequestStore;
  readonly missedEvidence: Pick<MissedEvidenceStore, 'attachments'>;
  readonly sessionOf: (deviceId: string) => AttachmentTerminal | undefined;
  /** Whether files of such an event are wanted. */
  readonly areWanted: (device: EventDevice, type: string) => boolean;
  readonly owners: DeviceOwners;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

export type AttachmentTerminal = Pick<TerminalSession, 'command' | 'archiveNumber' | 'localAddress'>;

/** Alarms of a device in an hour whose files are requested. The files of further ones are not requested. */
export const REQUESTS_LIMIT: Limit = { name: 'events.attachments.device', max: 60 };
/**
 * Alarms of all devices whose files were requested and have not all come. Shared by member groups. The files of further ones are not
 * requested.
 */
export const WAITING_REQUESTS_LIMIT: Limit = { name: 'events.waiting-attachments.all', max: 20_000 };
const MAX_ATTEMPTS = 3;
const EXPIRES_MS = 24 * 60 * 60_000;
/** A terminal that has agreed but doesn't connect within this time is asked again. */
const PATIENCE_MS = 10 * 60_000;
const CHECK_MS = 60_000;
const PART = 500;
/** Age of alarms from before a start that are looked at, and how many of them. */
const MISSED_MS = 12 * 60 * 60_000;
const MISSED_EVENTS = 1_000;

interface Waiting extends AttachmentRequestRow {
  deviceId: string | undefined;
  attempts: number;
  /** 0: not asked in this connection. */
  askedAtMs: number;
  /** A connection is bringing its files: another one would bring the same. */
  isReceiving: boolean;
  /** Its event shows that the files have not come. */
  isGivenUp: boolean;
  /** Gives up its place among the waiting ones. */
  readonly leave: () => void;
}

/** An alarm of a terminal that has files. */
interface MarkedAlarm extends EventRef {
  readonly device: EventDevice;
  readonly type: string;
  readonly alarmMark: string;
}

export class AttachmentRequests implements AttachmentSink {
  readonly #deps: AttachmentRequestsDeps;
  readonly #hourly: HourlyLimit;
  readonly #rounds: Rounds;
  /** Waiting requests by alarm number. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #places: GroupPlaces;
  readonly #ofArchive = new Map<number, Set<Waiting>>();
  readonly #pending = new PendingWork();
  readonly #partials: PartialFiles;
  #addressOf: ((session: AttachmentTerminal) => MediaAddress) | undefined;

  constructor(deps: AttachmentRequestsDeps) {
    this.#deps = deps;
    const { owners, onLimit } = deps;
    this.#places = new GroupPlaces({ limit: WAITING_REQUESTS_LIMIT, onLimit, groups: () => owners.count });
    this.#partials = new PartialFiles(deps);
    this.#hourly = new HourlyLimit(REQUESTS_LIMIT, deps);
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'files of alarms could not be asked for',
      intervalMs: CHECK_MS,
      delayMs: CHECK_MS,
    });
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Takes up the numbers that an earlier run has given out, and alarms for which it was killed before it could ask. */
  async start(): Promise<void> {
    const { requests, missedEvidence, now } = this.#deps;
    for (const row of await requests.open(now() - EXPIRES_MS, WAITING_REQUESTS_LIMIT.max)) {
      const leave = this.#places.add(this.#deps.owners.ofArchive(row.archiveNumber));
      this.#enter({ ...row, deviceId: undefined, askedAtMs: 0, isReceiving: false, isGivenUp: false, leave });
    }
    for (const missed of await missedEvidence.attachments(now() - MISSED_MS, MISSED_EVENTS)) {
      if (fileCountOf(missed.alarmMark) > 0) await this.#request(missed);
    }
  }

  /** Called when the port is open: terminals can be told the address. */
  listening(addressOf: (session: AttachmentTerminal) => MediaAddress): void {
    this.#addressOf = addressOf;
  }

  /** A repeat within the merge window is another alarm of the terminal, with files of its own. */
  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const { device, id: eventId, beginAtMs: eventBeginAtMs, type, alarmMark } = event;
      if ((kind !== 'begun' && kind !== 'repeated') || device === undefined || !hasFiles(event)) continue;
      const requested = this.#pending.add(this.#request({ device, eventId, eventBeginAtMs, type, alarmMark }));
      inBackground('files of an alarm could not be asked for', requested, this.#deps.onFault);
    }
  }

  presence({ device: { archiveNumber, deviceId }, isOnline }: PresenceReport): void {
    for (const waiting of this.#ofArchive.get(archiveNumber) ?? []) {
      waiting.deviceId = deviceId;
      waiting.askedAtMs = 0;
      if (isOnline) this.#askSoon(waiting);
    }
  }

  find(alarmNumber: string): { readonly alarmNumber: string; deviceId: string; archiveNumber: number } | undefined {
    const waiting = this.#waiting.get(alarmNumber);
    if (waiting?.deviceId === undefined || this.#deps.now() - waiting.createdAtMs >= EXPIRES_MS) return undefined;
    return { alarmNumber, deviceId: waiting.deviceId, archiveNumber: waiting.archiveNumber };
  }

  /** Called when the gateway was busy: the terminal and its files are fine, so it is asked again soon, and no attempt is used up. */
  busy({ alarmNumber }: Pick<GivenNumber, 'alarmNumber'>): void {
    const waiting = this.#waiting.get(alarmNumber);
    if (waiting === undefined || waiting.isReceiving) return;
    waiting.attempts = Math.max(0, waiting.attempts - 1);
    waiting.askedAtMs = this.#deps.now() - PATIENCE_MS + CHECK_MS;
  }

  async begin(...[{ alarmNumber }, files]: Parameters<AttachmentSink['begin']>): ReturnType<AttachmentSink['begin']> {
    const waiting = this.#waiting.get(alarmNumber);
    if (waiting === undefined || waiting.isReceiving) return undefined;
    waiting.isReceiving = true;
    const onEnded = (isWhole: boolean): Promise<void> => this.#ended(waiting, isWhole);
    try {
      return await beginUpload(waiting, files, { ...this.#deps, partials: this.#partials, onEnded });
    } catch (cause) {
      waiting.isReceiving = false;
      throw cause;
    }
  }

  /** Waits until all requests so far are noted, so that a stop loses nothing. */
  async close(): Promise<void> {
    await this.#rounds.close();
    await this.#pending.settled();
    await this.#partials.close();
  }

  async #request({ device, type, alarmMark, ...event }: MarkedAlarm): Promise<void> {
    const { media, requests, areWanted, now } = this.#deps;
    const { archiveNumber, deviceId } = device;
    if (!areWanted(device, type) || this.#isKnown(archiveNumber, alarmMark)) return;
    const target = { ...event, archiveNumber };
    // Without a place the event still shows that there are files, which nobody has requested.
    const leave = this.#takePlace(archiveNumber);
    if (leave === undefined) return addPlaceholder(media, target, { state: 'failed', atMs: now() });
    const row = {
      eventId: event.eventId,
      eventBeginAtMs: event.eventBeginAtMs,
      archiveNumber,
      alarmMark,
      alarmNumber: randomBytes(16).toString('hex'),
      attempts: 0,
      createdAtMs: now(),
    };
    const waiting = { ...row, deviceId, askedAtMs: 0, isReceiving: false, isGivenUp: false, leave };
    this.#enter(waiting);
    await requests.add(row);
    await addPlaceholder(media, target, { state: 'requested', atMs: row.createdAtMs });
    this.#askSoon(waiting);
  }

  #isKnown(archiveNumber: number, alarmMark: string): boolean {
    return [...(this.#ofArchive.get(archiveNumber) ?? [])].some((waiting) => waiting.alarmMark === alarmMark);
  }

  #takePlace(archiveNumber: number): (() => void) | undefined {
    const leave = this.#places.enter(this.#deps.owners.ofArchive(archiveNumber));
    if (leave === undefined || this.#hourly.take(archiveNumber)) return leave;
    leave();
    return undefined;
  }

  #enter(waiting: Waiting): void {
    this.#waiting.set(waiting.alarmNumber, waiting);
    const others = this.#ofArchive.get(waiting.archiveNumber) ?? new Set();
    this.#ofArchive.set(waiting.archiveNumber, others.add(waiting));
  }

  #leave(waiting: Waiting): void {
    this.#waiting.delete(waiting.alarmNumber);
    waiting.leave();
    const others = this.#ofArchive.get(waiting.archiveNumber);
    others?.delete(waiting);
    if (others?.size === 0) this.#ofArchive.delete(waiting.archiveNumber);
  }

  async #round(): Promise<void> {
    const { requests, now } = this.#deps;
    for (const waiting of [...this.#waiting.values()]) {
      if (now() - waiting.createdAtMs >= EXPIRES_MS && !waiting.isReceiving) {
        this.#leave(waiting);
        await this.#giveUp(waiting);
      } else {
        if (this.#isExhausted(waiting)) await this.#giveUp(waiting);
        this.#askSoon(waiting);
      }
    }
    while ((await requests.removeBefore(now() - EXPIRES_MS, PART)) === PART && !this.#rounds.isClosed);
  }

  /** Whether it was asked often enough and its last promise has expired. The number stays valid: the files may still come unasked. */
  #isExhausted(waiting: Waiting): boolean {
    return waiting.attempts >= MAX_ATTEMPTS && !waiting.isReceiving && !this.#isPromised(waiting);
  }

  #isPromised({ askedAtMs }: Waiting): boolean {
    return askedAtMs !== 0 && this.#deps.now() - askedAtMs < PATIENCE_MS;
  }

  /** Marks on the event that its files have not come. */
  async #giveUp(waiting: Waiting): Promise<void> {
    if (waiting.isGivenUp) return;
    waiting.isGivenUp = true;
    await this.#partials.settleOf(waiting.alarmNumber);
    await failPlaceholder(this.#deps.media, waiting);
  }

  #askSoon(waiting: Waiting): void {
    const session = waiting.deviceId === undefined ? undefined : this.#deps.sessionOf(waiting.deviceId);
    const address = session === undefined ? undefined : this.#addressOf?.(session);
    if (this.#isPromised(waiting) || waiting.isReceiving || waiting.attempts >= MAX_ATTEMPTS) return;
    if (session?.archiveNumber !== waiting.archiveNumber || address === undefined) return;
    const asked = this.#ask(waiting, session, address);
    inBackground('files of an alarm could not be asked for', asked, this.#deps.onFault);
  }

  async #ask(waiting: Waiting, session: AttachmentTerminal, { host, port }: MediaAddress): Promise<void> {
    const mark = readAlarmMark(Buffer.from(waiting.alarmMark, 'hex'));
    if (mark === undefined) return this.#refused(waiting);
    const { alarmNumber } = waiting;
    waiting.askedAtMs = this.#deps.now();
    waiting.attempts++;
    await this.#deps.requests.setSent(alarmNumber, waiting.attempts, waiting.askedAtMs);
    const result = await session.command({
      kind: 'attachmentRequest',
      host,
      tcpPort: port,
      udpPort: 0,
      mark,
      alarmNumber,
    });
    // The terminal has no such files, or doesn't know the alarm.
    if (!result.ok && result.reason === 'refused') await this.#refused(waiting);
  }

  /** Incomplete files are requested again after a while. */
  async #ended(waiting: Waiting, isWhole: boolean): Promise<void> {
    waiting.isReceiving = false;
    waiting.askedAtMs = this.#deps.now() - PATIENCE_MS + CHECK_MS;
    if (isWhole) await this.#done(waiting);
  }

  async #refused(waiting: Waiting): Promise<void> {
    await this.#done(waiting);
    await this.#giveUp(waiting);
  }

  async #done(waiting: Waiting): Promise<void> {
    this.#leave(waiting);
    await this.#deps.requests.setDone(waiting.alarmNumber);
  }
}

/** Files of info events aren't worth the mobile data. */
function hasFiles({ severity, alarmMark }: TrackedEvent): boolean {
  return severity !== 'info' && fileCountOf(alarmMark) > 0;
}

function fileCountOf(alarmMark: string): number {
  return alarmMark === '' ? 0 : (readAlarmMark(Buffer.from(alarmMark, 'hex'))?.fileCount ?? 0);
}
