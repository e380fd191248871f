import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Frees what nothing refers to, so that memory which is measured afterwards is what is held. Test workers collect it
 * rarely by themselves. V8 frees the memory of array buffers in another thread after a collection, and the next
 * collection waits for that thread.
 */
export function collectGarbage(): void {
  collect();
  collect();
}
