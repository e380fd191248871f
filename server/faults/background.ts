import { faultOf, type OnFault } from './onFault.ts';

/** For work that nobody waits for: its rejection is reported, so that it neither ends the process nor goes unseen. */
export function inBackground(what: string, work: Promise<unknown>, onFault: OnFault): void {
  work.catch((cause: unknown) => onFault(faultOf(what, cause)));
}
