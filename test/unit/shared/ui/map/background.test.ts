import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadBackground } from '../../../../../shared/ui/map/background.ts';
import { failedAddress, MapHealth } from '../../../../../shared/ui/map/mapHealth.ts';
import { LIGHT_MAP } from '../../../../../shared/ui/map/mapScheme.ts';
import { loadStreetTile } from '../../../../../shared/ui/map/streets/streetMap.ts';
import { townFile } from '../../../../../simulator/town/townFile.ts';

const STYLE_URL = 'https://maps.example/style.json';
const TILE_URL = 'https://maps.example/1/2/3.pbf';
const CONFIGURED = { version: 8, name: 'theirs', sources: {}, layers: [] };
const WORLD = { type: 'Topology', arcs: [], objects: { countries: { type: 'GeometryCollection', geometries: [] } } };

/** Answers what is asked for; an address that is missing cannot be reached. */
function answer(answers: Readonly<Record<string, () => Response>>): readonly string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const made = url.includes('countries') ? () => Response.json(WORLD) : answers[url];
    if (made === undefined) throw new TypeError('not reachable');
    return made();
  });
  return asked;
}

const load = (styleUrl: string, failedUrl?: string, pmtilesUrl = '') =>
  loadBackground({
    source: { styleUrl, pmtilesUrl, attribution: '' },
    scheme: LIGHT_MAP,
    failedUrl,
    language: 'en',
    font: 'sans-serif',
  });

describe('the background of the map', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('is the configured style while it can be had', async () => {
    answer({ [STYLE_URL]: () => Response.json(CONFIGURED) });
    expect(await load(STYLE_URL)).toEqual({ kind: 'configured', style: CONFIGURED });
  });

  it.each([
    ['cannot be reached', undefined],
    ['is refused', () => new Response('no', { status: 403 })],
    ['is no style', () => new Response('<html>')],
  ])('is the outlines of the world when the style %s', async (_how, made) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    answer(made === undefined ? {} : { [STYLE_URL]: made });
    const { kind, style } = await load(STYLE_URL);
    expect([kind, Object.keys(style.sources)]).toEqual(['stand-in', ['world']]);
  });

  it('asks nobody when none is configured', async () => {
    const asked = answer({});
    expect((await load('')).kind).toBe('built-in');
    expect(asked.filter((url) => url.startsWith('https:'))).toEqual([]);
  });

  it('stays the outlines until what the style is drawn from can be had', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const style = { [STYLE_URL]: () => Response.json(CONFIGURED) };
    answer(style);
    expect((await load(STYLE_URL, TILE_URL)).kind).toBe('stand-in');
    answer({ ...style, [TILE_URL]: () => new Response('tile') });
    expect((await load(STYLE_URL, TILE_URL)).kind).toBe('configured');
  });
});

describe('the street map of this site', () => {
  const TOWN = townFile();
  // Each test has a path of its own: an archive that was opened is remembered.
  let number = 0;
  let path: string;
  beforeEach(() => {
    path = `/map-${number++}`;
    vi.stubGlobal('window', { location: { search: '' } });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** A server with a file; `asked` is the ranges. */
  function serve(file: () => Buffer, etag: () => string = () => '"1"'): readonly string[] {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit = {}) => {
      if (url.includes('countries')) return Response.json(WORLD);
      const range = new Headers(headers).get('range') ?? '';
      asked.push(range);
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
      const part = file().subarray(Number(from), Number(to) + 1);
      if (part.length === 0) return new Response(null, { status: 416 });
      return new Response(new Uint8Array(part), { status: 206, headers: { etag: etag() } });
    });
    return asked;
  }
  const tile = (zoom: number) =>
    loadStreetTile(
      { url: `fleet-streets://${zoom}/${Math.floor(2 ** zoom * 0.836)}/${Math.floor(2 ** zoom * 0.432)}` },
      new AbortController(),
    );

  it('is drawn, over the outlines, with what its file says of itself', async () => {
    serve(() => TOWN);
    const { kind, style } = await load('', undefined, path);
    expect(kind).toBe('streets');
    expect(style.sources).toMatchObject({ streets: { type: 'vector', maxzoom: 14, attribution: 'Fictional town' } });
    expect(Object.keys(style.sources)).toContain('world');
    expect((await tile(8)).data.byteLength).toBeGreaterThan(100);
    expect((await loadStreetTile({ url: 'fleet-streets://14/1/1' }, new AbortController())).data.byteLength).toBe(0);
  });

  it('gives way to a configured style', async () => {
    answer({ [STYLE_URL]: () => Response.json(CONFIGURED) });
    expect((await load(STYLE_URL, undefined, path)).kind).toBe('configured');
  });

  it.each([
    ['cannot be read', () => Buffer.alloc(0)],
    ['is something else', () => Buffer.from('<html>'.repeat(100))],
    ['ends in the middle', () => TOWN.subarray(0, 400)],
    ['claims parts without measure', () => spoilt((file) => file.writeBigUInt64LE(10n ** 15n, 32))],
    ['holds pictures', () => spoilt((file) => file.writeUInt8(2, 99))],
  ])('is the outlines where the file %s', async (_how, file) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    serve(file);
    expect((await load('', undefined, path)).kind).toBe('streets-stand-in');
  });

  it('is read anew when its file is replaced while the map is open', async () => {
    let etag = '"1"';
    serve(
      () => TOWN,
      () => etag,
    );
    await load('', undefined, path);
    etag = '"2"';
    expect((await tile(8)).data.byteLength).toBeGreaterThan(100);
  });

  it('asks again for what did not come once', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    serve(() => Buffer.alloc(0));
    expect((await load('', undefined, path)).kind).toBe('streets-stand-in');
    serve(() => TOWN);
    expect((await load('', undefined, path)).kind).toBe('streets');
  });

  function spoilt(change: (file: Buffer) => void): Buffer {
    const file = Buffer.from(TOWN);
    change(file);
    return file;
  }
});

describe('the health of a configured background', () => {
  it('is lost when something failed and nothing came', () => {
    const health = new MapHealth();
    expect(health.deadUrl).toBeUndefined();
    health.failed('a');
    health.failed('b');
    expect(health.deadUrl).toBe('a');
    health.loaded();
    expect(health.deadUrl).toBeUndefined();
    health.begin();
    expect(health.deadUrl).toBeUndefined();
  });

  it('is judged by the sources of the map alone', () => {
    const error = Object.assign(new Error('gone'), { url: TILE_URL });
    expect(failedAddress({ error, sourceId: 'roads' })).toBe(TILE_URL);
    expect(failedAddress({ error })).toBeUndefined();
    expect(failedAddress({ error: new Error('no style'), sourceId: 'roads' })).toBeUndefined();
    expect(failedAddress({ error: null, sourceId: 'roads' })).toBeUndefined();
  });
});
