// Requests pictures because of an event (0x8801). The terminal reports their numbers and uploads them later, so a request lasts until its
// picture has come: over absences and restarts, with at most three attempts within a day.
import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import { wireChannel } from '../../device/channelNumbers.ts';
import type { MessageBody } from '../../device/jt808/codec/message.ts';
import type { PresenceReport, ReportingDevice } from '../../device/reportFeed.ts';
import type { TerminalSession } from '../../device/terminalSession.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { EventRef, NewEventMedia } from '../../store/events/eventMediaRows.ts';
import { HourlyLimit } from './hourlyLimit.ts';

export interface SnapshotRequestsDeps {
  readonly store: Pick<EventMediaStore, 'add' | 'requested' | 'setAsked' | 'setTerminalMediaId' | 'setState'>;
  readonly sessionOf: (deviceId: string) => SnapshotSession | undefined;
  readonly owners: DeviceOwners;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

export type SnapshotSession = Pick<TerminalSession, 'query' | 'archiveNumber' | 'channelsFromZero'>;

/** Pictures that events ask of a device in an hour: each costs its SIM card some 50 KB. Further ones are not requested. */
export const SNAPSHOTS_LIMIT: Limit = { name: 'events.snapshots.device', max: 60 };
/** Pictures of all devices that were requested and have not come. Shared by member groups. Further ones are not requested. */
export const WAITING_SNAPSHOTS_LIMIT: Limit = { name: 'events.waiting-snapshots.all', max: 20_000 };
const MAX_ATTEMPTS = 3;
const EXPIRES_MS = 24 * 60 * 60_000;
/** A picture that was promised but doesn't come within this time is requested again. */
const PATIENCE_MS = 5 * 60_000;
const CHECK_MS = 60_000;
const NO_SUCH_CHANNEL = 2;

interface Waiting {
  readonly id: number;
  readonly archiveNumber: number;
  readonly channel: number;
  readonly requestedAtMs: number;
  attempts: number;
  /** 0: not asked in this connection. */
  askedAtMs: number;
  isAsking: boolean;
  /** Gives up its place among the waiting ones. */
  readonly leave: () => void;
}

export class SnapshotRequests {
  readonly #deps: SnapshotRequestsDeps;
  readonly #hourly: HourlyLimit;
  /** Waiting requests by archive number, then by id. */
  readonly #waiting = new Map<number, Map<number, Waiting>>();
  readonly #deviceIds = new Map<number, string>();
  /** The places of pictures that wait, and of those that are about to be written. */
  readonly #places: GroupPlaces;
  readonly #pending = new PendingWork();
  #cancelCheck: (() => void) | undefined;

  constructor(deps: SnapshotRequestsDeps) {
    this.#deps = deps;
    this.#hourly = new HourlyLimit(SNAPSHOTS_LIMIT, deps);
    const { owners, onLimit } = deps;
    this.#places = new GroupPlaces({ limit: WAITING_SNAPSHOTS_LIMIT, onLimit, groups: () => owners.count });
  }

  /** Takes up the requests of an earlier run. */
  async start(): Promise<void> {
    for (const row of await this.#deps.store.requested(WAITING_SNAPSHOTS_LIMIT.max)) {
      const leave = this.#places.add(this.#deps.owners.ofArchive(row.archiveNumber));
      this.#enter({ ...row, askedAtMs: 0, isAsking: false, leave });
    }
    this.#checkLater();
  }

