// When data plans left recordings of a device without video.
import { mergeRanges, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll } from '../../../shared/protocol/timeSpans.ts';
import type { StoreDb } from '../../store/engine/database.ts';
import type { ReportDevice } from '../reportDevices.ts';

export type WithheldSpans = Readonly<Record<'main' | 'sub', readonly TimeRange[]>>;

/** By the quality that is recorded: some plans leave sub streams. */
export async function withheldSpans(
  db: StoreDb,
  { incarnation }: ReportDevice,
  window: TimeRange,
): Promise<WithheldSpans> {
  const rows = await db
    .selectFrom('netflow_withheld')
    .select(['from_ms', 'to_ms', 'is_all'])
    .where('incarnation', '=', incarnation)
    .where('from_ms', '<', window.toMs)
    .where('to_ms', '>', window.fromMs)
    .orderBy('from_ms')
    .execute();
  const spansOf = (some: typeof rows): TimeRange[] => {
    const spans = some.map((row) => ({ fromMs: row.from_ms, toMs: row.to_ms }));
    return clipAll(mergeRanges(spans, 0), window);
  };
  return { main: spansOf(rows), sub: spansOf(rows.filter((row) => row.is_all === 1)) };
}
