// Bytes that the files of each device take, and so those of each member group.
import type { DeviceOwners } from '../../limits/deviceOwners.ts';

export class UsedBytes {
  readonly #owners: DeviceOwners;
  readonly #byArchive = new Map<number, number>();
  #total = 0;

  constructor(owners: DeviceOwners) {
    this.#owners = owners;
  }

  get total(): number {
    return this.#total;
  }

  add(archiveNumber: number, bytes: number): void {
    this.#total += bytes;
    const used = this.ofArchive(archiveNumber) + bytes;
    if (used === 0) this.#byArchive.delete(archiveNumber);
    else this.#byArchive.set(archiveNumber, used);
  }

  ofArchive(archiveNumber: number): number {
    return this.#byArchive.get(archiveNumber) ?? 0;
  }

  ofGroup(memberGroup: number): number {
    return this.byGroup().get(memberGroup) ?? 0;
  }

  /** Summed up on each call: devices move to other groups. */
  byGroup(): ReadonlyMap<number, number> {
    const groups = new Map<number, number>();
    for (const [archiveNumber, bytes] of this.#byArchive) {
      const memberGroup = this.#owners.ofArchive(archiveNumber);
      groups.set(memberGroup, (groups.get(memberGroup) ?? 0) + bytes);
    }
    return groups;
  }
}
