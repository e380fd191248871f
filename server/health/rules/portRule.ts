import type { Judgment } from '../healthSource.ts';
import { figure, limited } from './figures.ts';

export interface ListeningPort {
  /** The port that it listens on, or listened on. */
  readonly port: number;
  readonly isListening: boolean;
}

/** A port that was opened at the start and no longer listens accepts no connections until the gateway starts again. */
export function judgePort({ port, isListening }: ListeningPort): Judgment {
  const values = [figure(['port', 'number'], port)];
  return isListening ? { state: 'ok', values, advice: '' } : { state: 'problem', values, advice: 'free-port' };
}

export interface PortRange {
  /** Inclusive; from 0 on, any free ports. */
  readonly first: number;
  readonly last: number;
  /** The ports among them that wait for a connection. */
  readonly taken: number;
}

/** Once all are taken, transfers are refused until one is free again. */
export function judgePortRange({ first, last, taken }: PortRange): Judgment {
  const ends = [figure(['port', 'number'], first), figure(['last-port', 'number'], last)];
  if (first === 0) return { state: 'ok', values: [...ends, figure(['ports-taken', 'count'], taken)], advice: '' };
  const count = last - first + 1;
  const values = [...ends, limited(['ports-taken', 'count'], taken, ['most', count - 1])];
  return taken < count ? { state: 'ok', values, advice: '' } : { state: 'warning', values, advice: 'more-ports' };
}
