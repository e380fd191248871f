// What counts as a trip.
import { integer } from './valueParsers.ts';
import { variable } from './variable.ts';

export const trackVariables = {
  tripMinMeters: variable({
    name: 'TRIP_MIN_METERS',
    preset: '200',
    parser: integer(1, 100_000),
    about: 'Meters that a vehicle drives at least for a trip. A change holds for trips from then on.',
  }),
  tripMinSeconds: variable({
    name: 'TRIP_MIN_SECONDS',
    preset: '60',
    parser: integer(0, 86_400),
    about: 'Seconds that a trip lasts at least.',
  }),
  tripStopMinutes: variable({
    name: 'TRIP_STOP_MINUTES',
    preset: '5',
    parser: integer(1, 1_440),
    about: 'Minutes of standing that end a trip. It ends at once when the ignition is turned off.',
  }),
};
