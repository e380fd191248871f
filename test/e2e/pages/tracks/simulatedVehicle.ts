// A simulated vehicle of the scene that was without a network for a while, and sends what it kept when it signs in (0x0704).
import type { ClipOf } from '../../../../server/demo/liveMedia.ts';
import { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../../server/demo/vehicleProfile.ts';
import { TRACK_SUMMARY_PATH, type TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { waitFor } from '../../../support/waitFor.ts';
import type { TrackScene, Vehicle } from './trackScene.ts';

export type Behavior = Partial<Pick<VehicleProfile, 'channels' | 'lapShare' | 'script' | 'quirks' | 'card'>> & {
  /** What its cameras see; without one they are dark. */
  readonly clip?: ClipOf;
};

/** Signs in at once, and after as many hours without a network. The caller stops it. */
export function startVehicle(
  scene: TrackScene,
  vehicle: Vehicle,
  hours: number,
  { clip, ...behavior }: Behavior,
): SimulatedTerminal {
  const terminal = new SimulatedTerminal({
    profile: {
      channels: 2,
      lapShare: 0,
      ...vehicle,
      ...behavior,
      edition: '2019',
      plate: vehicle.number.slice(-6),
      script: [{ kind: 'absence', atSeconds: -hours * 3_600, forSeconds: hours * 3_600 }, ...(behavior.script ?? [])],
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

/** As soon as it says what it has to. */
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
