// The topic `events`: those that begin or change, as rows of each member group's list.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { EventListStore } from '../../../store/events/list/eventList.ts';
import type { RowKind } from '../rows/rowFeed.ts';
import { RowSource, type RowSourceDeps } from '../rows/rowSource.ts';

export interface EventRowSourceDeps extends Omit<RowSourceDeps<EventRow>, 'kind' | 'rowsOf' | 'failure'> {
  readonly store: Pick<EventListStore, 'rowsOf'>;
}

const EVENTS: RowKind<EventRow> = {
  topic: 'events',
  field: 'events',
  isSeen: ({ group, deviceid }, { deviceGroups }) => deviceid === '' || deviceGroups.has(group),
  isOfGateway: ({ deviceid }) => deviceid === '',
  shown: (event) => event,
};

export class EventRowSource extends RowSource<EventRow> {
  constructor({ store, ...deps }: EventRowSourceDeps) {
    super({ ...deps, kind: EVENTS, rowsOf: (ids) => store.rowsOf(ids), failure: 'events could not be read' });
  }
}
