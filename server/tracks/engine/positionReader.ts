// Reads what was stored of a device, some at a time.
import type { Position, PositionStore } from '../../store/fleet/positions.ts';

export interface DeviceSpan {
  /** The device's clock, half open. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PositionReader {
  /** In the order of the device's clock. */
  read(deviceId: string, span: DeviceSpan): AsyncIterable<readonly Position[]>;
}

/** Some milliseconds of the thread that relays media. */
const PAGE = 500;

export function createPositionReader(positions: Pick<PositionStore, 'scan'>): PositionReader {
  return { read: (deviceId, span) => positions.scan(deviceId, span, PAGE) };
}
