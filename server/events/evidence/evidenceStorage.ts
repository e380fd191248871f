// Limits the space for pictures and files of events. A new file makes room for itself: the oldest that nobody holds are removed, from the
// member group that has the most, and their rows stay, so that an event shows what is missing.
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import { GroupTurns } from '../../limits/groupTurns.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { bytesToGive } from '../../limits/makeRoom.ts';
import type { FilesOf } from '../../store/events/eventFiles.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { StoredEventMedia } from '../../store/events/eventMediaRows.ts';
import type { EvidenceFiles, FinishedFile, IncomingFile } from './evidenceFiles.ts';
import { UsedBytes } from './usedBytes.ts';

export interface EvidenceStorageDeps {
  readonly files: Pick<EvidenceFiles, 'start' | 'create' | 'remove' | 'olderThan' | 'freeBytes' | 'has'>;
  readonly store: Pick<
    EventMediaStore,
    | 'storedBytes'
    | 'oldestRemovable'
    | 'removableBytes'
    | 'markRemoved'
    | 'knownFiles'
    | 'failReceiving'
    | 'storedAfter'
  >;
  /** The most that all files take together. */
  readonly maximumBytes: number;
  readonly owners: DeviceOwners;
  readonly now: () => number;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Files that are removed at a time to make room. */
const PART = 100;
/** Space left to the database and to the system, whatever the setting says. */
export const FREE_FLOOR_BYTES = 256 * 1024 * 1024;
/** File names in one statement. */
const NAMES = 1_000;
/**
 * Pictures and files of all terminals that are being written. Shared by member groups. Further ones are refused, and the terminal keeps its
 * copy.
 */
export const INCOMING_FILES_LIMIT: Limit = { name: 'events.incoming-files.all', max: 512 };
/**
 * Share of `EVENT_MEDIA_MAX_MB` that files of one device take: a device that raises alarms all day leaves room for the others. Its oldest
 * files of events that are not held are removed; where these aren't enough, the new one is refused and the terminal keeps its copy.
 */
export const DEVICE_SHARE_LIMIT: Limit = { name: 'events.media-percent.device', max: 25 };
/**
 * Share of `EVENT_MEDIA_MAX_MB` that files of one member group take, where there are several: files that it holds, and nobody may remove,
 * leave room for the others. Its oldest files of events that are not held are removed; where these aren't enough, the new one is refused
 * and the terminal keeps its copy.
 */
export const GROUP_SHARE_LIMIT: Limit = { name: 'events.media-percent.group', max: 75 };

/** A file that no row names any more. */
export interface FileOnDisk {
  readonly fileId: string;
  readonly bytes: number;
  readonly archiveNumber: number;
}

/** A reserved place with its file. */
export interface ReservedFile extends IncomingFile {
  /** Takes the file's bytes into account; `discard` gives the place back. */
  finish(): Promise<FinishedFile>;
}

/** A file that grows bit by bit. Its announced size takes no room: terminals announce files that never come. */
export interface GrowingFile extends Pick<ReservedFile, 'finish' | 'discard'> {
  /** False: there is no room for it. */
  write(offset: number, data: Uint8Array): Promise<boolean>;
}

interface ReservedPlace {
  readonly bytes: number;
  readonly archiveNumber: number;
  /** Gives up the place among the incoming files. */
  readonly leave: () => void;
}

/** Step in which room is made. */
const GROWTH_BYTES = 1024 * 1024;

export class EvidenceStorage {
  readonly #deps: EvidenceStorageDeps;
  /** Bytes of stored files and of files that are being written. */
  readonly #used: UsedBytes;
  readonly #incoming: GroupPlaces;
  /** Makes room for one file after another: two would remove the same files. */
  readonly #turns = new GroupTurns(1);

  constructor(deps: EvidenceStorageDeps) {
    this.#deps = deps;
    const { owners, onLimit } = deps;
    this.#used = new UsedBytes(owners);
    this.#incoming = new GroupPlaces({ limit: INCOMING_FILES_LIMIT, onLimit, groups: () => owners.count });
  }

  get usedBytes(): number {
    return this.#used.total;
  }

  async start(): Promise<void> {
    const { files, store } = this.#deps;
    await files.start();
    await store.failReceiving();
    for (const [archiveNumber, bytes] of await store.storedBytes()) this.#used.add(archiveNumber, bytes);
  }

