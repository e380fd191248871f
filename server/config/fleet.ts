// Positions, and the base map that they are shown on.
import { anyText, integer, listOf, ORIGIN, optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const fleetVariables = {
  positionRetentionDays: variable({
    name: 'POSITION_RETENTION_DAYS',
    preset: '365',
    parser: integer(0, 36_500),
    about: 'Days to keep positions; a member group can have fewer. 0: as set for the member group.',
  }),
  mapStyleUrl: variable({
    name: 'MAP_STYLE_URL',
    preset: '',
    parser: optional(textOf('a URL of a map style, starting with https:// or http://', /^https?:\/\/\S+$/i)),
    about: "URL of the base map's style (MapLibre style JSON). Unset: MAP_PMTILES, or the built-in world map.",
  }),
  mapPmtiles: variable({
    name: 'MAP_PMTILES',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'File with the street map of your region (PMTiles 3, vector), which the gateway serves to signed-in users.',
  }),
  mapAttribution: variable({
    name: 'MAP_ATTRIBUTION',
    preset: '',
    parser: anyText('any text'),
    about: 'Attribution of the base map, in addition to that in the style.',
  }),
  mapOrigins: variable({
    name: 'MAP_ORIGINS',
    preset: '',
    parser: listOf('origins, such as https://tiles.example, separated by commas', ORIGIN),
    about: 'Other sites that the style loads tiles, icons and fonts from. Its own site is always allowed.',
  }),
};
