// What exported files are called. Pure.
import { deviceIdOfArchive } from '../../archiveId.ts';
import type { ExportPlan } from './exportChannel.ts';

/** `BUS1_ch2_20260301T140300Z.mp4`: the device, its channel and when the clip begins, UTC. */
export function clipFileName({ track, startMs }: Pick<ExportPlan, 'track' | 'startMs'>): string {
  return `${plainName(deviceIdOfArchive(track.archiveId))}_ch${track.channel}_${momentName(startMs)}.mp4`;
}

export function archiveName(deviceId: string, startMs: number): string {
  return `${plainName(deviceId)}_${momentName(startMs)}.zip`;
}

/** Letters and digits alone reach a file system or a header; ids may hold anything. */
function plainName(deviceId: string): string {
  return deviceId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}

function momentName(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
