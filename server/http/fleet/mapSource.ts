// Where the map's background comes from, as configured.
import type { MapSource } from '../../../shared/protocol/api/fleet.ts';
import type { Config } from '../../config/variables.ts';

export type MapVariable = 'mapStyleUrl' | 'mapAttribution' | 'mapOrigins';

export function mapSourceOf({ mapStyleUrl, mapAttribution }: Pick<Config, MapVariable>): MapSource {
  return { styleUrl: mapStyleUrl ?? '', attribution: mapAttribution };
}

/** The sites that the map page may load from: none unless one is configured. */
export function mapOriginsOf({ mapStyleUrl, mapOrigins }: Pick<Config, MapVariable>): readonly string[] {
  if (mapStyleUrl === undefined || !URL.canParse(mapStyleUrl)) return [];
  return [...new Set([new URL(mapStyleUrl).origin, ...mapOrigins])];
}
