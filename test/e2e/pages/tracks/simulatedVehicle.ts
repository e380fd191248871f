// A simulated vehicle of the scene. Where it was without a network for a while, it sends what it kept when it signs in (0x0704).
import { onTestFinished } from 'vitest';
import { TRACK_SUMMARY_PATH, type TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import type { Clip } from '../../../../simulator/clip/loadClip.ts';
import type { ClipOf } from '../../../../simulator/liveMedia.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { waitFor } from '../../../support/waitFor.ts';
import type { TrackScene, Vehicle } from './trackScene.ts';

export type Behavior = Partial<
  Pick<VehicleProfile, 'channels' | 'lapShare' | 'script' | 'quirks' | 'card' | 'hardware'>
> & {
  /** What its cameras see; without a clip they are dark. */
  readonly clip?: Clip | ClipOf;
  /** Hours for which it had no network when it signs in. */
  readonly awayHours?: number;
};

/** Signs in at once, and stops with its test. */
export function startVehicle(scene: TrackScene, vehicle: Vehicle, behavior: Behavior = {}): SimulatedTerminal {
  const terminal = startOwnVehicle(scene, vehicle, behavior);
  onTestFinished(() => terminal.stop());
  return terminal;
}

/** For hooks, in which no test is under way: the caller stops it. */
export function startOwnVehicle(
  scene: TrackScene,
  vehicle: Vehicle,
  { clip, awayHours = 0, script = [], ...behavior }: Behavior,
): SimulatedTerminal {
  const away = { kind: 'absence', atSeconds: -awayHours * 3_600, forSeconds: awayHours * 3_600 } as const;
  const terminal = new SimulatedTerminal({
    profile: {
      channels: 2,
      lapShare: 0,
      ...vehicle,
      ...behavior,
      edition: '2019',
      plate: vehicle.number.slice(-6),
      script: awayHours === 0 ? script : [away, ...script],
    },
    gateway: { host: '127.0.0.1', port: scene.product.jt808Port },
    ...(clip !== undefined && { clip }),
  });
  terminal.start();
  return terminal;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Waits for a summary that `accept` accepts. */
export function summaryWhen(
  scene: TrackScene,
  deviceId: string,
  { fromMs, toMs }: Span,
  accept: (summary: TrackSummary) => boolean,
): Promise<TrackSummary> {
  const query = new URLSearchParams({ deviceid: deviceId, from: String(fromMs), to: String(toMs) });
  return waitFor(
    `what ${deviceId} did`,
    async () => (await scene.call('chief', 'GET', `${TRACK_SUMMARY_PATH}?${query}`)) as TrackSummary,
    accept,
  );
}