  /** Removes files that no row names: a crash came between the two. */
  async removeUnknown(startedAtMs: number): Promise<void> {
    const { files, store } = this.#deps;
    for await (const found of files.olderThan(startedAtMs)) {
      for (let at = 0; at < found.length; at += NAMES) {
        const part = found.slice(at, at + NAMES);
        const known = await store.knownFiles(part);
        await files.remove(part.filter((fileId) => !known.has(fileId)));
      }
    }
  }

  /** Marks rows whose file is missing. A folder without any of its files is probably not mounted. */
  async markLost(): Promise<void> {
    const { files, store } = this.#deps;
    let hasSeenOne = false;
    for (let at = 0, isMore = true; isMore; ) {
      const part = await store.storedAfter(at, NAMES);
      const there = await files.has(part.flatMap(({ file }) => file?.fileId ?? []));
      hasSeenOne ||= there.size > 0;
      if (!hasSeenOne && part.length > 0) throw new Error('the folder of evidence has none of its files');
      await this.#markRemoved(part.filter(({ file }) => file !== undefined && !there.has(file.fileId)));
      at = part.at(-1)?.id ?? at;
      isMore = part.length === NAMES;
    }
  }

  /** Undefined where there is no room or the disk can't be written: the terminal has to keep its copy. */
  async reserve(bytes: number, archiveNumber: number): Promise<ReservedFile | undefined> {
    const leave = this.#incoming.enter(this.#deps.owners.ofArchive(archiveNumber));
    if (leave === undefined) return undefined;
    let hasRoom = false;
    try {
      hasRoom = await this.#makeRoom(bytes, archiveNumber);
      if (hasRoom) return this.#reserved(await this.#deps.files.create(), { bytes, archiveNumber, leave });
    } catch (cause) {
      this.#deps.onFault(faultOf('a file of an event could not be stored', cause));
    }
    if (hasRoom) this.#used.add(archiveNumber, -bytes);
    leave();
    return undefined;
  }

