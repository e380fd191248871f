// What to do with the next access unit, given where the decoder stands. Pure: the decoder itself is in StreamDecoder.

/** How a decoder is set up. Two set-ups with the same identity need no new `configure`. */
export interface DecoderSetup {
  readonly codec: string;
  /** The parameter set's bytes as text: pictures that share them share the set-up. */
  readonly identity: string;
  readonly prefersSoftware: boolean;
}

export type DecoderPhase =
  /** No decoder, or a new one. */
  | { readonly kind: 'unconfigured' }
  /** Set up, and something is missing: only a key frame makes sense of what follows. */
  | { readonly kind: 'waiting-key'; readonly setup: DecoderSetup }
  | { readonly kind: 'decoding'; readonly setup: DecoderSetup }
  /** This browser cannot decode this set-up; another one may come. */
  | { readonly kind: 'failed'; readonly identity: string };

export interface UnitFacts {
  readonly key: boolean;
  readonly discontinuity: boolean;
  /** Of a key frame: what its parameter sets ask for. Undefined when it has none, or none that can be read. */
  readonly setup: DecoderSetup | undefined;
  /** Units given to the decoder that have not come out as pictures. */
  readonly backlog: number;
}

export type Decision =
  | { readonly kind: 'skip' }
  /** Skip, and everything after it up to the next key frame. */
  | { readonly kind: 'await-key' }
  | { readonly kind: 'decode' }
  /** Set the decoder up, then decode. `discards` drops what it still holds. */
  | { readonly kind: 'configure'; readonly setup: DecoderSetup; readonly discards: boolean };

/**
 * One second of pictures. A decoder with more than that behind it when a key frame comes is too slow, or silent; starting
 * afresh at the key frame bounds the delay to one group of pictures.
 */
export const MAX_BACKLOG_AT_KEY = 25;

export function planUnit(phase: DecoderPhase, unit: UnitFacts): Decision {
  return unit.key ? planKey(phase, unit) : planDelta(phase, unit);
}

function planDelta(phase: DecoderPhase, unit: UnitFacts): Decision {
  if (phase.kind !== 'decoding') return { kind: 'skip' };
  return unit.discontinuity ? { kind: 'await-key' } : { kind: 'decode' };
}

function planKey(phase: DecoderPhase, { setup, backlog }: UnitFacts): Decision {
  switch (phase.kind) {
    case 'unconfigured':
      return setup === undefined ? { kind: 'skip' } : { kind: 'configure', setup, discards: false };
    case 'failed':
      return setup === undefined || setup.identity === phase.identity
        ? { kind: 'skip' }
        : { kind: 'configure', setup, discards: false };
    case 'waiting-key':
    case 'decoding':
      if (backlog > MAX_BACKLOG_AT_KEY) return { kind: 'configure', setup: setup ?? phase.setup, discards: true };
      if (setup === undefined || isSame(setup, phase.setup)) return { kind: 'decode' };
      return { kind: 'configure', setup, discards: false };
  }
}

function isSame(left: DecoderSetup, right: DecoderSetup): boolean {
  return left.identity === right.identity && left.prefersSoftware === right.prefersSoftware;
}
