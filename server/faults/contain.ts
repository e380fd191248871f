import type { EventEmitter } from 'node:events';
import { faultOf, type OnFault } from './onFault.ts';

/**
 * An exception in a listener of a connection's events would end the process, and with it every other connection: it is
 * reported, and `end`, which gets what the event came with, closes this one. Wraps `emit`, so that it holds for listeners that
 * are added later too.
 */
export function containListeners(emitter: EventEmitter, onFault: OnFault, end: (...args: unknown[]) => void): void {
  const emit = emitter.emit;
  emitter.emit = function contained(this: EventEmitter, event: string | symbol, ...args: unknown[]): boolean {
    try {
      return emit.call(this, event, ...args);
    } catch (cause) {
      onFault(faultOf(`a listener of "${String(event)}" failed`, cause));
      end(...args);
      return true;
    }
  };
}
