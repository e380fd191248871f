// What comings and goings of terminals make of their sessions. Pure.
import type {
  EndedPresence,
  PresenceChanges,
  PresenceEnd,
  PresenceSession,
} from '../../store/fleet/presenceSessions.ts';

export interface PresenceChange {
  readonly incarnation: number;
  readonly isOnline: boolean;
  readonly atMs: number;
}

/** In the order of what happened. A terminal that signs in while it is signed in has a new connection in the place of the old one. */
export function sessionsOf(changes: readonly PresenceChange[]): PresenceChanges {
  const ended = new Map<number, EndedPresence>();
  const open = new Map<number, PresenceSession>();
  const over: PresenceSession[] = [];
  for (const { incarnation, isOnline, atMs } of changes) {
    const reason: PresenceEnd = isOnline ? 'replaced' : 'closed';
    const own = open.get(incarnation);
    if (own !== undefined) over.push({ ...own, toMs: Math.max(own.fromMs, atMs), reason });
    else if (!ended.has(incarnation)) ended.set(incarnation, { incarnation, atMs, reason });
    open.delete(incarnation);
    if (isOnline) open.set(incarnation, { incarnation, fromMs: atMs, toMs: 0, reason: 'lasts' });
  }
  return { ended: [...ended.values()], added: [...over, ...open.values()] };
}
