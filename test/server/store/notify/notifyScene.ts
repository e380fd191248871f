// A member group with a bus, and a member of it.

import type { Engine } from '../../../../server/store/migrations/migration.ts';
import type { PlannedMessage } from '../../../../server/store/notify/plannedMessage.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aPlannedMessage } from '../../../support/plannedMessage.ts';
import { anEvent } from '../events/anEvent.ts';
import { openTestDatabase, type TestDatabase } from '../testDatabase.ts';

export const NOW_MS = Date.UTC(2026, 10, 23);

export interface NotifyStoreScene {
  readonly database: TestDatabase;
  readonly stores: Stores;
  readonly memberGroup: number;
  readonly deviceGroup: number;
  readonly archiveNumber: number;
  readonly ann: number;
  /** Adds messages; each array has those of one event. Gives the ids of the events. */
  tell(...events: readonly (readonly Partial<PlannedMessage>[])[]): Promise<number[]>;
  /** Messages as they are in the database, by id. */
  messages(): Promise<readonly { id: number; state: number; events: number; event_id: number; answer: string }[]>;
  /** Events of digests as `message: event, event`. */
  digests(): Promise<readonly string[]>;
  answer(...events: readonly number[]): ReturnType<Stores['eventActs']['act']>;
}

export async function openNotifyScene(engine: Engine): Promise<NotifyStoreScene> {
  const database = await openTestDatabase(engine);
  const stores = createStores(database.db);
  const deviceGroup = await stores.deviceGroups.insert('North');
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const { archiveNumber } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
  const ann = await stores.users.insert({ username: 'Ann', passwordHash: 'hash', permissions: [] }, wallMs(NOW_MS));
  await stores.memberGroups.setGroupsOfUser(ann, [memberGroup]);
  return {
    database,
    stores,
    memberGroup,
    deviceGroup,
    archiveNumber,
    ann,
    tell: (...events) =>
      stores.eventLog.write({
        added: events.map(() => anEvent({ archiveNumber, beginAtMs: NOW_MS, isLate: false })),
        changed: [],
        days: [],
        messages: events.flatMap((messages, event) =>
          messages.map((change) => {
            const times = { createdAtMs: NOW_MS, dueAtMs: NOW_MS, eventBeginAtMs: NOW_MS };
            const message = aPlannedMessage({ memberGroup, archiveNumber, ...times, ...change });
            return { event, message, joinsFromMs: message.createdAtMs };
          }),
        ),
      }),
    messages: () =>
      database.db
        .selectFrom('notify_message')
        .select(['id', 'state', 'events', 'event_id', 'answer'])
        .orderBy('id')
        .execute(),
    digests: async () => {
      const rows = await database.db
        .selectFrom('notify_digest_event')
        .selectAll()
        .orderBy('message_id')
        .orderBy('event_id')
        .execute();
      const messages = [...new Set(rows.map((row) => row.message_id))];
      return messages.map((id) => {
        const events = rows.filter((row) => row.message_id === id).map((row) => row.event_id);
        return `${id}: ${events.join(', ')}`;
      });
    },
    answer: (...events) =>
      stores.eventActs.act(
        {
          act: 'acknowledge',
          events: events.map((id) => ({ id, version: 1 })),
          by: { userId: ann, username: 'Ann' },
          note: '',
          atMs: NOW_MS + 1_000,
        },
        { memberGroup, seesGateway: false },
        () => ({ actor: 'Ann', action: 'event.acknowledge' }),
      ),
  };
}
