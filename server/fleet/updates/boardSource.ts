// The topics `devices` and `counts`: the board, as each member group sees it.
import type { FleetCounts, LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import type { FleetBoard } from '../fleetBoard.ts';
import { BoardFeed } from './boardFeed.ts';
import { type DeviceGroupsOf, isSameScope, readScope } from './groupScope.ts';
import type { GroupScope, TopicFeed, TopicSource } from './topicSource.ts';

export interface GroupState {
  readonly counts: FleetCounts;
  readonly devices: ReadonlyMap<string, LiveDevice>;
}

export class BoardSource implements TopicSource {
  readonly #board: Pick<FleetBoard, 'drain' | 'rows'>;
  readonly #feeds = new Set<BoardFeed>();

  constructor(board: Pick<FleetBoard, 'drain' | 'rows'>) {
    this.#board = board;
  }

  /** The board tells a change once, whoever asks first: it goes to all feeds. */
  gather(): void {
    const changes = this.#board.drain();
    if (changes.length === 0) return;
    for (const feed of this.#feeds) feed.take(changes);
  }

  open(scope: GroupScope): TopicFeed {
    this.gather();
    const feed = new BoardFeed(scope, this.#board.rows);
    this.#feeds.add(feed);
    return {
      snapshot: (topics) => feed.snapshot(topics),
      takeChanges: () => feed.takeChanges(),
      reset: (changed) => {
        this.gather();
        feed.reset(changed, this.#board.rows);
      },
      close: () => this.#feeds.delete(feed),
    };
  }

  /** How a member group fares now. */
  async stateOf(memberGroup: number | undefined, deviceGroupsOf: DeviceGroupsOf): Promise<GroupState> {
    const scope = await readScope(memberGroup, deviceGroupsOf);
    this.gather();
    const known = [...this.#feeds].find((feed) => isSameScope(feed.scope, scope));
    return known ?? new BoardFeed(scope, this.#board.rows);
  }
}
