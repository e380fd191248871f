// The map's built-in background: the outlines of the world's countries. Needs no other site, no letters, no icons.
import type { FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import type { MapScheme } from './mapScheme.ts';
import { toPlanar } from './planarWorld.ts';

const NO_LAND: FeatureCollection = { type: 'FeatureCollection', features: [] };

let loading: Promise<FeatureCollection> | undefined;

/** The outlines; the sea alone when the file cannot be had, and then the next call tries again. */
export function loadWorld(): Promise<FeatureCollection> {
  loading ??= fetchWorld().catch((error: unknown) => {
    console.warn('the outlines of the world could not be loaded', error);
    loading = undefined;
    return NO_LAND;
  });
  return loading;
}

async function fetchWorld(): Promise<FeatureCollection> {
  const response = await fetch(countriesUrl);
  if (!response.ok) throw new Error(`${countriesUrl}: ${response.status}`);
  const topology = (await response.json()) as Topology<{ countries: GeometryCollection }>;
  return toPlanar(feature(topology, topology.objects.countries));
}

export function worldStyle(world: FeatureCollection, { sea, land, border }: MapScheme): StyleSpecification {
  return {
    version: 8,
    sources: {
      world: { type: 'geojson', data: world, attribution: 'Natural Earth', tolerance: 0.2, maxzoom: 8 },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'world', paint: { 'fill-color': land, 'fill-antialias': false } },
      {
        id: 'border',
        type: 'line',
        source: 'world',
        paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.6, 8, 1.6] },
      },
    ],
  };
}
