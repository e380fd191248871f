// Files that a terminal has of an alarm (T/JSATL 12) are asked for by 0x9208, under a number that nobody can guess. A number holds
// for a day: over absences and restarts, and through as many uploads as it takes, until every file is there.
import { randomBytes } from 'node:crypto';
import type { AttachmentSink } from '../../device/attachments/attachmentSink.ts';
import { readAlarmMark } from '../../device/jt808/codec/alarmMark.ts';
import type { PresenceReport } from '../../device/reportFeed.ts';
import type { MediaAddress, TerminalSession } from '../../device/terminalSession.ts';
import { inBackground } from '../../faults/background.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { AttachmentRequestRow, AttachmentRequestStore } from '../../store/events/attachmentRequests.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { EventDevice, TrackedEvent } from '../engine/trackedEvent.ts';
import { type AttachmentUploads, beginUpload } from './attachmentUpload.ts';
import { HourlyLimit } from './hourlyLimit.ts';

export interface AttachmentRequestsDeps extends Omit<AttachmentUploads, 'onEnded'> {
  readonly requests: AttachmentRequestStore;
  readonly sessionOf: (deviceId: string) => AttachmentTerminal | undefined;
  /** Whether files of such an event are wanted. */
  readonly areWanted: (device: EventDevice, type: string) => boolean;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

export type AttachmentTerminal = Pick<TerminalSession, 'command' | 'archiveNumber' | 'localAddress'>;

/** Alarms of a device whose files are asked for, an hour. */
export const REQUESTS_LIMIT: Limit = { name: 'events.attachments.device', max: 60 };
/** Alarms whose files have not come, of all devices. */
export const WAITING_REQUESTS_LIMIT: Limit = { name: 'events.waiting-attachments.all', max: 20_000 };
const MAX_ATTEMPTS = 3;
const EXPIRES_MS = 24 * 60 * 60_000;
/** A terminal that has agreed and does not come within this time is asked again. */
const PATIENCE_MS = 10 * 60_000;
const CHECK_MS = 60_000;
const PART = 500;

interface Waiting extends AttachmentRequestRow {
  deviceId: string | undefined;
  attempts: number;
  /** 0: not in this connection. */
  askedAtMs: number;
  /** A connection brings its files: another one would bring the same. */
  isReceiving: boolean;
}

export class AttachmentRequests implements AttachmentSink {
  readonly #deps: AttachmentRequestsDeps;
  readonly #hourly: HourlyLimit;
  readonly #rounds: Rounds;
  /** By alarm number. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #ofArchive = new Map<number, Set<Waiting>>();
  #addressOf: ((session: AttachmentTerminal) => MediaAddress) | undefined;

  constructor(deps: AttachmentRequestsDeps) {
    this.#deps = deps;
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

  /** Takes up the numbers that an earlier run has given out. */
  async start(): Promise<void> {
    const { requests, now } = this.#deps;
    for (const row of await requests.open(now() - EXPIRES_MS, WAITING_REQUESTS_LIMIT.max)) {
      this.#enter({ ...row, deviceId: undefined, askedAtMs: 0, isReceiving: false });
    }
  }

  /** The port is open: terminals can be told where it is. */
  listening(addressOf: (session: AttachmentTerminal) => MediaAddress): void {
    this.#addressOf = addressOf;
  }

