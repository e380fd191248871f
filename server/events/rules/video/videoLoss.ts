import { unitRule } from './unitRule.ts';

/** A channel has no picture. A terminal that goes offline repairs no camera. */
export const videoLoss = unitRule({
  input: 'position',
  isForLate: true,
  bitsOf: (input) => (input.kind === 'position' ? input.videoLostBits : undefined),
  endsOffline: false,
});
