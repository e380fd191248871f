// The player of a video page, which lives as long as the page.
import { PlayerEngine } from '../engine/engine.ts';
import { type PlayerSupport, playerSupport } from '../engine/support.ts';
import { exposeTrace } from '../engine/trace.ts';
import { FramingInbox } from './framingInbox.ts';

export interface RunningPlayer {
  readonly support: 'ok';
  readonly engine: PlayerEngine;
  /** What a framing page asks. */
  readonly inbox: FramingInbox;
}

/** The page's player, or why it has none. */
export type PagePlayer = RunningPlayer | { readonly support: Exclude<PlayerSupport, 'ok'> };

/** Starts the workers. To be called before anything that takes time: requests of a framing page are kept from here on. */
export function startPagePlayer(): PagePlayer {
  const support = playerSupport();
  if (support !== 'ok') return { support };
  const inbox = new FramingInbox();
  const engine = new PlayerEngine();
  exposeTrace(engine, window.location.search);
  return { support, engine, inbox };
}
