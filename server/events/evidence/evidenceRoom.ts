// Room for recordings that are held as evidence. Counting all that is held reads the segments of every hold, so it is not done for each
// event: between two counts the bytes of new clips are added, of which those that overlap count twice.
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { GroupTurns } from '../../limits/groupTurns.ts';
import type { EventHold, EventHoldStore } from '../../store/recordings/eventHolds.ts';
import type { EvidenceHoldStore, HeldRange } from '../../store/recordings/evidenceHolds.ts';
import {
  type HeldBytes,
  type NoRoom,
  type Room,
  type RoomByClips,
  roomForClip,
  roomForMember,
  type SharedSpace,
} from './evidenceShares.ts';

export interface EvidenceRoomDeps {
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'groupOf' | 'bytesByGroup' | 'bytesIn'>;
  readonly eventHolds: Pick<EventHoldStore, 'oldestOf' | 'release'>;
  readonly owners: Pick<DeviceOwners, 'count'>;
  /** Maximum for all recordings held as evidence; 0: no limit. */
  readonly maximumBytes: number;
  readonly now: () => number;
}

/** Interval of counting: meanwhile segments of earlier holds are completed, and members hold and release. */
const COUNT_INTERVAL_MS = 10_000;
/** Clips that are looked at together when some have to be released. */
const PART = 100;

type Decide = (held: readonly HeldBytes[], space: SharedSpace) => Room;

export class EvidenceRoom {
  readonly #deps: EvidenceRoomDeps;
  /** Holds are placed one after another: two at once would both find room for one. */
  readonly #turns = new GroupTurns(1);
  #held: readonly HeldBytes[] = [];
  #countedAtMs = Number.NEGATIVE_INFINITY;
  /** No clip with recordings was added since the last count: nothing is counted twice. */
  #isExact = false;
  /** Member groups for which an exact count has found no room since the last regular one. */
  readonly #full = new Set<number>();

  constructor(deps: EvidenceRoomDeps) {
    this.#deps = deps;
  }

  /** The member group that recordings count for; 0: none. */
  groupOf(archiveId: string): Promise<number> {
    return this.#deps.evidenceHolds.groupOf(archiveId);
  }

  /** `place` asks for the room and places the hold. */
  inTurn<Result>(memberGroup: number, place: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(memberGroup, place);
  }

  /** Whether there is room for a member's hold; counted again each time. To be called in turn. */
  async forMember(range: HeldRange, memberGroup: number): Promise<'free' | NoRoom> {
    if (this.#deps.maximumBytes === 0) return 'free';
    return this.#makeRoom({ range, isMember: true }, (held, space) => roomForMember(memberGroup, held, space));
  }

  /** Whether there is room for an event's clip. To be called in turn. */
  async forClip(range: HeldRange, memberGroup: number): Promise<boolean> {
    const { evidenceHolds, maximumBytes } = this.#deps;
    if (maximumBytes === 0) return true;
    if (this.#isCountDue()) await this.#count();
    const decide: Decide = (held, space) => roomForClip(memberGroup, held, space);
    const bytes = await evidenceHolds.bytesIn(range);
    const held = withClip(this.#held, memberGroup, bytes);
    const room = decide(held, this.#space());
    if (room === 'free') {
      this.#held = held;
      this.#isExact &&= bytes === 0;
      return true;
    }
    const isSure = room === 'full' && bytes === 0 && this.#isExact;
    if (isSure || this.#full.has(memberGroup)) return false;
    const isFree = (await this.#makeRoom({ range, isMember: false }, decide)) === 'free';
    if (!isFree) this.#full.add(memberGroup);
    return isFree;
  }

  async #makeRoom(
    asked: { readonly range: HeldRange; readonly isMember: boolean },
    decide: Decide,
  ): Promise<'free' | NoRoom> {
    for (;;) {
      const held = await this.#deps.evidenceHolds.bytesByGroup(asked);
      const room = decide(held, this.#space());
      if (room === 'free') [this.#held, this.#isExact] = [held, true];
      if (typeof room === 'string') return room;
      // Segments that another hold also keeps are not freed: the remaining need is counted again.
      if (!(await this.#release(room))) return 'full';
    }
  }

  /** Releases the oldest clips first. False where there was nothing to release. */
  async #release(room: RoomByClips): Promise<boolean> {
    let hasReleased = false;
    for (const [memberGroup, bytes] of room) {
      const clips = await this.#clipsOf(memberGroup, bytes);
      await this.#deps.eventHolds.release(clips, 'removed');
      hasReleased ||= clips.length > 0;
    }
    return hasReleased;
  }

  /** The group's oldest clips with recordings of that many bytes. Clips without recordings so far would free nothing. */
  async #clipsOf(memberGroup: number, bytes: number): Promise<EventHold[]> {
    const { eventHolds, evidenceHolds } = this.#deps;
    const found: EventHold[] = [];
    let [sum, afterId, isMore] = [0, 0, true];
    while (isMore && sum < bytes) {
      const part = await eventHolds.oldestOf(memberGroup, { afterId, limit: PART });
      for (const clip of part) {
        if (sum >= bytes) break;
        const ofClip = await evidenceHolds.bytesIn(clip.range);
        if (ofClip > 0) found.push(clip);
        sum += ofClip;
      }
      afterId = part.at(-1)?.id ?? afterId;
      isMore = part.length === PART;
    }
    return found;
  }

  /** Whether it is time to count again; also if the clock was set back. */
  #isCountDue(): boolean {
    return Math.abs(this.#deps.now() - this.#countedAtMs) >= COUNT_INTERVAL_MS;
  }

  async #count(): Promise<void> {
    this.#held = await this.#deps.evidenceHolds.bytesByGroup();
    this.#countedAtMs = this.#deps.now();
    this.#isExact = true;
    this.#full.clear();
  }

  #space(): SharedSpace {
    return { maximumBytes: this.#deps.maximumBytes, groups: this.#deps.owners.count };
  }
}

function withClip(held: readonly HeldBytes[], memberGroup: number, bytes: number): readonly HeldBytes[] {
  const own = held.find((each) => each.memberGroup === memberGroup) ?? { memberGroup, bytes: 0, memberBytes: 0 };
  return [...held.filter((each) => each !== own), { ...own, bytes: own.bytes + bytes }];
}
