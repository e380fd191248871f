// What is told of each byte that goes to a terminal or comes from it.
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';

/** Payload as a socket hands it over, without what the network adds. */
export interface Traffic {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

export interface TrafficMeter {
  /** Called for every chunk: it may cost no more than an addition. */
  note(incarnation: number, kind: NetflowKind, traffic: Traffic): void;
}

/** For parts that run without one. */
export const NO_TRAFFIC_METER: TrafficMeter = { note: () => undefined };
