// What passes through the sockets of terminals, until somebody takes it.
import { NETFLOW_KINDS, type NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { Traffic, TrafficMeter } from '../../device/usage/trafficMeter.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** In the order of NETFLOW_KINDS. */
export interface CountedTraffic {
  readonly incarnation: number;
  readonly received: number[];
  readonly sent: number[];
}

/** Devices whose data is counted within a second. Further ones are not counted in that second. */
export const COUNTED_DEVICES_LIMIT: Limit = { name: 'netflow.counted-devices.all', max: 100_000 };

const NUMBER_OF: Readonly<Record<NetflowKind, number>> = Object.fromEntries(
  NETFLOW_KINDS.map((kind, number) => [kind, number]),
) as Record<NetflowKind, number>;

export class TrafficCounter implements TrafficMeter {
  readonly #onLimit: OnLimit;
  #counted = new Map<number, CountedTraffic>();

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  note(incarnation: number, kind: NetflowKind, { receivedBytes, sentBytes }: Traffic): void {
    const counted = this.#counted.get(incarnation) ?? this.#add(incarnation);
    if (counted === undefined) return;
    const number = NUMBER_OF[kind];
    counted.received[number] = (counted.received[number] ?? 0) + receivedBytes;
    counted.sent[number] = (counted.sent[number] ?? 0) + sentBytes;
  }

  /** All since the last time. */
  take(): CountedTraffic[] {
    const taken = [...this.#counted.values()];
    this.#counted = new Map();
    return taken;
  }

  #add(incarnation: number): CountedTraffic | undefined {
    if (this.#counted.size >= COUNTED_DEVICES_LIMIT.max) {
      this.#onLimit(COUNTED_DEVICES_LIMIT);
      return undefined;
    }
    const counted = { incarnation, received: noBytes(), sent: noBytes() };
    this.#counted.set(incarnation, counted);
    return counted;
  }
}

export function noBytes(): number[] {
  return NETFLOW_KINDS.map(() => 0);
}

export function sumOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, each) => sum + each, 0);
}

export function addTo(sum: number[], bytes: readonly number[]): void {
  for (const [kind, each] of bytes.entries()) sum[kind] = (sum[kind] ?? 0) + each;
}
