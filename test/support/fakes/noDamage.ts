import { damageFault, type OnDamagedBlock } from '../../../server/store/fleet/blocks/damagedBlocks.ts';

/** For tests in which every block of positions can be read. */
export const noDamage: OnDamagedBlock = (block) => {
  throw damageFault(block);
};
