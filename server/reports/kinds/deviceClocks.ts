// Positions are kept by the device's clock, reports are about the gateway's.
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoreDb } from '../../store/engine/database.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { SamplesOf, TrackSample } from '../reportKind.ts';
import { groupBy, incarnationsOf } from './inParts.ts';

export async function deviceClocks(
  db: StoreDb,
  devices: readonly ReportDevice[],
): Promise<(incarnation: number) => DeviceClock> {
  const rows = await db
    .selectFrom('device_clock')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .execute();
  const steps = groupBy(rows, (row) => row.incarnation);
  return (incarnation) =>
    new DeviceClock(
      (steps.get(incarnation) ?? []).map((row) => ({ deviceFromMs: row.device_from_ms, offsetMs: row.offset_ms })),
    );
}

export interface TimedSample extends TrackSample {
  /** The gateway's clock. */
  readonly atMs: number;
}

/** The samples of a span of the gateway's clock. */
export async function* samplesWithin(
  samplesOf: SamplesOf,
  { incarnation, clock }: { readonly incarnation: number; readonly clock: DeviceClock },
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): AsyncGenerator<readonly TimedSample[]> {
  for (const span of clock.deviceSpans(fromMs, toMs)) {
    for await (const samples of samplesOf(incarnation, span)) {
      yield samples.map((sample) => ({ ...sample, atMs: clock.toGateway(sample.deviceTimeMs) }));
    }
  }
}
