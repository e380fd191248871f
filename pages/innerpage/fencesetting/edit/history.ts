// Undo and redo: what a value was before each change. The value itself is kept elsewhere. Pure.

export interface History<Value> {
  /** The latest is last. */
  readonly past: readonly Value[];
  /** The undone values; the next one to come back is last. */
  readonly future: readonly Value[];
  /** Run of the latest change: further changes of the same run are undone with it. */
  readonly run: string | undefined;
}

export const MAX_STEPS = 100;

export function emptyHistory<Value>(): History<Value> {
  return { past: [], future: [], run: undefined };
}

/** Records that `before` was replaced. Changes with the same `run`, such as the digits of a number, are one step. */
export function recorded<Value>(history: History<Value>, before: Value, run?: string): History<Value> {
  if (run !== undefined && run === history.run) return { ...history, future: [] };
  return { past: [...history.past, before].slice(-MAX_STEPS), future: [], run };
}

export interface Step<Value> {
  readonly history: History<Value>;
  readonly value: Value;
}

/** Undefined where there is nothing to undo. */
export function undone<Value>(history: History<Value>, present: Value): Step<Value> | undefined {
  const value = history.past.at(-1);
  if (value === undefined) return undefined;
  return {
    history: { past: history.past.slice(0, -1), future: [...history.future, present], run: undefined },
    value,
  };
}

/** Undefined where there is nothing to redo. */
export function redone<Value>(history: History<Value>, present: Value): Step<Value> | undefined {
  const value = history.future.at(-1);
  if (value === undefined) return undefined;
  return {
    history: { past: [...history.past, present], future: history.future.slice(0, -1), run: undefined },
    value,
  };
}
