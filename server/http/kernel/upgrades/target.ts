// The target of a request line, which may be anything that a client writes there. Pure.

export interface RequestTarget {
  readonly path: string;
  readonly parameters: URLSearchParams;
}

/** Takes any text, also one that is no address at all: such a target has a path that nothing is served at. */
export function parseTarget(target: string): RequestTarget {
  const queryAt = target.indexOf('?');
  if (queryAt < 0) return { path: target, parameters: new URLSearchParams() };
  return { path: target.slice(0, queryAt), parameters: new URLSearchParams(target.slice(queryAt + 1)) };
}
