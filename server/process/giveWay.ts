// Threads whose work can wait: video, positions and answers come first where processors are few.
import { getPriority, platform, setPriority } from 'node:os';
import { operationVariables } from '../config/operation.ts';

/** Lowers the priority of the calling thread to `BACKGROUND_NICENESS`. On Linux a thread has one of its own; elsewhere it is that of the whole process. */
export function giveWay(): void {
  const niceness = backgroundNiceness(process.env);
  // Where the gateway itself was started with less, that stays: nobody may raise it.
  if (platform() === 'linux' && getPriority() < niceness) setPriority(niceness);
}

/** 0 (as all other programs) to 19 (after all of them). A gateway whose settings can't be read does not start. */
export function backgroundNiceness(environment: Readonly<Record<string, string | undefined>>): number {
  const { name, parser, preset } = operationVariables.backgroundNiceness;
  const read = parser.read(environment[name] || preset);
  return read.ok ? read.value : Number(preset);
}
