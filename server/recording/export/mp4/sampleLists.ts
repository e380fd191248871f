// The lists of a track's samples in a file's head (ISO/IEC 14496-12, 8.6 and 8.7). They lie one behind another.
import type { BoxWriter } from './boxWriter.ts';
import type { FragmentSample } from './fragment.ts';

/** Gives the place where that of their bytes is to be filled in; undefined without samples. */
export function writeSampleLists(to: BoxWriter, samples: readonly FragmentSample[]): number | undefined {
  writeRuns(to, 'stts', runsOf(samples.map(({ duration }) => duration)));
  if (samples.some(({ offset }) => offset !== 0)) writeRuns(to, 'ctts', runsOf(samples.map(({ offset }) => offset)));
  if (samples.some(({ isKey }) => !isKey)) writeKeys(to, samples);
  let placeAt: number | undefined;
  const hasSamples = samples.length > 0;
  to.fullBox('stsc', {}, () => {
    to.u32(hasSamples ? 1 : 0);
    if (!hasSamples) return;
    to.u32(1); // from the first chunk on
    to.u32(samples.length);
    to.u32(1); // the one sample description
  });
  to.fullBox('stsz', {}, () => {
    to.u32(0); // they differ
    to.u32(samples.length);
    for (const { bytes } of samples) to.u32(bytes);
  });
  to.fullBox('stco', {}, () => {
    to.u32(hasSamples ? 1 : 0);
    if (!hasSamples) return;
    placeAt = to.length;
    to.u32(0);
  });
  return placeAt;
}

interface Run {
  count: number;
  readonly value: number;
}

function runsOf(values: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.value === value) last.count++;
    else runs.push({ count: 1, value });
  }
  return runs;
}

function writeRuns(to: BoxWriter, type: 'stts' | 'ctts', runs: readonly Run[]): void {
  // Offsets may be below 0.
  to.fullBox(type, { version: type === 'ctts' && runs.some(({ value }) => value < 0) ? 1 : 0 }, () => {
    to.u32(runs.length);
    for (const { count, value } of runs) {
      to.u32(count);
      to.i32(value);
    }
  });
}

function writeKeys(to: BoxWriter, samples: readonly FragmentSample[]): void {
  const numbers = samples.flatMap(({ isKey }, at) => (isKey ? [at + 1] : []));
  to.fullBox('stss', {}, () => {
    to.u32(numbers.length);
    for (const number of numbers) to.u32(number);
  });
}
