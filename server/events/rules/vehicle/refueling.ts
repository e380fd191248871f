import { fuelRule } from './fuelChange.ts';

export const refueling = fuelRule(1);
