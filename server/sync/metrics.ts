import { Gauge, type Registry } from 'prom-client';
import type { SyncEngine } from './engine/syncEngine.ts';
import type { DeviceListings } from './listing/deviceListings.ts';
import type { EventClips } from './requests/eventClips.ts';

export interface MeteredSync {
  readonly engine: Pick<SyncEngine, 'runningCount' | 'waitingDevices'>;
  readonly listings: Pick<DeviceListings, 'askingCount'>;
  readonly eventClips: Pick<EventClips, 'waitingCount'>;
}

export function registerSyncMetrics(metrics: Registry, { engine, listings, eventClips }: MeteredSync): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(value());
      },
    });
  };
  gauge('fleetglass_sync_running', 'Recordings that are being fetched from devices', () => engine.runningCount);
  gauge('fleetglass_sync_waiting_devices', 'Devices with recordings to be fetched', () => engine.waitingDevices);
  gauge('fleetglass_sync_listings', 'Devices that are asked what they have recorded', () => listings.askingCount);
  gauge('fleetglass_sync_waiting_clips', 'Events whose recordings are looked at later', () => eventClips.waitingCount);
}
