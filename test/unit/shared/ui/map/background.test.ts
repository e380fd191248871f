import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadBackground } from '../../../../../shared/ui/map/background.ts';
import { failedAddress, MapHealth } from '../../../../../shared/ui/map/mapHealth.ts';
import { LIGHT_MAP } from '../../../../../shared/ui/map/mapScheme.ts';

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

const load = (styleUrl: string, failedUrl?: string) =>
  loadBackground({
    ...{ source: { styleUrl, pmtilesUrl: '', attribution: '' }, scheme: LIGHT_MAP, failedUrl },
    ...{ language: 'en', font: 'sans-serif' },
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
