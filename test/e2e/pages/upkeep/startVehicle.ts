// A vehicle with one camera, which is stopped with its test.
import { onTestFinished } from 'vitest';
import type { Clip } from '../../../../server/demo/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../../server/demo/vehicleProfile.ts';
import type { TrackScene, Vehicle } from '../tracks/trackScene.ts';

export function startVehicle(
  scene: TrackScene,
  { deviceId, name, number }: Vehicle,
  { clip, ...profile }: Pick<VehicleProfile, 'card' | 'quirks' | 'hardware'> & { readonly clip?: Clip } = {},
): SimulatedTerminal {
  const terminal = new SimulatedTerminal({
    profile: { deviceId, name, number, edition: '2019', plate: deviceId, channels: 1, lapShare: 0, ...profile },
    gateway: { host: '127.0.0.1', port: scene.product.jt808Port },
    ...(clip === undefined ? {} : { clip }),
  });
  terminal.start();
  onTestFinished(() => terminal.stop());
  return terminal;
}
