// The only module that knows `missing_translation`: keys that a page asked for and no locale file has.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';

interface MissingTranslation {
  readonly language: string;
  readonly namespace: string;
  readonly key: string;
  readonly firstSeenAtMs: WallMs;
}

export interface MissingTranslationStore {
  /** How many keys are kept in all. */
  readonly limit: Limit;
  /** Notes keys that are not noted yet, as far as there is room; gives how many found none. */
  note(language: string, namespace: string, keys: readonly string[], at: WallMs): Promise<number>;
  list(): Promise<MissingTranslation[]>;
}

/**
 * Missing translations reported by pages: any signed-in browser can post keys. Further ones are ignored; the first ones stay, since they
 * are the oldest fault.
 */
export const MISSING_TRANSLATIONS_LIMIT: Limit = { name: 'locales.missing.rows', max: 2_000 };

export function createMissingTranslationStore(
  db: StoreDb,
  max: number = MISSING_TRANSLATIONS_LIMIT.max,
): MissingTranslationStore {
  return {
    limit: MISSING_TRANSLATIONS_LIMIT,
    note: async (language, namespace, keys, at) => {
      const { fn } = db;
      const counting = db.selectFrom('missing_translation').select(fn.countAll<number>().as('noted'));
      const room = max - (await counting.executeTakeFirstOrThrow()).noted;
      const given = [...new Set(keys)];
      const rows = given.slice(0, Math.max(room, 0)).map((key) => ({
        language,
        namespace,
        key,
        first_seen_at_ms: at,
      }));
      const left = given.length - rows.length;
      if (rows.length === 0) return left;
      const insert = db.insertInto('missing_translation').values(rows);
      await insert.onConflict((conflict) => conflict.columns(['language', 'namespace', 'key']).doNothing()).execute();
      return left;
    },
    list: async () => {
      const rows = await db
        .selectFrom('missing_translation')
        .selectAll()
        .orderBy('first_seen_at_ms')
        .orderBy('namespace')
        .orderBy('key')
        .execute();
      return rows.map(({ language, namespace, key, first_seen_at_ms }) => ({
        language,
        namespace,
        key,
        firstSeenAtMs: wallMs(first_seen_at_ms),
      }));
    },
  };
}
