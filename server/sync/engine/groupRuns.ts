// Decides who gets a free place where member groups wait for one: the group with the fewest runs, and of these the one that has waited
// longest for its turn. A group never takes all places, since a run may last for hours.
import { shareOf } from '../../limits/groupPlaces.ts';

/** A request for a place by the device for which it is checked whether an item may begin. */
export interface PlaceWish {
  readonly memberGroup: number;
  /** Total of places available to this request: rules have fewer. */
  readonly places: number;
}

export interface GroupRunsDeps {
  /** The member group of each run. */
  readonly running: () => Iterable<number>;
  /** Member groups that have devices. */
  readonly groups: () => number;
}

export class GroupRuns {
  readonly #deps: GroupRunsDeps;
  /** Requests, by device, that would begin if there were a place, the longest waiting first. */
  readonly #waiting = new Map<number, PlaceWish>();
  /** Increasing number of the last turn of each member group. */
  readonly #lastTurns = new Map<number, number>();
  #turns = 0;

  constructor(deps: GroupRunsDeps) {
    this.#deps = deps;
  }

  /** Whether there is a free place, and it is no other group's turn. */
  mayBegin({ memberGroup, places }: PlaceWish): boolean {
    const running = this.#runningByGroup();
    const total = sumOf(running.values());
    const own = running.get(memberGroup) ?? 0;
    const groups = this.#deps.groups();
    if (own >= shareOf(places, { others: total - own, groups })) return false;
    const before = new Set<number>();
    for (const { memberGroup: other, places: theirs } of this.#waiting.values()) {
      if (other !== memberGroup && total < theirs && this.#isBefore(other, memberGroup, running)) before.add(other);
    }
    return places - total > before.size;
  }

  begun(memberGroup: number): void {
    this.#turns++;
    this.#lastTurns.set(memberGroup, this.#turns);
  }

  wait(incarnation: number, wish: PlaceWish): void {
    this.#waiting.set(incarnation, wish);
  }

  /** Called when the device is checked again; it requests a place again if it still waits. */
  forget(incarnation: number): void {
    this.#waiting.delete(incarnation);
    if (this.#waiting.size === 0) this.#lastTurns.clear();
  }

  /** Devices of which an item may begin now, one for each member group. */
  due(): number[] {
    const seen = new Set<number>();
    const due: number[] = [];
    for (const [incarnation, wish] of this.#waiting) {
      if (seen.has(wish.memberGroup) || !this.mayBegin(wish)) continue;
      seen.add(wish.memberGroup);
      due.push(incarnation);
    }
    return due;
  }

  #isBefore(other: number, own: number, running: ReadonlyMap<number, number>): boolean {
    const difference = (running.get(other) ?? 0) - (running.get(own) ?? 0);
    return difference < 0 || (difference === 0 && (this.#lastTurns.get(other) ?? 0) < (this.#lastTurns.get(own) ?? 0));
  }

  #runningByGroup(): ReadonlyMap<number, number> {
    const running = new Map<number, number>();
    for (const memberGroup of this.#deps.running()) running.set(memberGroup, (running.get(memberGroup) ?? 0) + 1);
    return running;
  }
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
