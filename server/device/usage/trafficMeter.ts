// Who is told how much has gone to a terminal and come from it.
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';

/** Payload as a socket hands it over, without what the network adds. */
export interface Traffic {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

export interface TrafficMeter {
  /** Called for each socket that something has passed through, once a second and at its end. */
  note(incarnation: number, kind: NetflowKind, traffic: Traffic): void;
}

/** For parts that run without one. */
export const NO_TRAFFIC_METER: TrafficMeter = { note: () => undefined };
