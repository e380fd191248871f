// The topic `events`: those that begin or change, as rows of each member group's list.
import type { EventListStore } from '../../../store/events/list/eventList.ts';
import type { SharedEventRow } from '../../../store/events/list/eventRows.ts';
import type { RowKind } from '../rows/rowFeed.ts';
import { RowSource, type RowSourceDeps } from '../rows/rowSource.ts';

export interface EventRowSourceDeps extends Omit<RowSourceDeps<SharedEventRow>, 'kind' | 'rowsOf' | 'failure'> {
  readonly store: Pick<EventListStore, 'rowsOf'>;
}

const EVENTS: RowKind<SharedEventRow> = {
  topic: 'events',
  field: 'events',
  isSeen: ({ group, deviceid }, { deviceGroups }) => deviceid === '' || deviceGroups.has(group),
  isOfGateway: ({ deviceid }) => deviceid === '',
  shown: ({ areaOwner, ...event }, { memberGroup }) => (areaOwner === memberGroup ? event : { ...event, areaName: '' }),
};

export class EventRowSource extends RowSource<SharedEventRow> {
  constructor({ store, ...deps }: EventRowSourceDeps) {
    super({ ...deps, kind: EVENTS, rowsOf: (ids) => store.rowsOf(ids), failure: 'events could not be read' });
  }
}
