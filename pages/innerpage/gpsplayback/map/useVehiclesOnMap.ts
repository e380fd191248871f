import { type RefObject, useEffect } from 'react';
import type { DrawnVehicle } from '../../../../shared/ui/map/tracks/tracksLayer.ts';
import type { TracksMap } from '../../../../shared/ui/map/tracks/tracksMap.ts';
import { useClock } from '../clock/useClock.ts';
import type { Vehicles } from '../tracks/vehicles.ts';
import type { ShownDevice } from './mapContent.ts';

export interface VehiclesOnMap {
  readonly map: TracksMap | undefined;
  readonly host: RefObject<HTMLElement | null>;
  readonly devices: readonly ShownDevice[];
  readonly chosenId: string;
  readonly vehicles: Vehicles;
  /** Another object when the vehicles may be known better than before. */
  readonly knownBy: unknown;
}

/** Moves the vehicles with the clock, past React. */
export function useVehiclesOnMap({ map, host, devices, chosenId, vehicles, knownBy }: VehiclesOnMap): void {
  const clock = useClock();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the lines are others
  useEffect(() => {
    if (map === undefined) return undefined;
    const draw = (atMs: number) => {
      const chosenLast = devices.toSorted(
        (left, right) => Number(left.id === chosenId) - Number(right.id === chosenId),
      );
      const drawn = chosenLast.flatMap((device) =>
        vehicleAt(vehicles, device, { atMs, chosenId, isOne: devices.length < 2 }),
      );
      const followed = drawn.find(({ isChosen }) => isChosen);
      map.setVehicles(drawn, followed);
      mark(host.current, atMs, drawn);
    };
    vehicles.onLoaded = () => draw(clock.state.positionMs);
    const stop = clock.draw(draw);
    return () => {
      vehicles.onLoaded = () => undefined;
      stop();
    };
  }, [map, host, devices, chosenId, vehicles, clock, knownBy]);
}

interface MarkedVehicle extends DrawnVehicle {
  readonly id: string;
}

interface Moment {
  readonly atMs: number;
  readonly chosenId: string;
  readonly isOne: boolean;
}

function vehicleAt(
  vehicles: Vehicles,
  { id, name, color }: ShownDevice,
  { atMs, chosenId, isOne }: Moment,
): MarkedVehicle[] {
  const place = vehicles.placeAt(id, atMs);
  if (place === undefined) return [];
  return [{ ...place, id, color, isChosen: id === chosenId, label: isOne ? '' : name }];
}

/** A mark for readers that can't see a canvas, such as a test. */
function mark(host: HTMLElement | null, atMs: number, vehicles: readonly MarkedVehicle[]): void {
  if (host === null) return;
  const chosen = vehicles.find(({ isChosen }) => isChosen);
  host.dataset.at = String(Math.round(atMs));
  host.dataset.place = chosen === undefined ? '' : placeText(chosen);
  host.dataset.places = vehicles.map((vehicle) => `${vehicle.id} ${placeText(vehicle)}`).join('\n');
}

function placeText({ lat, lng }: DrawnVehicle): string {
  return `${lat.toFixed(6)} ${lng.toFixed(6)}`;
}
