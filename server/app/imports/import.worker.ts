// The thread of imports: reads text from outside, so that nothing in a file can hold the thread that relays.
import { runThread } from './importProgram.ts';

runThread();