  get waitingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Requests one picture of each channel, as soon as the terminal is connected. */
  async request(device: ReportingDevice, event: EventRef, channels: readonly number[]): Promise<void> {
    const { now } = this.#deps;
    const { archiveNumber, deviceId } = device;
    const requestedAtMs = now();
    const what = { ...event, archiveNumber, kind: 'snapshot', name: '', bytes: 0 } as const;
    const unknown = { file: undefined, terminalMediaId: undefined, attempts: 0, takenAtMs: 0, storedAtMs: 0 };
    // Pictures without a place are stored as failed, so that the event shows which ones nobody has requested.
    const wanted = channels.map((channel) => ({ channel, leave: this.#takePlace(archiveNumber) }));
    const rows = wanted.map(({ channel, leave }): NewEventMedia => {
      return { ...what, ...unknown, channel, requestedAtMs, state: leave === undefined ? 'failed' : 'requested' };
    });
    const ids = await this.#add(rows).catch((cause: unknown) => {
      for (const { leave } of wanted) leave?.();
      throw cause;
    });
    for (const [at, { channel, leave }] of wanted.entries()) {
      const id = ids[at];
      if (leave === undefined || id === undefined) continue;
      this.#enter({ id, archiveNumber, channel, requestedAtMs, attempts: 0, askedAtMs: 0, isAsking: false, leave });
    }
    if (!this.#waiting.has(archiveNumber)) return;
    this.#deviceIds.set(archiveNumber, deviceId);
    this.#ask(archiveNumber);
  }

  /** Pictures that did not come before an absence are requested again after it. */
  presence({ device: { archiveNumber, deviceId }, isOnline }: PresenceReport): void {
    const waiting = this.#waiting.get(archiveNumber);
    if (waiting === undefined) return;
    this.#deviceIds.set(archiveNumber, deviceId);
    for (const request of waiting.values()) request.askedAtMs = 0;
    if (isOnline) this.#ask(archiveNumber);
  }

  /** Called when the picture has come. */
  came(archiveNumber: number, id: number): void {
    const request = this.#waiting.get(archiveNumber)?.get(id);
    if (request !== undefined) this.#leave(request);
  }

  /** Waits until all requests so far are noted, so that a stop loses nothing. */
  close(): Promise<void> {
    this.#cancelCheck?.();
    return this.#pending.settled();
  }

  #add(rows: readonly NewEventMedia[]): Promise<number[]> {
    return this.#pending.add(this.#deps.store.add(rows, EventMediaBit.Snapshot));
  }

  #takePlace(archiveNumber: number): (() => void) | undefined {
    const leave = this.#places.enter(this.#deps.owners.ofArchive(archiveNumber));
    if (leave === undefined || this.#hourly.take(archiveNumber)) return leave;
    leave();
    return undefined;
  }

  #enter(request: Waiting): void {
    const waiting = this.#waiting.get(request.archiveNumber) ?? new Map<number, Waiting>();
    waiting.set(request.id, request);
    this.#waiting.set(request.archiveNumber, waiting);
  }

  #leave({ id, archiveNumber, leave }: Waiting): void {
    const waiting = this.#waiting.get(archiveNumber);
    if (waiting?.delete(id) !== true) return;
    leave();
    if (waiting.size > 0) return;
    this.#waiting.delete(archiveNumber);
    this.#deviceIds.delete(archiveNumber);
  }

  #checkLater(): void {
    this.#cancelCheck = this.#deps.runAfter(CHECK_MS, () => {
      for (const archiveNumber of [...this.#waiting.keys()]) this.#ask(archiveNumber);
      this.#checkLater();
    });
  }

  /** Sends the requests that are due, and gives up those whose time is over. */
  #ask(archiveNumber: number): void {
    const { now, onFault } = this.#deps;
    const session = this.#sessionOf(archiveNumber);
    for (const request of [...(this.#waiting.get(archiveNumber)?.values() ?? [])]) {
      if (request.isAsking) continue;
      const isPromised = request.askedAtMs !== 0 && now() - request.askedAtMs < PATIENCE_MS;
      const isOver = now() - request.requestedAtMs >= EXPIRES_MS;
      if (isOver || (!isPromised && request.attempts >= MAX_ATTEMPTS)) {
        inBackground('a picture could not be given up', this.#fail(request), onFault);
      } else if (!isPromised && session !== undefined) {
        inBackground('a picture could not be asked for', this.#askOnce(request, session), onFault);
      }
    }
  }

  #sessionOf(archiveNumber: number): SnapshotSession | undefined {
    const deviceId = this.#deviceIds.get(archiveNumber);
    const session = deviceId === undefined ? undefined : this.#deps.sessionOf(deviceId);
    return session?.archiveNumber === archiveNumber ? session : undefined;
  }

  async #askOnce(request: Waiting, session: SnapshotSession): Promise<void> {
    const { store, now } = this.#deps;
    request.isAsking = true;
    try {
      request.attempts++;
      request.askedAtMs = now();
      await store.setAsked(request.id, request.attempts);
      const answer = await session.query(takePicture(wireChannel(session, request.channel)), 'takePictureReply');
      if (!answer.ok) {
        // A terminal that refuses the command itself has no cameras.
        if (answer.reason === 'refused') await this.#fail(request);
        return;
      }
      const [mediaId] = answer.answer.mediaIds;
      if (mediaId !== undefined) await store.setTerminalMediaId(request.id, mediaId);
      else if (answer.answer.result === NO_SUCH_CHANNEL) await this.#fail(request);
    } finally {
      request.isAsking = false;
    }
  }

  async #fail(request: Waiting): Promise<void> {
    this.#leave(request);
    await this.#deps.store.setState([request.id], 'failed');
  }
}

/** Command for one picture of 640x480, uploaded at once, with the camera's settings left as near to the middle as the message allows. */
function takePicture(channel: number): MessageBody {
  const look = { brightness: 127, contrast: 64, saturation: 64, chroma: 127 };
  return { kind: 'takePicture', channel, command: 1, seconds: 0, save: 0, resolution: 2, quality: 5, ...look };
}
