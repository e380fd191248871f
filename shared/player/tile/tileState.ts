// A tile's facts about its stream, what it shows for them, and when it reconnects. Pure; the timers are the tile's.
import type { QuietEvent } from '../../protocol/stream/streamMessages.ts';
import type { StreamReport } from '../engine/engine.ts';

export type TileState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'playing' }
  | { readonly kind: 'stalled' }
  /** Nothing was recorded up to that moment, or nobody knows until when. */
  | { readonly kind: 'gap'; readonly untilMs: number | null }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: TileFailure };

export type TileFailure =
  /** The server will not send the stream, and says why. A page may know a translation for the code. */
  | { readonly reason: 'refused'; readonly code: string; readonly message: string }
  /** The browser cannot decode it; `message` names the codec. */
  | { readonly reason: 'codec'; readonly message: string }
  /** The page is older than the server's stream format. */
  | { readonly reason: 'version' }
  /** The player itself is broken. */
  | { readonly reason: 'player'; readonly message: string };

export interface TileFacts {
  /** The newest attempt to connect; the first one counts too. */
  readonly connectedAtMs: number;
  /** When the socket closed; undefined while one is open or opening. */
  readonly closedAtMs: number | undefined;
  /** Attempts that ended in a closed socket, since pictures last ran. */
  readonly failures: number;
  readonly newestDataMs: number | undefined;
  readonly newestShownMs: number | undefined;
  /** Silence is right: the stream has nothing to send for now, or never again. */
  readonly quiet: QuietEvent | undefined;
  /** No picture ends the silence. */
  readonly isQuietFinal: boolean;
  /** Silence is right then too. */
  readonly isPaused: boolean;
  readonly failure: TileFailure | undefined;
  /** When the page came into sight, the network back, or the machine awake; undefined before, and once that is settled. */
  readonly wokenAtMs: number | undefined;
}

/** A stream that lives sends something within this. */
const WAKE_PROBE_MS = 1_500;
/** Pictures are running while the newest is younger than this. */
const PLAYING_WITHIN_MS = 5_000;
const SILENCE_MS = 10_000;
const RECONNECT_GAP_MS = 15_000;
/** A connection that has lasted this long was a good one: the next attempt is a first one. */
const SETTLED_MS = 10_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

export function connectedFacts(nowMs: number): TileFacts {
  return {
    connectedAtMs: nowMs,
    closedAtMs: undefined,
    failures: 0,
    newestDataMs: undefined,
    newestShownMs: undefined,
    quiet: undefined,
    isQuietFinal: false,
    isPaused: false,
    failure: undefined,
    wokenAtMs: undefined,
  };
}

/** The facts after a new attempt to connect. */
export function reconnectedFacts(facts: TileFacts, nowMs: number): TileFacts {
  return {
    ...facts,
    connectedAtMs: nowMs,
    closedAtMs: undefined,
    newestDataMs: undefined,
    quiet: undefined,
    isPaused: false,
    wokenAtMs: undefined,
  };
}

/**
 * The facts after the page has been away: out of sight, off the network, or asleep with its machine. Sockets that died
 * meanwhile need not have said so.
 */
export function wokenFacts(facts: TileFacts, nowMs: number): TileFacts {
  return { ...facts, wokenAtMs: nowMs };
}

/** The facts after a report of the workers. */
export function notedFacts(facts: TileFacts, report: StreamReport, nowMs: number): TileFacts {
  switch (report.type) {
    case 'opened':
      // Counted from here, a slow handshake never makes the next attempt come too soon.
      return { ...facts, connectedAtMs: nowMs };
    case 'first-picture':
    case 'picture-size':
    case 'ahead':
    case 'sound':
    case 'control':
      return facts;
    case 'stream-fault':
      return report.kind === 'version' ? { ...facts, failure: { reason: 'version' } } : facts;
    case 'closed': {
      const wasSettled = nowMs - facts.connectedAtMs >= SETTLED_MS && facts.newestDataMs !== undefined;
      return { ...facts, closedAtMs: nowMs, failures: wasSettled ? 1 : facts.failures + 1 };
    }
    case 'data':
      return { ...facts, newestDataMs: nowMs - report.ageMs };
    case 'shown':
      return notedPicture(facts, nowMs - report.ageMs);
    case 'quiet':
      return { ...facts, quiet: report.event, isQuietFinal: false };
    case 'event':
      return notedEvent(facts, report.event);
    case 'video-fault':
      return report.fault.kind === 'codec'
        ? { ...facts, failure: { reason: 'codec', message: report.fault.message } }
        : facts;
    case 'broken':
      return { ...facts, failure: { reason: 'player', message: report.message } };
  }
}

