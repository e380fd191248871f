import { Counter, Gauge, type Registry } from 'prom-client';
import type { DiskState } from './diskState.ts';
import type { Recorder } from './recorder.ts';

const STATES: readonly DiskState[] = ['ok', 'low', 'full', 'gone', 'failing', 'read-only'];

/** Adds the recorder's figures to those of the gateway. */
export function registerRecordingMetrics(registry: Registry, recorder: Recorder): void {
  const registers = [registry];
  new Gauge({
    name: 'fleetglass_recording_disk_state',
    help: 'How the disk of the recordings fares: 1 for the state that it is in',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const state of STATES) this.set({ state }, state === recorder.disk.state ? 1 : 0);
    },
  });
  gauge(
    'fleetglass_recording_disk_free_bytes',
    'Free on the disk of the recordings',
    () => recorder.disk.space.freeBytes,
  );
  gauge('fleetglass_recording_channels', 'Channels that are recorded now', () => recorder.channelCount);
  gauge('fleetglass_recording_held_bytes', 'Held in memory for the disk', () => recorder.heldBytes);
  const { counters } = recorder;
  counter('fleetglass_recording_written_bytes_total', 'Written to segments', () => counters.writtenBytes);
  counter(
    'fleetglass_recording_dropped_packets_total',
    'Left out since the disk was slow',
    () => counters.droppedPackets,
  );
  counter('fleetglass_recording_failures_total', 'Writes that failed', () => counters.failures);
  counter('fleetglass_recording_deleted_segments_total', 'Deleted by age or for room', () => counters.deletedSegments);
  counter('fleetglass_recording_deleted_bytes_total', 'Deleted by age or for room', () => counters.deletedBytes);
  counter('fleetglass_recording_torn_total', 'Segments that were repaired after a crash', () => counters.torn);
  counter('fleetglass_recording_orphans_total', 'Rows without files and files without rows', () => counters.orphans);

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  function counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
