import { ROW_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';

const LINE_END = 10;

/** Counts lines, which must be whole and not too large. */
export function countLines(lines: Buffer): number {
  let [count, from] = [0, 0];
  while (from < lines.length) {
    const end = lines.indexOf(LINE_END, from);
    if (end < 0) throw new ArchiveFault('damaged', 'a row without an end');
    if (end - from > ROW_LIMIT.max) throw new ArchiveFault('too-large', `a row of ${end - from} bytes`);
    count++;
    from = end + 1;
  }
  return count;
}
