// A message that is sent package by package, as its sender describes it and hears of it.
import type { PackageSource } from './packageSource.ts';

export interface LongMessage {
  readonly messageId: number;
  /** The whole body. */
  readonly source: PackageSource;
  /** Packages that the terminal takes before it has acknowledged the first of them. */
  readonly window: number;
  /**
   * Set for terminals that acknowledge the last package alone: packages go out at this interval, whatever is acknowledged. Undefined:
   * each package waits for its acknowledgement.
   */
  readonly intervalMs?: number | undefined;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Awaited before the last package goes out for the first time: from then on the terminal may have all. False ends it as aborted. */
  readonly beforeEnd?: (() => Promise<boolean>) | undefined;
  /** Told of the packages that are acknowledged, or have gone out at their interval; fewer than before when the terminal wants some again. */
  readonly onProgress?: (acknowledgedPackages: number) => void;
  /** Bytes on the wire, of each package that goes out. */
  readonly onSentBytes?: ((bytes: number) => void) | undefined;
}

export type PackagesFailure =
  /** `timeout`: nothing came back, though packages were sent again. */
  | { readonly ok: false; readonly reason: 'timeout' | 'closed' | 'aborted' }
  /** Another long message is on its way to the terminal. */
  | { readonly ok: false; readonly reason: 'busy' }
  | { readonly ok: false; readonly reason: 'too-long' }
  /** The terminal said no; `result` is its code from the wire. */
  | { readonly ok: false; readonly reason: 'refused'; readonly result: number }
  /** It wanted packages again and again. */
  | { readonly ok: false; readonly reason: 'too-many-repeats' }
  /** `source-short`: it has fewer bytes than it said. */
  | { readonly ok: false; readonly reason: 'source-short' | 'source-failed' };

export type PackagesResult = { readonly ok: true } | PackagesFailure;
