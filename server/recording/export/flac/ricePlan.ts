// How a block's residual is coded: in partitions, each with the Rice parameter that suits how large its values are
// (RFC 9639, 9.2.7).

/** The coding method with four bits for a parameter; its highest value means another thing. */
const MAX_PARAMETER = 14;
export const PARAMETER_BITS = 4;
const MAX_PARTITION_ORDER = 4;

export interface RicePlan {
  /** There are 2 to the power of it. */
  readonly partitionOrder: number;
  /** One for each partition. */
  readonly parameters: readonly number[];
  /** About so many bits it will take. */
  readonly bits: number;
}

/** Of blocks of so many samples; each partition has more of them than a predictor takes. */
export function maxPartitionOrder(samples: number): number {
  let order = 0;
  while (order < MAX_PARTITION_ORDER && samples % 2 ** (order + 1) === 0 && samples >> (order + 1) > 32) order++;
  return order;
}

/**
 * Puts signed values in the order 0, -1, 1, -2, ... in place, from one place on, and sums them by partition of the given
 * order, which the whole block is divided in.
 */
export function foldAndSum(residual: Int32Array, block: { from: number; samples: number; order: number }): number[] {
  const partition = block.samples >> block.order;
  let at = block.from;
  return Array.from({ length: 2 ** block.order }, (_, index) => {
    const end = (index + 1) * partition;
    // At most 2048 values of 21 bits.
    let sum = 0;
    for (; at < end; at++) {
      const value = residual[at] ?? 0;
      const folded = (value << 1) ^ (value >> 31);
      residual[at] = folded;
      sum += folded;
    }
    return sum;
  });
}

/** The partition order that takes least, from the sums of the finest one on. `warmUp` samples of the first are not coded. */
export function planRice(sums: readonly number[], samples: number, warmUp: number): RicePlan {
  let best: RicePlan | undefined;
  for (let finer = sums; ; finer = paired(finer)) {
    const plan = planPartitions(finer, samples / finer.length, warmUp);
    if (best === undefined || plan.bits <= best.bits) best = plan;
    if (finer.length === 1) return best;
  }
}

function paired(sums: readonly number[]): number[] {
  return Array.from({ length: sums.length / 2 }, (_, index) => (sums[2 * index] ?? 0) + (sums[2 * index + 1] ?? 0));
}

function planPartitions(sums: readonly number[], partition: number, warmUp: number): RicePlan {
  let bits = 0;
  const parameters = sums.map((sum, index) => {
    const values = index === 0 ? partition - warmUp : partition;
    const parameter = parameterFor(sum, values);
    bits += PARAMETER_BITS + expectedBits(sum, values, parameter);
    return parameter;
  });
  return { partitionOrder: Math.log2(sums.length), parameters, bits };
}

/** The bits of the mean: with values that fall off evenly, no other parameter takes less. */
function parameterFor(sum: number, values: number): number {
  const mean = Math.floor(sum / values);
  return mean === 0 ? 0 : Math.min(31 - Math.clz32(mean), MAX_PARAMETER);
}

/** Half a unit is lost, on the average, where a value's lowest bits are cut off; never more than half a bit a value too little. */
function expectedBits(sum: number, values: number, parameter: number): number {
  const cut = parameter === 0 ? sum : sum / 2 ** parameter - values / 2;
  return values * (parameter + 1) + cut;
}
