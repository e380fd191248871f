// The thread of tracks: reads, unpacks and simplifies, so that the main one relays meanwhile.
import { runThread } from './trackProgram.ts';

runThread();
