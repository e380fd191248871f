// The only module that knows `product_version`: versions of Fleetglass that have run on this database.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';

export interface ProductVersionStore {
  /** Keeps the first time; of several gateways too. */
  note(version: string, at: WallMs): Promise<void>;
  /** The newest of those that first ran before this one did; undefined where there is none. */
  before(version: string): Promise<string | undefined>;
}

export function createProductVersionStore(db: StoreDb): ProductVersionStore {
  return {
    note: async (version, at) => {
      const insert = db.insertInto('product_version').values({ version, first_at_ms: at });
      await insert.onConflict((conflict) => conflict.column('version').doNothing()).execute();
    },
    before: async (version) => {
      const first = db.selectFrom('product_version').select('first_at_ms').where('version', '=', version);
      const earlier = db.selectFrom('product_version').select('version').where('first_at_ms', '<', first);
      return (await earlier.orderBy('first_at_ms', 'desc').limit(1).executeTakeFirst())?.version;
    },
  };
}
