// The page's line of live updates and what React knows of it.
import { useSyncExternalStore } from 'react';
import { frameToken } from '../api/pageFlags.ts';
import type { EventCounts } from '../protocol/api/events.ts';
import type { EventPopUp, LiveRequest, RecordKind } from '../protocol/api/liveUpdates.ts';
import type { OpenServerInfo } from '../protocol/api/system.ts';
import { recheckSession } from '../ui/session.ts';
import { type LiveFleet, NO_FLEET, nextFleet } from './liveFleet.ts';
import type { LiveLine, LiveLineState } from './liveLine.ts';
import { type OpenLine, openLine } from './openLine.ts';

let opened: OpenLine | undefined;

/** One a page, however many parts of it listen. */
export function pageLive(): LiveLine {
  opened ??= openLine({ greeting: greetBySid, onRefused: () => void recheckSession() });
  return opened.line;
}

/** For component tests, which render page after page. */
export function closePageLive(): void {
  opened?.close();
  opened = undefined;
  fleet = NO_FLEET;
}

function greetBySid(): LiveRequest | undefined {
  const sid = frameToken();
  return sid === undefined ? undefined : { type: 'session', sid };
}

/** Whether the page's data is live. Using this doesn't open a connection by itself. */
export function useLiveState(): LiveLineState {
  const { onState, state } = pageLive();
  return useSyncExternalStore(onState, state);
}

let fleet = NO_FLEET;
let stopFleet: (() => void) | undefined;
const fleetListeners = new Set<() => void>();

function subscribeFleet(run: () => void): () => void {
  fleetListeners.add(run);
  stopFleet ??= pageLive().listen(['devices', 'counts'], (message) => {
    const next = nextFleet(fleet, message);
    if (next === fleet) return;
    fleet = next;
    for (const each of [...fleetListeners]) each();
  });
  return () => {
    fleetListeners.delete(run);
    if (fleetListeners.size > 0) return;
    stopFleet?.();
    stopFleet = undefined;
    // Later listeners start with the next snapshot.
    fleet = NO_FLEET;
  };
}

/** The devices and figures, kept up to date while a component uses them. */
export function useLiveFleet(): LiveFleet {
  return useSyncExternalStore(subscribeFleet, () => fleet);
}

/** `any`: the line was broken, and it is unknown what was edited meanwhile. */
export type ChangedKinds = readonly RecordKind[] | 'any';

/** Tells which kinds of records were edited, by whomever. The result ends it. */
export function listenForChanges(onChanged: (kinds: ChangedKinds) => void): () => void {
  const live = pageLive();
  const stop = live.listen(['changed'], (message) => {
    if (message.type === 'changed') onChanged(message.records);
  });
  let wasBroken = false;
  const stopState = live.onState(() => {
    const { kind } = live.state();
    if (kind === 'live' && wasBroken) onChanged('any');
    if (kind === 'broken' || kind === 'live') wasBroken = kind === 'broken';
  });
  return () => {
    stop();
    stopState();
  };
}

/** Likewise for events that are to be shown over the page. */
export function listenForPopUps(onPopUps: (popUps: readonly EventPopUp[]) => void): () => void {
  return pageLive().listen(['popups'], (message) => {
    if (message.type === 'popups') onPopUps(message.popUps);
  });
}

/** For sessions with the permission `event`; others are sent nothing. The result ends it. */
export function listenForEventCounts(onCounts: (counts: EventCounts) => void): () => void {
  return pageLive().listen(['eventcounts'], (message) => {
    if ((message.type === 'snapshot' || message.type === 'changes') && message.eventCounts !== undefined) {
      onCounts(message.eventCounts);
    }
  });
}

/** What the installation says of itself: first, and whenever it is otherwise. The result ends it. */
export function listenForServerInfo(onInfo: (info: OpenServerInfo) => void): () => void {
  return pageLive().listen(['server'], (message) => {
    if (message.type === 'server') onInfo(message.info);
  });
}
