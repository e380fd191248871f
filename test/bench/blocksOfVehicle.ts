// Positions of a vehicle that drives about, as packing leaves them.
import type { Insertable } from 'kysely';
import { encodeBlock } from '../../server/store/fleet/blocks/blockCodec.ts';
import { splitPositions } from '../../server/store/fleet/blocks/splitting.ts';
import type { StoredPosition } from '../../server/store/fleet/blocks/storedPosition.ts';
import type { PositionBlockTable } from '../../server/store/fleet/tables.ts';
import { drivenPositions } from '../support/storedPositions.ts';

/** Fits every vehicle. */
export type BlockValues = Omit<Insertable<PositionBlockTable>, 'incarnation'>;

export function blocksOfVehicle(positions: number): Promise<BlockValues[]> {
  return Promise.all(splitPositions(drivenPositions(positions), true).map(blockOf));
}

export async function blockOf(positions: readonly StoredPosition[]): Promise<BlockValues> {
  const [latitudes, longitudes] = [positions.map((each) => each.latitude), positions.map((each) => each.longitude)];
  return {
    from_ms: positions[0]?.deviceTimeMs ?? 0,
    to_ms: positions.at(-1)?.deviceTimeMs ?? 0,
    received_to_ms: positions.at(-1)?.receivedAtMs ?? 0,
    count: positions.length,
    south: Math.min(...latitudes),
    west: Math.min(...longitudes),
    north: Math.max(...latitudes),
    east: Math.max(...longitudes),
    data: await encodeBlock(positions),
  };
}
