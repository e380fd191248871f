// The sources of the product's live topics, over a board of the test's.
import { BoardSource } from '../../server/fleet/updates/boardSource.ts';
import { RecordSource } from '../../server/fleet/updates/recordSource.ts';
import type { ServerSource } from '../../server/fleet/updates/serverSource.ts';
import type { TopicSources, Topics } from '../../server/fleet/updates/topicSource.ts';
import { LIVE_TOPICS } from '../../shared/protocol/api/liveUpdates.ts';

type Board = ConstructorParameters<typeof BoardSource>[0];

const EMPTY_BOARD: Board = { rows: [], drain: () => [] };

/** The topics of a member who may receive all updates. */
export const EVERY_TOPIC: Topics = new Set([...LIVE_TOPICS, 'gateway']);

export interface FleetSources {
  readonly board: BoardSource;
  readonly records: RecordSource;
  readonly sources: TopicSources;
}

/** `server`: the test's own source of that topic; without one, the topic has no updates. */
export function fleetSources(of: Board = EMPTY_BOARD, server?: ServerSource): FleetSources {
  const board = new BoardSource(of);
  const records = new RecordSource();
  return {
    board,
    records,
    sources: {
      devices: board,
      counts: board,
      changed: records,
      events: records,
      eventcounts: records,
      popups: records,
      notifications: records,
      fences: records,
      reports: records,
      firmware: records,
      sync: records,
      netflow: records,
      backups: records,
      server: server ?? records,
    },
  };
}
