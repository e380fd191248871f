// The messages that a sender has under way, by member group: places, turns, and answers that are only waited for.
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import type { GroupTurn } from './fairOrder.ts';

const PLACES_OF_SENDER = 4;
/** Attempts without a place: the other side has the message and is slow to answer. Each holds a connection, so further ones keep theirs. */
const SLOW_ANSWERS_OF_SENDER = 20;

interface UnderWay {
  readonly memberGroup: number;
  readonly holdsPlace: boolean;
}

export class SenderTurns {
  readonly #underWay = new Map<number, UnderWay>();
  /** Last turns by member group. Forgotten when nothing is under way and nothing waits. */
  readonly #lastTurns = new Map<number, number>();
  #turns = 0;

  /** IDs of messages, including those whose answer is only waited for. */
  get ids(): ReadonlySet<number> {
    return new Set(this.#underWay.keys());
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  get hasPlace(): boolean {
    return this.#held().length < PLACES_OF_SENDER;
  }

  turnOf(memberGroup: number): GroupTurn {
    return {
      underWay: this.#held().filter((each) => each.memberGroup === memberGroup).length,
      lastTurn: this.#lastTurns.get(memberGroup) ?? 0,
    };
  }

  begin({ id, memberGroup }: Pick<StoredMessage, 'id' | 'memberGroup'>): void {
    this.#underWay.set(id, { memberGroup, holdsPlace: true });
    this.#turns++;
    this.#lastTurns.set(memberGroup, this.#turns);
  }

  /** Lets the message go on without a place. False: too many do already. */
  leavePlace(id: number): boolean {
    const one = this.#underWay.get(id);
    if (one === undefined || !one.holdsPlace) return false;
    if (this.#underWay.size - this.#held().length >= SLOW_ANSWERS_OF_SENDER) return false;
    this.#underWay.set(id, { ...one, holdsPlace: false });
    return true;
  }

  end(id: number): void {
    this.#underWay.delete(id);
  }

  /** Called when nothing waits any more. */
  forgetTurns(): void {
    if (this.isIdle) this.#lastTurns.clear();
  }

  #held(): readonly UnderWay[] {
    return [...this.#underWay.values()].filter(({ holdsPlace }) => holdsPlace);
  }
}
