// Runs geofences in the gateway: turns positions into signals for events.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { followRecords } from '../../bus/changeBus.ts';
import type { EventTopics } from '../../events/engine/eventTopics.ts';
import type { TrackedEvent } from '../../events/engine/trackedEvent.ts';
import { FenceDirectory } from '../../fences/directory/fenceDirectory.ts';
import { FenceEngine } from '../../fences/engine/fenceEngine.ts';
import { FenceWriter } from '../../fences/engine/fenceWriter.ts';
import { registerFenceMetrics } from '../../fences/metrics.ts';
import { FencePreviews } from '../../fences/preview/fencePreviews.ts';
import { type Context, toolsOf } from '../context.ts';

export interface Fences {
  readonly directory: FenceDirectory;
  readonly engine: Pick<FenceEngine, 'evaluate'>;
  readonly previews: FencePreviews;
  /** Runs before the first report: restores where the devices were, and which of their events still last. */
  start(lasting: Iterable<TrackedEvent>): Promise<void>;
}

interface FencesParts {
  readonly topics: Pick<EventTopics, 'observed'>;
}

/** The records that decide which geofences exist, and for which devices. */
const FENCE_RECORDS: readonly RecordKind[] = ['fence', 'device', 'group', 'membergroup'];

/** The result isn't started yet: the events that still last have to be read first. */
export function createFences(context: Context, { topics }: FencesParts): Fences {
  const { stores, feed, bus, metrics, closing, onLimit } = context;
  const timing = { now: Date.now, nextTurn, ...toolsOf(context, 'geofences') };
  const writer = new FenceWriter({ ...timing, store: stores.fenceMovements, onLimit });
  const directory = new FenceDirectory({
    ...timing,
    fences: stores.fences,
    places: stores.fencePlaces,
    onReloaded: (set) => engine.reloaded(set),
  });
  const engine = new FenceEngine({
    ...timing,
    set: () => directory.set,
    write: (movement) => writer.add(movement),
    onObservation: (device, observation) => topics.observed.tell({ device, observation }),
    onLimit,
  });
  registerFenceMetrics(metrics, engine, writer);
  closing.add('writer of geofences', () => writer.close());
  closing.add('geofences', async () => {
    engine.close();
    await directory.close();
  });
  return {
    directory,
    engine,
    previews: new FencePreviews({ ...timing, positions: stores.positions, places: stores.fencePlaces, onLimit }),
    start: async (lasting) => {
      await directory.start();
      engine.start(await stores.fenceMovements.states(), lasting);
      // A device that isn't known yet was added by another program.
      const unsubscribe = feed.subscribe('geofences', ({ kind, device }) => {
        if (kind === 'presence' && directory.set.placeOf(device.incarnation) === undefined) directory.reloadSoon();
      });
      closing.add('feed of geofences', unsubscribe);
      followRecords(bus, 'geofences', FENCE_RECORDS, () => directory.reloadSoon());
    },
  };
}
