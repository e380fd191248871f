// A position as rules see it: from a terminal that reports it now, or from the database.
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import {
  type PositionDetails,
  positionDetails,
  reportedStorageFaults,
  reportedVideoLoss,
} from '../../device/jt808/codec/positionItems.ts';
import type { Position } from '../../store/fleet/positions.ts';
import type { PositionInput } from './ruleInput.ts';

/** `isLate`: recorded without a connection, and sent afterwards. */
export function positionInputOf(position: Position, details: PositionDetails, isLate: boolean): PositionInput {
  const { deviceTimeMs, receivedAtMs, latitude, longitude, speedKmh, statusBits } = position;
  const hasFix = hasBit(statusBits, StatusBit.Fixed);
  return {
    kind: 'position',
    atMs: isLate ? deviceTimeMs : receivedAtMs,
    deviceTimeMs,
    receivedAtMs,
    isLate,
    hasFix,
    latitude,
    longitude,
    // Without a fix, the driving recorder still measures the speed.
    speedKmh: hasFix ? speedKmh : (details.recorderSpeedKmh ?? speedKmh),
    ignitionOn: hasBit(statusBits, StatusBit.AccOn),
    fuelLiters: details.fuelLitres,
    cabinCelsius: details.cabinCelsius,
    videoLostBits: reportedVideoLoss(details),
    storageFaultBits: reportedStorageFaults(details),
  };
}

/** Decodes the items of a stored position. */
export function detailsOf({ extra, statusBits }: Pick<Position, 'extra' | 'statusBits'>): PositionDetails {
  const items = Object.entries(extra).flatMap(([id, hex]) =>
    typeof hex === 'string' ? [{ id: Number(id), value: Buffer.from(hex, 'hex') }] : [],
  );
  return positionDetails(items, statusBits);
}
