// The street map of this site: one PMTiles file, read in ranges with the session of the page.
import {
  type Compression,
  EtagMismatch,
  type Header,
  PMTiles,
  type RangeResponse,
  ResolvedValueCache,
  type Source,
} from 'pmtiles';
import { requestRange } from '../../../api/client.ts';
import { type StreetSchema, schemaOf } from './streetSchemas.ts';

export interface StreetMap {
  /** Address of a tile, for `loadStreetTile`. */
  readonly tiles: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  /** HTML of the file, which the map takes apart before it shows it. */
  readonly attribution: string;
  readonly schema: StreetSchema;
}

/** Scheme of the tiles' addresses. */
export const STREET_PROTOCOL = 'fleet-streets';

const MAX_PART_BYTES = 8 * 1024 * 1024;
const MAX_ATTRIBUTION_LETTERS = 1_000;
const MAX_LATITUDE = 85.051129;
const MAX_ZOOM = 22;
/** Values in the header of the file. */
const VECTOR_TILES = 1;
const READABLE: readonly Compression[] = [1, 2];

/** A site has one; the map reads its tiles long after it was opened. */
let archive: { readonly path: string; readonly reader: PMTiles } | undefined;

/** Undefined where the file can't be had, or has nothing that could be drawn; why is in the browser's log. */
export async function openStreetMap(path: string): Promise<StreetMap | undefined> {
  const opened = archive?.path === path ? archive : { path, reader: createReader(path) };
  try {
    const map = describe(await opened.reader.getHeader(), await opened.reader.getMetadata());
    archive = opened;
    return map;
  } catch (error) {
    archive = undefined;
    console.warn('the street map cannot be read', error);
    return undefined;
  }
}

/** The tile at an address of `StreetMap.tiles`; no bytes where the file has none. Throws as the map expects of a protocol. */
export async function loadStreetTile(
  { url }: { readonly url: string },
  { signal }: AbortController,
): Promise<{ data: ArrayBuffer }> {
  const [, zoom, column, row] = /^[\w-]+:\/\/(\d+)\/(\d+)\/(\d+)$/.exec(url) ?? [];
  const tile = await archive?.reader.getZxy(Number(zoom), Number(column), Number(row), signal);
  return { data: tile?.data ?? new ArrayBuffer(0) };
}

function createReader(path: string): PMTiles {
  // The library's usual cache keeps failures too: a directory that did not load once would never be asked for again.
  return new PMTiles(new SiteFile(path), new ResolvedValueCache());
}

/** A file of this site as the library reads it. */
class SiteFile implements Source {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  getKey(): string {
    return this.#path;
  }

  async getBytes(offset: number, length: number, signal?: AbortSignal, etag?: string): Promise<RangeResponse> {
    // The lengths come from the file.
    if (!(length > 0 && length <= MAX_PART_BYTES)) throw new Error(`a part of ${length} bytes`);
    const result = await requestRange(this.#path, { offset, length, signal });
    signal?.throwIfAborted();
    if (!result.ok) {
      // A file that was replaced by a shorter one ends before what the former one had there.
      if (result.kind === 'http' && result.status === 416) throw new EtagMismatch(this.#path);
      throw new Error(result.kind === 'aborted' ? result.kind : result.message);
    }
    const part = result.value;
    if (etag !== undefined && part.etag !== etag) throw new EtagMismatch(this.#path);
    return { data: part.bytes, ...(part.etag === undefined ? {} : { etag: part.etag }) };
  }
}

function describe(header: Header, metadata: unknown): StreetMap {
  const { tileType, tileCompression, minZoom, maxZoom } = header;
  if (tileType !== VECTOR_TILES) throw new Error(`its tiles are of type ${tileType}, which is not vector`);
  if (!READABLE.includes(tileCompression)) throw new Error(`its tiles are compressed in way ${tileCompression}`);
  const { vector_layers: layers, attribution } = metadata as Readonly<Record<string, unknown>>;
  const names = Array.isArray(layers) ? layers.map((layer: { readonly id?: unknown } | null) => layer?.id) : [];
  const schema = schemaOf(names);
  if (schema === undefined) throw new Error(`its layers follow no schema that is known: ${names.join(', ')}`);
  return {
    tiles: `${STREET_PROTOCOL}://{z}/{x}/{y}`,
    minZoom: Math.min(minZoom, MAX_ZOOM),
    maxZoom: Math.min(Math.max(minZoom, maxZoom), MAX_ZOOM),
    bounds: boundsOf(header),
    attribution: typeof attribution === 'string' ? attribution.slice(0, MAX_ATTRIBUTION_LETTERS) : '',
    schema,
  };
}

function boundsOf({ minLon, minLat, maxLon, maxLat }: Header): StreetMap['bounds'] {
  const clamp = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees));
  const bounds = [clamp(minLon, 180), clamp(minLat, MAX_LATITUDE), clamp(maxLon, 180), clamp(maxLat, MAX_LATITUDE)];
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  return west < east && south < north ? [west, south, east, north] : [-180, -MAX_LATITUDE, 180, MAX_LATITUDE];
}
