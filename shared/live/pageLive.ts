// The page's line of live updates and what React knows of it.
import { useSyncExternalStore } from 'react';
import { pageFlags } from '../api/pageFlags.ts';
import { buildWebSocketUrl } from '../api/query.ts';
import type { EventCounts } from '../protocol/api/events.ts';
import { type EventPopUp, LIVE_UPDATES_PATH, type RecordKind } from '../protocol/api/liveUpdates.ts';
import { recheckSession } from '../ui/session.ts';
import { type LiveFleet, NO_FLEET, nextFleet } from './liveFleet.ts';
import { LiveLine, type LiveLineState, type LiveSocket } from './liveLine.ts';

let line: LiveLine | undefined;
let stopRetries: (() => void) | undefined;

/** One a page, however many parts of it listen. */
export function pageLive(): LiveLine {
  line ??= openLine();
  return line;
}

/** For component tests, which render page after page. */
export function closePageLive(): void {
  stopRetries?.();
  line?.close();
  line = undefined;
  fleet = NO_FLEET;
}

function openLine(): LiveLine {
  const opened = new LiveLine({
    open: () => new WebSocket(buildWebSocketUrl(LIVE_UPDATES_PATH)) as LiveSocket,
    sid: () => pageFlags().sid,
    runAfter: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    now: Date.now,
    random: Math.random,
    onRefused: () => void recheckSession(),
  });
  const retry = () => opened.retryNow();
  // A laptop that wakes up need not wait for the next due try.
  const onVisible = () => document.visibilityState === 'visible' && retry();
  window.addEventListener('online', retry);
  document.addEventListener('visibilitychange', onVisible);
  stopRetries = () => {
    window.removeEventListener('online', retry);
    document.removeEventListener('visibilitychange', onVisible);
  };
  return opened;
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

/** `any`: the line was broken, and nobody knows what was edited meanwhile. */
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

/** For sessions with the permission `event`; others are told nothing. The result ends it. */
export function listenForEventCounts(onCounts: (counts: EventCounts) => void): () => void {
  return pageLive().listen(['eventcounts'], (message) => {
    if ((message.type === 'snapshot' || message.type === 'changes') && message.eventCounts !== undefined) {
      onCounts(message.eventCounts);
    }
  });
}
