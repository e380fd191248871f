import { unitRule } from './unitRule.ts';

/** A channel should be recorded, and nothing is written. Without a connection nothing can be. */
export const notRecorded = unitRule({
  input: 'recording',
  isForLate: false,
  bitsOf: (input) => (input.kind === 'recording' ? input.dueBits & ~input.writtenBits : undefined),
  endsOffline: true,
});
