// Files of alarms whose connection broke off: the part that has come waits for the next connection, so that the terminal is asked for the
// rest only. If no connection comes, the part is kept as it is.
import type { ReceivedRanges } from '../../device/attachments/receivedRanges.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { filesToDrop } from '../../limits/makeRoom.ts';
import type { GrowingFile } from './evidenceStorage.ts';

export interface PartialFile {
  readonly alarmNumber: string;
  readonly archiveNumber: number;
  readonly name: string;
  /** The announced size. */
  readonly sizeBytes: number;
  readonly file: GrowingFile;
  readonly received: ReceivedRanges;
  /** Called when nobody brings the rest. */
  readonly settle: () => Promise<void>;
}

export interface PartialFilesDeps {
  readonly owners: Pick<DeviceOwners, 'ofArchive'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

/**
 * Files of alarms whose connection broke off, and of which the rest is waited for: each is an open file. The oldest of the member group
 * that has the most is kept as it is, `incomplete`.
 */
export const PARTIAL_FILES_LIMIT: Limit = { name: 'events.partial-files.all', max: 128 };
/**
 * Files of alarms of one device whose connection broke off, and of which the rest is waited for. The oldest of the device is kept as it is,
 * `incomplete`.
 */
export const DEVICE_PARTIAL_FILES_LIMIT: Limit = { name: 'events.partial-files.device', max: 8 };
/** Long enough for a vehicle to be back from a tunnel, a ferry or a car park. */
export const PARTIAL_KEPT_MS = 60 * 60_000;

interface Kept {
  readonly partial: PartialFile;
  readonly cancel: () => void;
}

export class PartialFiles {
  readonly #deps: PartialFilesDeps;
  /** The file that was set aside first comes first. */
  readonly #kept = new Map<string, Kept>();
  readonly #pending = new PendingWork();
  #isClosed = false;

  constructor(deps: PartialFilesDeps) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#kept.size;
  }

  setAside(partial: PartialFile): void {
    const key = keyOf(partial);
    this.#settle(this.#remove(key));
    const cancel = this.#deps.runAfter(PARTIAL_KEPT_MS, () => this.#settle(this.#remove(key)));
    this.#kept.set(key, { partial, cancel });
    if (this.#isClosed) this.#settle(this.#remove(key));
    else this.#makeRoom(partial.archiveNumber);
  }

  /** Hands the file over to the caller. A file that was announced with another size is another file. */
  take(named: Pick<PartialFile, 'alarmNumber' | 'name' | 'sizeBytes'>): PartialFile | undefined {
    const partial = this.#remove(keyOf(named));
    if (partial?.sizeBytes === named.sizeBytes) return partial;
    this.#settle(partial);
    return undefined;
  }

  /** Called when no other connection will bring files of the alarm. */
  async settleOf(alarmNumber: string): Promise<void> {
    const own = [...this.#kept].filter(([, { partial }]) => partial.alarmNumber === alarmNumber);
    for (const [key] of own) this.#settle(this.#remove(key));
    await this.#pending.settled();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of [...this.#kept.keys()]) this.#settle(this.#remove(key));
    await this.#pending.settled();
  }

  #makeRoom(archiveNumber: number): void {
    const own = [...this.#kept].filter(([, { partial }]) => partial.archiveNumber === archiveNumber);
    if (own.length > DEVICE_PARTIAL_FILES_LIMIT.max) this.#giveWay(own[0]?.[0], DEVICE_PARTIAL_FILES_LIMIT);
    else if (this.#kept.size > PARTIAL_FILES_LIMIT.max) this.#giveWay(this.#oldestOfMost(), PARTIAL_FILES_LIMIT);
  }

  #oldestOfMost(): string | undefined {
    const { owners } = this.#deps;
    const open = [...this.#kept].map(([key, { partial }]) => {
      return { key, memberGroup: owners.ofArchive(partial.archiveNumber), bytes: 1 };
    });
    return filesToDrop(open, PARTIAL_FILES_LIMIT.max)[0]?.key;
  }

  #giveWay(key: string | undefined, limit: Limit): void {
    this.#deps.onLimit(limit);
    if (key !== undefined) this.#settle(this.#remove(key));
  }

  #remove(key: string): PartialFile | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    kept?.cancel();
    return kept?.partial;
  }

  #settle(partial: PartialFile | undefined): void {
    if (partial === undefined) return;
    const settled = this.#pending.add(partial.settle());
    inBackground('a part of a file of an alarm could not be kept', settled, this.#deps.onFault);
  }
}

function keyOf({ alarmNumber, name }: Pick<PartialFile, 'alarmNumber' | 'name'>): string {
  return `${alarmNumber}/${name}`;
}
