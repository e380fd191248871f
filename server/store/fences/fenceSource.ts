// All fences as the engine reads them.
import type { FenceContent } from '../../../shared/protocol/api/fences/fences.ts';
import type { StoreDb } from '../engine/database.ts';

export interface FenceSourceStore {
  all(): Promise<
    { readonly id: number; readonly memberGroup: number; readonly version: number; readonly content: FenceContent }[]
  >;
}

export function createFenceSourceStore(db: StoreDb): FenceSourceStore {
  return {
    all: async () => {
      const rows = await db.selectFrom('fence').selectAll().orderBy('id').execute();
      return rows.map(({ id, member_group: memberGroup, version, name, enabled, content }) => ({
        id,
        memberGroup,
        version,
        content: { ...(JSON.parse(content) as Omit<FenceContent, 'name' | 'enabled'>), name, enabled: enabled !== 0 },
      }));
    },
  };
}
