// Stores pictures that terminals upload (0x0801): each is on disk, under its event where it has one, before the terminal gets its answer.
import { createHash } from 'node:crypto';
import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import { hasMediaFile } from '../../../shared/protocol/events/eventWords.ts';
import type { BodyOf } from '../../device/jt808/codec/message.ts';
import type { ReportingDevice } from '../../device/reportFeed.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { EventRef, StoredEventMedia, StoredFile } from '../../store/events/eventMediaRows.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { EvidenceStorage } from './evidenceStorage.ts';
import { HourlyLimit } from './hourlyLimit.ts';
import { measureJpeg } from './jpegWalk.ts';
import { type ClipSpan, eventOf, type PictureFacts, requestOf } from './pictureMatch.ts';

export interface PicturesDeps {
  readonly storage: Pick<EvidenceStorage, 'reserve' | 'remove'>;
  readonly store: Pick<
    EventMediaStore,
    'candidates' | 'setStored' | 'add' | 'eventsNear' | 'assign' | 'takeUnassigned'
  >;
  readonly clipOf: (type: string) => ClipSpan;
  /** Called when a request has its picture. */
  readonly onCame: (archiveNumber: number, requestId: number) => void;
  /** Called when an event has another picture. */
  readonly onMedia: (archiveNumber: number, event: EventRef) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/**
 * Pictures that a device uploads in an hour. Further ones are answered with a failure, and the terminal keeps them and sends them later.
 */
export const PICTURES_LIMIT: Limit = { name: 'events.pictures.device', max: 240 };
/** How long after its request a picture may come, and how long a picture without an event waits for one. */
const WAIT_MS = 24 * 60 * 60_000;
const ROUND_INTERVAL_MS = 60 * 60_000;
const ROUND_DELAY_MS = 60_000;
const PART = 500;
/** Upper bound for a clip on either side of its event. */
const MAX_CLIP_MS = 10 * 60_000;
const EVENTS_NEAR = 50;
/** Event code in 0x0801: taken because of a command of the platform. */
const BY_COMMAND = 0;
/** Maximum of archives with pictures that belong to no event yet. */
const MAX_UNASSIGNED = 10_000;

export class Pictures {
  readonly #deps: PicturesDeps;
  readonly #hourly: HourlyLimit;
  readonly #rounds: Rounds;
  readonly #unassigned = new Set<number>();
  readonly #pending = new PendingWork();
  /** The last store that is under way, by archive and number. */
  readonly #storing = new Map<string, Promise<boolean>>();

