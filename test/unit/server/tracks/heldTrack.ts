// Positions in memory, as a store would give them.
import type { TrackColumns, TrackField, TrackReading } from '../../../../server/tracks/trackReading.ts';

export type HeldPosition = Readonly<Partial<Record<TrackField, number>>> & { readonly deviceTimeMs: number };

/** With a fix and the ignition on. */
const STATUS_BITS = 3;

export function columnsOf<Field extends TrackField>(
  positions: readonly HeldPosition[],
  fields: readonly Field[],
): TrackColumns<Field> {
  const columns = fields.map((field) => {
    const otherwise = field === 'statusBits' ? STATUS_BITS : Number.NaN;
    return [field, Float64Array.from(positions, (position) => position[field] ?? otherwise)] as const;
  });
  const deviceTimeMs = Float64Array.from(positions, (position) => position.deviceTimeMs);
  return { ...Object.fromEntries(columns), deviceTimeMs, count: positions.length } as TrackColumns<Field>;
}

/** `asked`: how often it was read. In parts of `partSize`. */
export function heldTrack(positions: readonly HeldPosition[], partSize = 3): TrackReading & { asked: number } {
  const sorted = positions.toSorted((left, right) => left.deviceTimeMs - right.deviceTimeMs);
  const held = {
    asked: 0,
    async *columns<Field extends TrackField>(
      _incarnation: number,
      { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
      fields: readonly Field[],
    ): AsyncGenerator<TrackColumns<Field>> {
      held.asked++;
      const found = sorted.filter(({ deviceTimeMs }) => deviceTimeMs >= fromMs && deviceTimeMs < toMs);
      for (let at = 0; at < found.length; at += partSize) yield columnsOf(found.slice(at, at + partSize), fields);
    },
  };
  return held;
}
