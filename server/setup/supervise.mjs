// Starts a gateway again that ended by a fault, after a wait that grows while it goes on failing.
import { exitCodeOf } from './child.mjs';

/** @typedef {import('./child.mjs').ChildEnd} ChildEnd */

/**
 * @typedef {object} Supervision
 * @property {(env: Readonly<Record<string, string>>) => Promise<ChildEnd>} run starts the gateway; resolves when it has ended
 * @property {(ms: number) => Promise<boolean>} wait resolves with whether the command was told to stop meanwhile
 * @property {() => number} now in milliseconds
 * @property {(text: string) => void} say to whoever started the command
 */

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A gateway that has run for so long is not one that fails at once: the next wait is the first again. */
const STABLE_MS = 60_000;

/** In order, a start that failed and said why, arguments that it does not take: none of them is mended by another start. */
const FINAL_CODES = [0, 1, 2];
/** Somebody stopped the gateway itself, before it could do so in order. */
const FINAL_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Resolves with the exit code of the last run.
 * @param {Supervision} supervision
 * @returns {Promise<number>}
 */
export async function superviseGateway({ run, wait, now, say }) {
  let waitMs = FIRST_WAIT_MS;
  for (let restarts = 0; ; restarts++) {
    const startedMs = now();
    const end = await run({ FLEETGLASS_RESTARTS: String(restarts) });
    const isStable = now() - startedMs >= STABLE_MS;
    if (end.isStopped || isFinal(end, restarts > 0 && !isStable)) return exitCodeOf(end);
    if (isStable) waitMs = FIRST_WAIT_MS;
    say(`The gateway ended by a fault (${reasonOf(end)}). It is started again in ${waitMs / 1_000} s.`);
    if (await wait(waitMs)) return 0;
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}

/**
 * A start that fails is final when it is the first, with a wrong configuration or a port that is taken. After a fault it may be
 * what has caused the fault, such as a database that is away: it is tried again.
 * @param {ChildEnd} end
 * @param {boolean} isRetried it was a start after a fault
 */
function isFinal({ code, signal }, isRetried) {
  if (code === 1 && isRetried) return false;
  return code === null ? FINAL_SIGNALS.includes(String(signal)) : FINAL_CODES.includes(code);
}

/** @param {ChildEnd} end */
function reasonOf({ code, signal }) {
  return code === null ? String(signal) : `exit code ${code}`;
}
