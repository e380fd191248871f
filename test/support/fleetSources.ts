// The sources of the product's live topics, over a board of the test's.
import { BoardSource } from '../../server/fleet/updates/boardSource.ts';
import { RecordSource } from '../../server/fleet/updates/recordSource.ts';
import { ServerSource, type ServerSourceDeps } from '../../server/fleet/updates/serverSource.ts';
import type { TopicSources, Topics } from '../../server/fleet/updates/topicSource.ts';
import { LIVE_TOPICS } from '../../shared/protocol/api/liveUpdates.ts';

type Board = ConstructorParameters<typeof BoardSource>[0];

const EMPTY_BOARD: Board = { rows: [], drain: () => [] };

/** Of a member who may be told of everything. */
export const EVERY_TOPIC: Topics = new Set([...LIVE_TOPICS, 'gateway']);

export interface FleetSources {
  readonly board: BoardSource;
  readonly records: RecordSource;
  readonly server: ServerSource;
  readonly sources: TopicSources;
}

/** Told of the topic `server` by the test's own. */
const UNTOLD: ServerSourceDeps = {
  read: () => Promise.resolve({ web_title: '' }),
  runAfter: () => () => undefined,
  onFault: (error) => {
    throw error;
  },
};

export function fleetSources(of: Board = EMPTY_BOARD, ofServer: ServerSourceDeps = UNTOLD): FleetSources {
  const board = new BoardSource(of);
  const records = new RecordSource();
  const server = new ServerSource(ofServer);
  return {
    board,
    records,
    server,
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
      server,
    },
  };
}
