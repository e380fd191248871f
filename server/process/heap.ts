// How much memory the JavaScript heap takes beyond what is in use.
import { setFlagsFromString } from 'node:v8';

/**
 * By itself, V8 lets the old generation grow to as much as four times of what is in use before it collects: 5,000 terminals that
 * come back after a cut took 700 MiB, of which 150 were in use. At this limit they take 460; at 20 percent they take 10 less, for a
 * fifth more processor time (`npm run bench -- terminals`). V8 reads the flag at each collection, so that it may be set in a
 * process that runs. `--max-old-space-size` is no way: it ends the process where the fleet grows.
 */
const GROWTH_PERCENT = 30;

export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
