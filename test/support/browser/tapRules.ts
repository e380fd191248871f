// What the proxy between a browser and the gateway can be told to do, and to which requests.
import type { IncomingHttpHeaders } from 'node:http';

export interface TapRequest {
  readonly kind: 'http' | 'upgrade';
  readonly method: string;
  /** The path as it was sent, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `performance.now()` of the test's process when the request had come in. */
  readonly atMs: number;
}

export interface TapMatch {
  readonly method?: string;
  /** A whole path, or a pattern in it. */
  readonly path: string | RegExp;
}

export type TapAction =
  /** Answers in the gateway's place. An object is sent as JSON. */
  | {
      readonly kind: 'answer';
      readonly status?: number;
      readonly statusText?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  /** Passes the request on after this promise, and answers as the gateway does. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  /** Takes the request and says nothing, the socket stays open. */
  | { readonly kind: 'stall' }
  /** Resets the connection. */
  | { readonly kind: 'cut' }
  /** Changes the text of the gateway's answer. */
  | { readonly kind: 'edit'; readonly edit: (text: string) => string }
  /** Passes the gateway's answer on no faster than this; the request, where there is a promise, after it. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number; readonly after?: Promise<unknown> };

export interface TapRule {
  readonly match: TapMatch;
  readonly action: TapAction;
  /** How many requests it still takes. */
  left: number;
}

export function matches(match: TapMatch, request: Pick<TapRequest, 'method' | 'path'>): boolean {
  if (match.method !== undefined && match.method !== request.method) return false;
  return typeof match.path === 'string' ? match.path === request.path : match.path.test(request.path);
}

/** The action of the newest rule that fits and is not used up; counts it as used. */
export function takeAction(rules: readonly TapRule[], request: TapRequest): TapAction | undefined {
  const rule = rules.findLast((each) => each.left > 0 && matches(each.match, request));
  if (rule === undefined) return undefined;
  rule.left--;
  return rule.action;
}
