// G.726 (ITU-T G.726): adaptive differential PCM at 2 to 5 bits a sample, 8000 samples a second. Numbers are the
// recommendation's fixed-point ones, names too: dq the quantised difference, sr the signal rebuilt, y the step size.

export type G726Bits = 2 | 3 | 4 | 5;

interface Tables {
  /** Logarithm of the quantised difference, by code. */
  readonly dqln: readonly number[];
  /** How the step size moves (W), and how fast it may (F). */
  readonly wi: readonly number[];
  readonly fi: readonly number[];
  /** Logarithms of differences at which the next code begins. */
  readonly levels: readonly number[];
}

const mirrored = (half: readonly number[]): number[] => [...half, ...[...half].reverse()];
const TABLES: Readonly<Record<G726Bits, Tables>> = {
  2: { dqln: mirrored([116, 365]), wi: mirrored([-704, 14_048]), fi: mirrored([0, 0xe00]), levels: [261] },
  3: {
    dqln: mirrored([-2048, 135, 273, 373]),
    wi: mirrored([-128, 960, 4384, 18_624]),
    fi: mirrored([0, 0x200, 0x400, 0xe00]),
    levels: [8, 218, 331],
  },
  4: {
    dqln: mirrored([-2048, 4, 135, 213, 273, 323, 373, 425]),
    wi: mirrored([-384, 576, 1312, 2048, 3584, 6336, 11_360, 35_904]),
    fi: mirrored([0, 0, 0, 0x200, 0x200, 0x200, 0x600, 0xe00]),
    levels: [-124, 80, 178, 246, 300, 349, 400],
  },
  5: {
    dqln: mirrored([-2048, -66, 28, 104, 169, 224, 274, 318, 358, 395, 429, 459, 488, 514, 539, 566]),
    wi: mirrored([448, 448, 768, 1248, 1280, 1312, 1856, 3200, 4512, 5728, 7008, 8960, 11_456, 14_080, 16_928, 22_272]),
    fi: mirrored([0, 0, 0, 0, 0, 0x200, 0x200, 0x200, 0x200, 0x200, 0x400, 0x600, 0x800, 0xa00, 0xc00, 0xc00]),
    levels: [-122, -16, 68, 139, 198, 250, 298, 339, 378, 413, 445, 475, 502, 528, 553],
  },
};

/**
 * One stream's state, the same at both ends: it runs on from sample to sample. Codes in and samples out, or the other
 * way round, never both with one.
 */
export class G726State {
  readonly bits: G726Bits;
  readonly #tables: Tables;
  #yl = 34_816;
  #yu = 544;
  #dms = 0;
  #dml = 0;
  #ap = 0;
  #td = false;
  readonly #a = [0, 0];
  readonly #b = [0, 0, 0, 0, 0, 0];
  readonly #pk = [0, 0];
  readonly #dq = [32, 32, 32, 32, 32, 32];
  readonly #sr = [32, 32];

  constructor(bits: G726Bits) {
    this.bits = bits;
    this.#tables = TABLES[bits];
  }