/**
 * The worker reports what it has shown before it tells of a silence: a picture reported later ends it. Times are not compared,
 * since a page that is held up takes one report later than it takes another.
 */
function notedPicture(facts: TileFacts, shownAtMs: number): TileFacts {
  const quiet = facts.isQuietFinal ? facts.quiet : undefined;
  return { ...facts, newestShownMs: shownAtMs, quiet, failure: undefined };
}

function notedEvent(facts: TileFacts, event: (StreamReport & { readonly type: 'event' })['event']): TileFacts {
  switch (event.type) {
    case 'error':
      return { ...facts, failure: { reason: 'refused', code: event.code, message: event.message } };
    case 'clock':
      return { ...facts, isPaused: event.paused };
    // Pictures sent before these may still wait for their moment: a report of its own says when they have been shown.
    case 'ended':
    case 'gap':
    case 'notice':
    case 'format':
      return facts;
  }
}

export function tileStateOf(facts: TileFacts, nowMs: number): TileState {
  if (facts.failure !== undefined) return { kind: 'failed', failure: facts.failure };
  if (facts.quiet?.type === 'ended') return { kind: 'ended' };
  if (facts.quiet?.type === 'gap') return { kind: 'gap', untilMs: facts.quiet.untilMs };
  if (facts.isPaused) return { kind: 'playing' };
  if (facts.newestShownMs === undefined) return { kind: 'connecting' };
  const isRunning = nowMs - facts.newestShownMs < PLAYING_WITHIN_MS;
  return { kind: isRunning ? 'playing' : 'stalled' };
}

/**
 * Whether to reconnect now. `random` from 0 to 1 spreads the attempts of many tiles after a gateway's restart; a tile keeps it from
 * one closing to the next.
 */
export function shouldReconnect(facts: TileFacts, nowMs: number, random: number): boolean {
  const isFinal = facts.failure?.reason === 'player' || facts.failure?.reason === 'version';
  if (facts.quiet?.type === 'ended' || isFinal) return false;
  const isQuiet = facts.quiet !== undefined || facts.isPaused;
  const sinceConnectMs = nowMs - facts.connectedAtMs;
  // The server has said no: asking at once would get the same answer.
  if (facts.failure?.reason === 'refused') return sinceConnectMs >= RECONNECT_GAP_MS;
  if (facts.wokenAtMs !== undefined && facts.closedAtMs !== undefined) return true;
  if (facts.wokenAtMs !== undefined && isSilentSince(facts, facts.wokenAtMs)) {
    // Ten seconds of silence are not waited for when there is such a reason for it.
    if (!isQuiet && nowMs - facts.wokenAtMs >= WAKE_PROBE_MS) return sinceConnectMs >= WAKE_PROBE_MS;
  }
  if (facts.closedAtMs !== undefined) return nowMs - facts.closedAtMs >= retryDelayMs(facts.failures, random);
  if (isQuiet) return false;
  const silenceMs = nowMs - (facts.newestDataMs ?? facts.connectedAtMs);
  return silenceMs > SILENCE_MS && sinceConnectMs >= RECONNECT_GAP_MS;
}

function isSilentSince(facts: TileFacts, sinceMs: number): boolean {
  return facts.newestDataMs === undefined || facts.newestDataMs < sinceMs;
}

/** From 0.5 s, doubling, to 15 s, half of the base at random on top. */
export function retryDelayMs(failures: number, random: number): number {
  const base = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);
  return base * (1 + random / 2);
}

/** The code of an error says that the stream is not, or no longer, for this viewer. */
export function endsAccess(code: string): boolean {
  return code === 'link-refused';
}

/** What was shown last is not for this viewer any more. */
export function hidesPicture(state: TileState): boolean {
  return state.kind === 'failed' && state.failure.reason === 'refused' && endsAccess(state.failure.code);
}

export function isSameState(left: TileState, right: TileState): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === 'gap' && right.kind === 'gap') return left.untilMs === right.untilMs;
  if (left.kind !== 'failed' || right.kind !== 'failed') return true;
  return left.failure.reason === right.failure.reason && messageOf(left.failure) === messageOf(right.failure);
}

function messageOf(failure: TileFailure): string {
  if (failure.reason === 'refused') return `${failure.code}: ${failure.message}`;
  return failure.reason === 'version' ? '' : failure.message;
}
