// Where the map's background comes from, as configured.
import type { MapSource } from '../../../shared/protocol/api/fleet.ts';
import type { Config } from '../../config/variables.ts';
import { MAP_FILE_PATH } from './mapFileRoute.ts';

export type MapVariable = 'mapStyleUrl' | 'mapPmtiles' | 'mapAttribution' | 'mapOrigins';

export function mapSourceOf({ mapStyleUrl, mapPmtiles, mapAttribution }: Pick<Config, MapVariable>): MapSource {
  const pmtilesUrl = mapPmtiles === undefined ? '' : MAP_FILE_PATH;
  return { styleUrl: mapStyleUrl ?? '', pmtilesUrl, attribution: mapAttribution };
}

/** The sites that the map page may load from: none unless one is configured. */
export function mapOriginsOf({
  mapStyleUrl,
  mapOrigins,
}: Pick<Config, 'mapStyleUrl' | 'mapOrigins'>): readonly string[] {
  if (mapStyleUrl === undefined || !URL.canParse(mapStyleUrl)) return [];
  return [...new Set([new URL(mapStyleUrl).origin, ...mapOrigins])];
}