  /** Undefined where there is no room for the whole file now: the terminal has to keep its copy. */
  async open(announcedBytes: number, archiveNumber: number): Promise<GrowingFile | undefined> {
    const room = await this.#inTurn(archiveNumber, () => this.#roomFor(announcedBytes, archiveNumber));
    if (room === undefined) return undefined;
    const file = await this.reserve(0, archiveNumber);
    if (file === undefined) return undefined;
    let [cameBytes, heldBytes] = [0, 0];
    const giveBack = (): void => {
      this.#used.add(archiveNumber, -heldBytes);
      heldBytes = 0;
    };
    return {
      write: async (offset, data) => {
        // Repeated bytes count again, but no more than the whole file does.
        cameBytes = Math.min(announcedBytes, cameBytes + data.byteLength);
        while (heldBytes < cameBytes) {
          const moreBytes = Math.min(GROWTH_BYTES, announcedBytes - heldBytes);
          if (!(await this.#makeRoom(moreBytes, archiveNumber))) return false;
          heldBytes += moreBytes;
        }
        await file.write(offset, data);
        return true;
      },
      finish: async () => {
        const stored = await file.finish();
        giveBack();
        return stored;
      },
      discard: async () => {
        giveBack();
        await file.discard();
      },
    };
  }

  /** Removes files whose rows are gone, or marked as removed. */
  async remove(files: readonly FileOnDisk[]): Promise<void> {
    for (const { archiveNumber, bytes } of files) this.#used.add(archiveNumber, -bytes);
    await this.#deps.files.remove(files.map(({ fileId }) => fileId));
  }

  #reserved(file: IncomingFile, { bytes, archiveNumber, leave }: ReservedPlace): ReservedFile {
    let isOpen = true;
    const end = (): void => {
      leave();
      isOpen = false;
    };
    return {
      write: (offset, data) => file.write(offset, data),
      finish: async () => {
        const stored = await file.finish();
        if (isOpen) this.#used.add(archiveNumber, stored.bytes - bytes);
        end();
        return stored;
      },
      discard: async () => {
        if (isOpen) this.#used.add(archiveNumber, -bytes);
        end();
        await file.discard();
      },
    };
  }

  /** Nothing is removed for a file that would still not fit. */
  #makeRoom(bytes: number, archiveNumber: number): Promise<boolean> {
    return this.#inTurn(archiveNumber, async () => {
      const room = await this.#roomFor(bytes, archiveNumber);
      if (room === undefined) return false;
      let freed = await this.#free(room.ownExcess, { archiveNumber });
      freed += await this.#free(room.groupExcess - freed, { memberGroup: this.#deps.owners.ofArchive(archiveNumber) });
      this.#used.add(archiveNumber, bytes);
      await this.#freeShared(room.excess - freed);
      return true;
    });
  }

  /** Bytes to remove first, of the device, of its member group and of all; undefined where that is not possible. */
  async #roomFor(bytes: number, archiveNumber: number) {
    const { onFault, owners } = this.#deps;
    const memberGroup = owners.ofArchive(archiveNumber);
    const ownExcess = this.#used.ofArchive(archiveNumber) + bytes - this.#shareOf(DEVICE_SHARE_LIMIT);
    const groupExcess =
      owners.count > 1 ? this.#used.ofGroup(memberGroup) + bytes - this.#shareOf(GROUP_SHARE_LIMIT) : 0;
    if (!(await this.#fitsShare(DEVICE_SHARE_LIMIT, ownExcess, { archiveNumber }))) return undefined;
    if (!(await this.#fitsShare(GROUP_SHARE_LIMIT, groupExcess, { memberGroup }))) return undefined;
    const excess = await this.#excess(bytes);
    if (await this.#canFree(excess)) return { ownExcess, groupExcess, excess };
    onFault(new Error('no room for files of events'));
    return undefined;
  }

  #shareOf({ max }: Limit): number {
    return (this.#deps.maximumBytes * max) / 100;
  }

  async #fitsShare(limit: Limit, excessBytes: number, of: FilesOf): Promise<boolean> {
    if (await this.#canFree(excessBytes, of)) return true;
    this.#deps.onLimit(limit);
    return false;
  }

  /** Determined once per file: some file systems report freed space only later. */
  async #excess(bytes: number): Promise<number> {
    const { files, maximumBytes } = this.#deps;
    return Math.max(this.#used.total + bytes - maximumBytes, FREE_FLOOR_BYTES + bytes - (await files.freeBytes()));
  }

  async #canFree(excessBytes: number, of?: FilesOf): Promise<boolean> {
    if (excessBytes <= 0) return true;
    const { store } = this.#deps;
    // Nearly always the first of them are enough, and summing up all of them takes long.
    const oldest = await store.oldestRemovable(PART, of);
    if (bytesOf(oldest) >= excessBytes) return true;
    return oldest.length === PART && (await store.removableBytes(of)) >= excessBytes;
  }

  /** The member groups that have the most give up files; others make up for what they hold and can't give. */
  async #freeShared(excessBytes: number): Promise<void> {
    let freed = 0;
    if (excessBytes > 0 && this.#deps.owners.count > 1) {
      for (const [memberGroup, bytes] of bytesToGive(this.#used.byGroup(), excessBytes))
        freed += await this.#free(Math.min(bytes, excessBytes - freed), { memberGroup });
    }
    await this.#free(excessBytes - freed);
  }

  /** Returns the number of bytes freed. */
  async #free(excessBytes: number, of?: FilesOf): Promise<number> {
    let freed = 0;
    while (freed < excessBytes) {
      const oldest = await this.#deps.store.oldestRemovable(PART, of);
      const taken = takeBytes(oldest, excessBytes - freed);
      if (taken.length === 0) break;
      await this.#markRemoved(taken);
      // Space that the retention has freed meanwhile counts as well.
      freed += bytesOf(taken);
    }
    return freed;
  }

  /** Marks the row first: a file without a row is removed at the next start, but a file with a row must be there. */
  async #markRemoved(media: readonly StoredEventMedia[]): Promise<void> {
    const removed = await this.#deps.store.markRemoved(media.map(({ id }) => id));
    const files = media
      .filter(({ id }) => removed.has(id))
      .map(({ file, bytes, archiveNumber }) => {
        return { fileId: file?.fileId ?? '', bytes, archiveNumber };
      });
    await this.remove(files);
  }

  #inTurn<Result>(archiveNumber: number, run: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(this.#deps.owners.ofArchive(archiveNumber), run);
  }
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The first files, as many as are needed to reach that many bytes. */
function takeBytes<File extends { readonly bytes: number }>(files: readonly File[], bytes: number): File[] {
  const taken: File[] = [];
  let sum = 0;
  for (const file of files) {
    if (sum >= bytes) break;
    taken.push(file);
    sum += file.bytes;
  }
  return taken;
}
