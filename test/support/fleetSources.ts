// The sources of the product's live topics, over a board of the test's.
import { BoardSource } from '../../server/fleet/updates/boardSource.ts';
import { RecordSource } from '../../server/fleet/updates/recordSource.ts';
import type { TopicSources } from '../../server/fleet/updates/topicSource.ts';

type Board = ConstructorParameters<typeof BoardSource>[0];

const EMPTY_BOARD: Board = { rows: [], drain: () => [] };

export interface FleetSources {
  readonly board: BoardSource;
  readonly records: RecordSource;
  readonly sources: TopicSources;
}

export function fleetSources(of: Board = EMPTY_BOARD): FleetSources {
  const board = new BoardSource(of);
  const records = new RecordSource();
  return {
    board,
    records,
    sources: { devices: board, counts: board, changed: records, events: records, eventcounts: records },
  };
}
