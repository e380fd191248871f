// Threads whose work can wait: video, positions and answers come first where processors are few.
import { constants, getPriority, platform, setPriority } from 'node:os';

const LOWEST = constants.priority.PRIORITY_LOW;

/** Lowers the priority of the calling thread to `BACKGROUND_NICENESS`. On Linux a thread has one of its own; elsewhere it is that of the whole process. */
export function giveWay(): void {
  const niceness = backgroundNiceness(process.env);
  // Where the gateway itself was started with less, that stays: nobody may raise it.
  if (platform() === 'linux' && getPriority() < niceness) setPriority(niceness);
}

/** From 0, as all other programs, to 19, after all of them. Anything else, which a gateway refuses at its start, counts as 19. */
export function backgroundNiceness(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment.BACKGROUND_NICENESS ?? '';
  return /^1?\d$/.test(text) ? Number(text) : LOWEST;
}