  /** The signed 16-bit sample that a code stands for. */
  decode(code: number): number {
    const { se, sez } = this.#predict();
    const y = this.#stepSize();
    const isNegative = (code & (1 << (this.bits - 1))) !== 0;
    const magnitude = rebuild(at(this.#tables.dqln, code), y);
    const sr = isNegative ? se - magnitude : se + magnitude;
    this.#adapt(code, y, { isNegative, magnitude, sr, dqsez: sr - se + sez });
    return Math.min(Math.max(sr << 2, -32_768), 32_767);
  }

  /** The code of a signed 16-bit sample. */
  encode(sample: number): number {
    const { levels } = this.#tables;
    const difference = (sample >> 2) - this.#predict().se;
    const magnitude = Math.abs(difference);
    const exponent = width(magnitude >> 1);
    const logarithm = (exponent << 7) + (((magnitude << 7) >> exponent) & 0x7f) - (this.#stepSize() >> 2);
    const above = levels.findIndex((level) => logarithm < level);
    const step = above < 0 ? levels.length : above;
    // Where silence would be no bits at all, it is all ones.
    const silence = this.bits === 2 ? 0 : (1 << this.bits) - 1;
    const code = difference < 0 ? (1 << this.bits) - 1 - step : step === 0 ? silence : step;
    this.decode(code);
    return code;
  }

  /** The prediction, and its zeros' share. */
  #predict(): { readonly se: number; readonly sez: number } {
    let zeros = 0;
    for (let tap = 0; tap < 6; tap++) zeros += multiply(at(this.#b, tap) >> 2, at(this.#dq, tap));
    const poles = multiply(at(this.#a, 1) >> 2, at(this.#sr, 1)) + multiply(at(this.#a, 0) >> 2, at(this.#sr, 0));
    return { se: (zeros + poles) >> 1, sez: zeros >> 1 };
  }

  #stepSize(): number {
    if (this.#ap >= 256) return this.#yu;
    const slow = this.#yl >> 6;
    const difference = this.#yu - slow;
    const share = this.#ap >> 2;
    return slow + ((difference * share + (difference < 0 ? 0x3f : 0)) >> 6);
  }

  #adapt(code: number, y: number, step: Step): void {
    const isTransition = this.#td && step.magnitude > this.#transitionThreshold();
    this.#yu = Math.min(Math.max(y + ((at(this.#tables.wi, code) - y) >> 5), 544), 5120);
    this.#yl += this.#yu + (-this.#yl >> 6);
    const pk0 = step.dqsez < 0 ? 1 : 0;
    let a2 = 0;
    if (isTransition) {
      this.#a.fill(0);
      this.#b.fill(0);
    } else {
      a2 = this.#adaptPoles(pk0, step.dqsez);
      this.#adaptZeros(step);
    }
    this.#dq.pop();
    this.#dq.unshift(toFloat(step.isNegative ? -step.magnitude : step.magnitude, step.isNegative));
    this.#sr[1] = at(this.#sr, 0);
    this.#sr[0] = toFloat(step.sr, step.sr < 0);
    this.#pk[1] = at(this.#pk, 0);
    this.#pk[0] = pk0;
    this.#td = !isTransition && a2 < -11_776;
    this.#adaptSpeed(at(this.#tables.fi, code), y, isTransition);
  }

  #transitionThreshold(): number {
    const exponent = this.#yl >> 15;
    const threshold = exponent > 9 ? 31 << 10 : (32 + ((this.#yl >> 10) & 31)) << exponent;
    return (threshold + (threshold >> 1)) >> 1;
  }

  /** Gives the new second coefficient. */
  #adaptPoles(pk0: number, dqsez: number): number {
    const isSame = pk0 === at(this.#pk, 0);
    const a1 = at(this.#a, 0);
    let a2 = at(this.#a, 1) - (at(this.#a, 1) >> 7);
    if (dqsez !== 0) {
      const lean = isSame ? -a1 : a1;
      a2 += lean < -8191 ? -0x100 : lean > 8191 ? 0xff : lean >> 5;
      a2 = Math.min(Math.max(a2 + (pk0 === at(this.#pk, 1) ? 0x80 : -0x80), -12_288), 12_288);
    }
    const limit = 15_360 - a2;
    const moved = a1 - (a1 >> 8) + (dqsez === 0 ? 0 : isSame ? 192 : -192);
    this.#a[1] = a2;
    this.#a[0] = Math.min(Math.max(moved, -limit), limit);
    return a2;
  }

  #adaptZeros({ isNegative, magnitude }: Step): void {
    const leak = this.bits === 5 ? 9 : 8;
    for (let tap = 0; tap < 6; tap++) {
      const coefficient = at(this.#b, tap);
      const isSame = isNegative === at(this.#dq, tap) < 0;
      this.#b[tap] = coefficient - (coefficient >> leak) + (magnitude === 0 ? 0 : isSame ? 128 : -128);
    }
  }

  #adaptSpeed(fi: number, y: number, isTransition: boolean): void {
    this.#dms += (fi - this.#dms) >> 5;
    this.#dml += ((fi << 2) - this.#dml) >> 7;
    if (isTransition) {
      this.#ap = 256;
      return;
    }
    const isChanging = Math.abs((this.#dms << 2) - this.#dml) >= this.#dml >> 3;
    const goal = y < 1536 || this.#td || isChanging ? 0x200 : 0;
    this.#ap += (goal - this.#ap) >> 4;
  }
}

interface Step {
  readonly isNegative: boolean;
  readonly magnitude: number;
  readonly sr: number;
  /** Sign of the difference with the zeros' share of the prediction. */
  readonly dqsez: number;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

function rebuild(logarithm: number, y: number): number {
  const dql = logarithm + (y >> 2);
  return dql < 0 ? 0 : ((128 + (dql & 127)) << 7) >> (14 - ((dql >> 7) & 15));
}

/** How many bits the value takes. */
function width(value: number): number {
  return 32 - Math.clz32(value);
}

/** The recommendation's small float: four bits of exponent, six of mantissa, negative ones shifted down by 0x400. */
function toFloat(value: number, isNegative: boolean): number {
  const magnitude = Math.min(Math.abs(value), 32_767);
  const exponent = width(magnitude);
  const bits = magnitude === 0 ? 32 : (exponent << 6) + ((magnitude << 6) >> exponent);
  return isNegative ? bits - 0x400 : bits;
}

function multiply(coefficient: number, float: number): number {
  const magnitude = coefficient > 0 ? coefficient : -coefficient & 0x1fff;
  const exponent = width(magnitude) - 6;
  const mantissa = magnitude === 0 ? 32 : exponent >= 0 ? magnitude >> exponent : magnitude << -exponent;
  const shift = exponent + ((float >> 6) & 15) - 13;
  const product = (mantissa * (float & 63) + 0x30) >> 4;
  const value = shift >= 0 ? (product << shift) & 0x7fff : product >> -shift;
  return coefficient < 0 !== float < 0 ? -value : value;
}
