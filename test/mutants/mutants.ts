import { DOM_MUTANTS } from './areas/domMutants.ts';
import { PRODUCT_MUTANTS } from './areas/productMutants.ts';
import { SERVER_MUTANTS } from './areas/serverMutants.ts';
import { UNIT_MUTANTS } from './areas/unitMutants.ts';
import type { Mutant } from './mutant.ts';

/** The faults that `npm run test:mutants` plants, in the order of the layers that find them. */
export const MUTANTS: readonly Mutant[] = [...UNIT_MUTANTS, ...SERVER_MUTANTS, ...DOM_MUTANTS, ...PRODUCT_MUTANTS];