  /** A repeat within the merge window is another alarm of the terminal, with files of its own. */
  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      if ((kind !== 'begun' && kind !== 'repeated') || !hasFiles(event)) continue;
      inBackground('files of an alarm could not be asked for', this.#request(event), this.#deps.onFault);
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

  async begin(...[{ alarmNumber }, files]: Parameters<AttachmentSink['begin']>): ReturnType<AttachmentSink['begin']> {
    const waiting = this.#waiting.get(alarmNumber);
    if (waiting === undefined || waiting.isReceiving) return undefined;
    waiting.isReceiving = true;
    const onEnded = (isWhole: boolean): Promise<void> => this.#ended(waiting, isWhole);
    try {
      return await beginUpload(waiting, files, { ...this.#deps, onEnded });
    } catch (cause) {
      waiting.isReceiving = false;
      throw cause;
    }
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #request(event: StoredChange['event']): Promise<void> {
    const { device, alarmMark, id: eventId, beginAtMs: eventBeginAtMs } = event;
    if (
      device === undefined ||
      !this.#deps.areWanted(device, event.type) ||
      !this.#hasRoom() ||
      this.#isKnown(device.archiveNumber, alarmMark)
    )
      return;
    if (!this.#hourly.take(device.archiveNumber)) return;
    const { archiveNumber, deviceId } = device;
    const alarmNumber = randomBytes(16).toString('hex');
    const what = { alarmNumber, archiveNumber, eventId, eventBeginAtMs, alarmMark };
    const row = { ...what, attempts: 0, createdAtMs: this.#deps.now() };
    const waiting = { ...row, deviceId, askedAtMs: 0, isReceiving: false };
    this.#enter(waiting);
    await this.#deps.requests.add(row);
    this.#askSoon(waiting);
  }

  #isKnown(archiveNumber: number, alarmMark: string): boolean {
    return [...(this.#ofArchive.get(archiveNumber) ?? [])].some((waiting) => waiting.alarmMark === alarmMark);
  }

  #hasRoom(): boolean {
    if (this.#waiting.size < WAITING_REQUESTS_LIMIT.max) return true;
    this.#deps.onLimit(WAITING_REQUESTS_LIMIT);
    return false;
  }

  #enter(waiting: Waiting): void {
    this.#waiting.set(waiting.alarmNumber, waiting);
    const others = this.#ofArchive.get(waiting.archiveNumber) ?? new Set();
    this.#ofArchive.set(waiting.archiveNumber, others.add(waiting));
  }

  #leave(waiting: Waiting): void {
    this.#waiting.delete(waiting.alarmNumber);
    const others = this.#ofArchive.get(waiting.archiveNumber);
    others?.delete(waiting);
    if (others?.size === 0) this.#ofArchive.delete(waiting.archiveNumber);
  }

  async #round(): Promise<void> {
    const { requests, now } = this.#deps;
    for (const waiting of [...this.#waiting.values()]) {
      if (now() - waiting.createdAtMs >= EXPIRES_MS && !waiting.isReceiving) this.#leave(waiting);
      else this.#askSoon(waiting);
    }
    while ((await requests.removeBefore(now() - EXPIRES_MS, PART)) === PART && !this.#rounds.isClosed);
  }

  #askSoon(waiting: Waiting): void {
    const isPromised = waiting.askedAtMs !== 0 && this.#deps.now() - waiting.askedAtMs < PATIENCE_MS;
    const session = waiting.deviceId === undefined ? undefined : this.#deps.sessionOf(waiting.deviceId);
    const address = session === undefined ? undefined : this.#addressOf?.(session);
    if (isPromised || waiting.isReceiving || waiting.attempts >= MAX_ATTEMPTS) return;
    if (session?.archiveNumber !== waiting.archiveNumber || address === undefined) return;
    const asked = this.#ask(waiting, session, address);
    inBackground('files of an alarm could not be asked for', asked, this.#deps.onFault);
  }

  async #ask(waiting: Waiting, session: AttachmentTerminal, { host, port }: MediaAddress): Promise<void> {
    const mark = readAlarmMark(Buffer.from(waiting.alarmMark, 'hex'));
    if (mark === undefined) return this.#done(waiting);
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
    // It has no such files, or knows nothing of them.
    if (!result.ok && result.reason === 'refused') await this.#done(waiting);
  }

  /** What did not become whole is asked for again, after a while. */
  async #ended(waiting: Waiting, isWhole: boolean): Promise<void> {
    waiting.isReceiving = false;
    waiting.askedAtMs = this.#deps.now() - PATIENCE_MS + CHECK_MS;
    if (isWhole) await this.#done(waiting);
  }

  async #done(waiting: Waiting): Promise<void> {
    this.#leave(waiting);
    await this.#deps.requests.setDone(waiting.alarmNumber);
  }
}

/** For the record is not worth the data: files of other events are asked for. */
function hasFiles({ severity, alarmMark }: TrackedEvent): boolean {
  if (severity === 'info' || alarmMark === '') return false;
  return (readAlarmMark(Buffer.from(alarmMark, 'hex'))?.fileCount ?? 0) > 0;
}