  constructor(deps: PicturesDeps) {
    this.#deps = deps;
    this.#hourly = new HourlyLimit(PICTURES_LIMIT, deps);
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#removeUnassigned(),
      failure: 'pictures without an event could not be removed',
      intervalMs: ROUND_INTERVAL_MS,
      delayMs: ROUND_DELAY_MS,
    });
  }

  /** True when the terminal may delete its own copy. */
  async store(device: ReportingDevice, upload: BodyOf<'mediaUpload'>): Promise<boolean> {
    const extent = measureJpeg(upload.data);
    // The picture is refused, though it may come again and again: a terminal that gets a success deletes its own copy.
    if (extent === undefined) return false;
    const picture = { ...upload, data: upload.data.subarray(0, extent.bytes), isWhole: extent.isWhole };
    const key = `${device.archiveNumber}/${upload.mediaId}`;
    // A terminal that has waited too long for its answer sends the picture again while the first copy is still being stored.
    const before = this.#storing.get(key) ?? Promise.resolve();
    const stored = this.#pending.add(before.then(() => this.#storeOrTell(device, picture)));
    this.#storing.set(key, stored);
    try {
      return await stored;
    } finally {
      if (this.#storing.get(key) === stored) this.#storing.delete(key);
    }
  }

  async #storeOrTell(device: ReportingDevice, upload: UploadedPicture): Promise<boolean> {
    try {
      return await this.#store(device, upload);
    } catch (cause) {
      this.#deps.onFault(faultOf('a picture could not be stored', cause));
      return false;
    }
  }

  /** Assigns pictures that came before their event was stored. */
  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const archiveNumber = event.device?.archiveNumber;
      if (kind !== 'begun' || archiveNumber === undefined || !this.#unassigned.has(archiveNumber)) continue;
      const ref = { eventId: event.id, eventBeginAtMs: event.beginAtMs };
      const assigned = this.#assign(archiveNumber, ref, { type: event.type, deviceTimeMs: event.deviceTimeMs });
      inBackground('pictures could not be given to their event', this.#pending.add(assigned), this.#deps.onFault);
    }
  }

  async close(): Promise<void> {
    await this.#rounds.close();
    await this.#pending.settled();
  }

  async #store({ archiveNumber }: ReportingDevice, upload: UploadedPicture): Promise<boolean> {
    const { store, now } = this.#deps;
    const facts = factsOf(upload, now());
    const rows = await store.candidates(archiveNumber, facts.terminalMediaId, now() - WAIT_MS);
    if (rows.some((row) => isSame(row, facts, upload.data))) return true;
    if (!this.#hourly.take(archiveNumber)) return false;
    const file = await this.#write(archiveNumber, upload.data);
    if (file === undefined) return false;
    try {
      await this.#note({ archiveNumber, facts, file, request: requestOf(rows, facts) });
      return true;
    } catch (cause) {
      await this.#deps.storage.remove([{ ...file, archiveNumber }]);
      throw cause;
    }
  }

  async #write(archiveNumber: number, data: Uint8Array): Promise<StoredFile | undefined> {
    const file = await this.#deps.storage.reserve(data.byteLength, archiveNumber);
    if (file === undefined) return undefined;
    try {
      await file.write(0, data);
      return await file.finish();
    } finally {
      await file.discard();
    }
  }

  async #note({ archiveNumber, facts, file, request }: NewPicture): Promise<void> {
    const { store, now, onCame, onMedia } = this.#deps;
    const state = facts.isWhole ? 'stored' : 'incomplete';
    const stored = { file, state, takenAtMs: facts.takenAtMs, storedAtMs: now() } as const;
    if (request !== undefined) {
      if (await store.setStored(request.id, { ...stored, mediaBit: EventMediaBit.Snapshot })) {
        onCame(archiveNumber, request.id);
        onMedia(archiveNumber, request);
        return;
      }
    }
    const { takenAtMs, channel, terminalMediaId } = facts;
    const window = { archiveNumber, fromMs: takenAtMs - MAX_CLIP_MS, toMs: takenAtMs + MAX_CLIP_MS };
    const near = eventOf(await store.eventsNear(window, EVENTS_NEAR), facts, this.#deps.clipOf);
    const event = { eventId: near?.eventId ?? 0, eventBeginAtMs: near?.eventBeginAtMs ?? 0 };
    const what = { archiveNumber, kind: 'snapshot', name: '', channel, terminalMediaId } as const;
    const media = { ...event, ...what, ...stored, bytes: file.bytes, attempts: 0, requestedAtMs: now() };
    await store.add([media], EventMediaBit.Snapshot);
    if (near !== undefined) onMedia(archiveNumber, event);
    else if (this.#unassigned.size < MAX_UNASSIGNED) this.#unassigned.add(archiveNumber);
  }

  async #assign(
    archiveNumber: number,
    event: EventRef,
    { type, deviceTimeMs }: { readonly type: string; readonly deviceTimeMs: number },
  ): Promise<void> {
    const { store, clipOf, onMedia } = this.#deps;
    const { beforeS, afterS } = clipOf(type);
    const window = { archiveNumber, fromMs: deviceTimeMs - beforeS * 1000, toMs: deviceTimeMs + afterS * 1000 };
    if ((await store.assign(window, event, EventMediaBit.Snapshot)) > 0) onMedia(archiveNumber, event);
  }

  async #removeUnassigned(): Promise<void> {
    const { store, storage, now } = this.#deps;
    let found: readonly StoredEventMedia[];
    do {
      found = await store.takeUnassigned(now() - WAIT_MS, PART);
      await storage.remove(found.flatMap(({ file, archiveNumber }) => (file ? { ...file, archiveNumber } : [])));
    } while (found.length === PART && !this.#rounds.isClosed);
  }
}

/** `data` ends where the picture does. */
interface UploadedPicture extends BodyOf<'mediaUpload'> {
  readonly isWhole: boolean;
}

interface StoredFacts extends PictureFacts {
  readonly isWhole: boolean;
}

interface NewPicture {
  readonly archiveNumber: number;
  readonly facts: StoredFacts;
  readonly file: StoredFile;
  readonly request: StoredEventMedia | undefined;
}

function factsOf({ mediaId, channel, event, position, isWhole }: UploadedPicture, nowMs: number): StoredFacts {
  return {
    terminalMediaId: mediaId,
    channel,
    isCommanded: event === BY_COMMAND,
    takenAtMs: position.time ?? nowMs,
    isWhole,
  };
}

/** Whether the picture was stored before, and the terminal got no answer. */
function isSame({ state, terminalMediaId, file }: StoredEventMedia, facts: PictureFacts, data: Uint8Array): boolean {
  if (!hasMediaFile(state) || terminalMediaId !== facts.terminalMediaId || file?.bytes !== data.byteLength)
    return false;
  return file.sha256 === createHash('sha256').update(data).digest('hex');
}
