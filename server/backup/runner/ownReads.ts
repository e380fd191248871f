// Reads a restored database as the pages do: rows that all came back are of no use where the stores can't read them.
import type { OnFault } from '../../faults/onFault.ts';
import { openDatabase } from '../../store/engine/database.ts';
import { createStores, type Stores } from '../../store/stores.ts';

const ROWS = 100;
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

/** Rejects with the fault of the first call that fails. `file`: of the embedded engine. */
export async function tryOwnReads(file: string, onFault: OnFault): Promise<void> {
  const { db, reading, close } = await openDatabase({ engine: 'sqlite', file }, { onFault, onLost: onFault });
  try {
    const stores = createStores(db, undefined, reading);
    const devices = await stores.devices.list();
    await stores.users.list();
    await stores.roles.list();
    await stores.settings.getAll();
    await readNewestEvents(stores);
    const [device] = devices;
    if (device !== undefined) await stores.positions.between(device.deviceId, ALWAYS, ROWS);
  } finally {
    await close();
  }
}

/** Of one member group: each sees its own. */
async function readNewestEvents({ memberGroups, eventList }: Stores): Promise<void> {
  const [group] = await memberGroups.list();
  if (group === undefined) return;
  const scope = { memberGroup: group.serialno, seesGateway: true };
  const newest = { sort: 'time', descending: true, limit: ROWS, position: { at: 'offset', offset: 0 } } as const;
  await eventList.page({ ...scope, ...newest, search: '' });
}
