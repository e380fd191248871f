// Reads what was stored of a device, some at a time.
import type { Position, PositionStore } from '../../store/fleet/positions.ts';

export interface DeviceSpan {
  /** The device's clock, half open. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PositionReader {
  /** In the order of the device's clock; one may come twice. */
  read(deviceId: string, span: DeviceSpan): AsyncIterable<readonly Position[]>;
}

/** Some milliseconds of the thread that relays media. */
const PAGE = 500;

export function createPositionReader(positions: Pick<PositionStore, 'between'>): PositionReader {
  return {
    async *read(deviceId, { fromMs, toMs }) {
      let nextMs = fromMs;
      while (nextMs < toMs) {
        const page = await positions.between(deviceId, { fromMs: nextMs, toMs }, PAGE);
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return;
        // More of the moment of the last one may follow, unless the page has no other.
        nextMs = last.deviceTimeMs > nextMs ? last.deviceTimeMs : nextMs + 1;
      }
    },
  };
}
