// Distinguishes a wrong clock from a backlog when a device has just begun to report: some terminals send stored reports as live ones. A
// clock stays off by the same amount; a backlog is late by less and less, and in the end not at all. Pure.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';

interface Sample {
  readonly deviceMs: number;
  readonly receivedMs: number;
}

/** Reports of one clock differ by less: terminals send whole seconds, and networks take their time. */
const AGREEING_MS = 2_000;
/** Number of reports that have to agree, and the time that they have to span: a backlog is sent at once. */
const MIN_AGREEING = 3;
const MIN_SPAN_MS = 30_000;
/** Reports that follow each other sooner than this contribute nothing new. */
const MIN_PAUSE_MS = 1_000;
/** Enough reports to span `MIN_SPAN_MS`, even if each came as soon as it could count. */
const MAX_SAMPLES = 40;
/** No terminal stores positions for longer: a larger offset comes from a clock that stood in another year. */
const MAX_BACKLOG_MS = 90 * 86_400_000;

export class FirstMeasure {
  readonly #first: Sample;
  #samples: Sample[];

  constructor(first: Sample) {
    this.#first = first;
    this.#samples = [first];
  }

  /** The measured step, once the reports agree. */
  add(sample: Sample): ClockStep | undefined {
    const last = this.#samples.at(-1);
    if (last !== undefined && sample.receivedMs - last.receivedMs < MIN_PAUSE_MS) return undefined;
    this.#samples = [...this.#samples, sample].slice(-MAX_SAMPLES);
    const agreeing = lowestAgreeing(this.#samples);
    const [begin] = agreeing;
    if (begin === undefined) return undefined;
    const offsets = agreeing.map(offsetOf).sort((left, right) => left - right);
    const offsetMs = offsets[(offsets.length - 1) >> 1] ?? 0;
    const lessMs = offsetOf(this.#first) - offsetMs;
    // Transmission can only add delay: a smaller later offset is the one that the clock has had from the beginning.
    const wasBacklog = lessMs >= 0 && lessMs <= MAX_BACKLOG_MS;
    return { deviceFromMs: wasBacklog ? this.#first.deviceMs : begin.deviceMs, offsetMs };
  }

  /**
   * The assumption until the reports agree. A report that is less late shows at once that those before it were delayed; steps of a half
   * keep a long backlog from moving the device's day with each report. A report that seems to come from the future proves nothing.
   */
  assume(sample: Sample, offsetMs: number): ClockStep | undefined {
    const lateMs = offsetOf(sample);
    const isLessLate = lateMs * 2 <= offsetMs && offsetMs - lateMs > AGREEING_MS;
    const canBe = lateMs >= -AGREEING_MS && offsetMs <= MAX_BACKLOG_MS;
    return isLessLate && canBe ? { deviceFromMs: this.#first.deviceMs, offsetMs: lateMs } : undefined;
  }
}

function offsetOf({ deviceMs, receivedMs }: Sample): number {
  return receivedMs - deviceMs;
}

/** The samples with the lowest delay on which enough of them agree, in their order; empty where too few do. */
function lowestAgreeing(samples: readonly Sample[]): readonly Sample[] {
  const lowestFirst = samples.map(offsetOf).sort((left, right) => left - right);
  for (const lowestMs of lowestFirst) {
    const agreeing = samples.filter((each) => offsetOf(each) >= lowestMs && offsetOf(each) <= lowestMs + AGREEING_MS);
    const spanMs = (agreeing.at(-1)?.receivedMs ?? 0) - (agreeing[0]?.receivedMs ?? 0);
    if (agreeing.length >= MIN_AGREEING && spanMs >= MIN_SPAN_MS) return agreeing;
  }
  return [];
}
