import { expect, it } from 'vitest';
import { PARAMETER_SETS_LIMIT, ParameterSets } from '../../../../server/media/parameterSets.ts';

const unit = (...bytes: number[]) => ({ type: 8, bytes: Uint8Array.from(bytes) });
const sequence = { kind: 'sequence', id: 0, refersTo: 0 } as const;
const picture = (id: number) => ({ kind: 'picture', id, refersTo: 0 }) as const;

it('a set replaces the one with its number', () => {
  const sets = new ParameterSets('h264');
  sets.keep(sequence, unit(9));
  sets.keep(picture(0), unit(1));
  sets.keep(picture(1), unit(2));
  sets.keep(picture(0), unit(3, 4));
  const needed = sets.beginGroup([0]);
  expect(needed?.all.map((set) => [...set.unit.bytes])).toEqual([[9], [3, 4], [2]]);
});

it('a set that is kept does not keep the picture in which it came', () => {
  const sets = new ParameterSets('h264');
  const accessUnit = new Uint8Array(100_000);
  sets.keep(sequence, { type: 7, bytes: accessUnit.subarray(0, 10) });
  sets.keep(picture(0), { type: 8, bytes: accessUnit.subarray(10, 20) });
  expect(sets.beginGroup([0])?.all.map((set) => set.unit.bytes.buffer.byteLength)).toEqual([10, 10]);
});

it('sets that are replaced free their room', () => {
  const told: string[] = [];
  const sets = new ParameterSets('h264', ({ name }) => told.push(name));
  const halfBytes = PARAMETER_SETS_LIMIT.max / 2;
  for (let round = 0; round < 10; round++) sets.keep(picture(0), unit(...new Uint8Array(halfBytes).fill(round)));
  expect(told).toEqual([]);
  sets.keep(picture(1), unit(...new Uint8Array(halfBytes)));
  expect(told).toEqual([PARAMETER_SETS_LIMIT.name]);
});
