// Reads a restored database like the pages do: complete rows are useless if the stores can't read them.
import type { OnFault } from '../../faults/onFault.ts';
import { NO_GROUP } from '../../noGroup.ts';
import { openDatabase } from '../../store/engine/database.ts';
import { createStores, type Stores } from '../../store/stores.ts';

const ROWS = 100;
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
/** Devices whose tracks are read, and devices that are checked to find them: many have never sent a position. */
const TRACKS = 20;
const TRACKS_SOUGHT = 2_000;
/** Member groups whose events are read: each sees its own. */
const EVENT_GROUPS = 100;

type ReadStores = Pick<Stores, 'users' | 'roles' | 'settings' | 'memberGroups' | 'eventList' | 'devices' | 'positions'>;

/** Rejects with the fault of the first call that fails. `file`: database file of the embedded engine. */
export async function tryOwnReads(file: string, onFault: OnFault): Promise<void> {
  const { db, reading, close } = await openDatabase({ engine: 'sqlite', file }, { onFault, onLost: onFault });
  try {
    await readAsPages(createStores(db, undefined, reading));
  } finally {
    await close();
  }
}

export async function readAsPages(stores: ReadStores): Promise<void> {
  await stores.users.list();
  await stores.roles.list();
  await stores.settings.getAll();
  await readNewestEvents(stores);
  await readTracks(stores);
}

async function readTracks({ devices, positions }: ReadStores): Promise<void> {
  let found = 0;
  for (const { deviceId } of (await devices.list()).slice(0, TRACKS_SOUGHT)) {
    const track = await positions.between(deviceId, ALWAYS, ROWS);
    if (track.length > 0 && ++found === TRACKS) return;
  }
}

/** Reads the events of each member group, and of the gateway itself, which members without a group see as well. */
async function readNewestEvents({ memberGroups, eventList }: ReadStores): Promise<void> {
  const groups = (await memberGroups.list()).slice(0, EVENT_GROUPS).map(({ serialno }) => serialno);
  const newest = { sort: 'time', descending: true, limit: ROWS, position: { at: 'offset', offset: 0 } } as const;
  for (const memberGroup of [NO_GROUP, ...groups]) {
    await eventList.page({ memberGroup, seesGateway: true, ...newest, search: '' });
  }
}
