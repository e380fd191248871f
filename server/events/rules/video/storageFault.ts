import { unitRule } from './unitRule.ts';

/** A disk or card of the terminal doesn't work. */
export const storageFault = unitRule({
  input: 'position',
  isForLate: true,
  bitsOf: (input) => (input.kind === 'position' ? input.storageFaultBits : undefined),
  endsOffline: false,
});
