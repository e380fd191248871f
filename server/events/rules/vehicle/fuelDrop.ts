import { fuelRule } from './fuelChange.ts';

export const fuelDrop = fuelRule(-1);
