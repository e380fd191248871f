import { splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';

/** The same parameter sets, and noise in place of the picture. */
export function spoilt(bytes: Uint8Array | undefined): Uint8Array {
  const units = splitNalUnits(bytes ?? new Uint8Array());
  let seed = 1;
  const noise = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return 4 + (seed % 250); // no zeros: a start code in the noise would end the unit
  };
  const parts = units.map(({ type, bytes: unit }) =>
    type === 5 ? Uint8Array.of(0x65, ...Array.from({ length: 500 }, noise)) : unit,
  );
  return Uint8Array.from(parts.flatMap((part) => [0, 0, 0, 1, ...part]));
}
