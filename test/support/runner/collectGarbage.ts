import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing refers to, so that memory which is measured afterwards is what is held. Test workers collect it rarely by themselves. */
export const collectGarbage = runInNewContext('gc') as () => void;
