// How much script a page loads (gzip), so that nobody pays on a vehicle's network for what was added in passing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { web } from '../../server/setup/paths.mjs';

const KB = 1024;
const VIDEO_PAGE_BYTES = 180 * KB;
const SHELL_BYTES = 240 * KB;
const WORKER_BYTES = 16 * KB;

const gzipBytes = (path: string): number => gzipSync(readFileSync(join(web, path)), { level: 9 }).length;

/** Every script that a page's document names, and every one that these may import, now or later. */
function reachableScripts(page: string): Set<string> {
  const html = readFileSync(join(web, page), 'utf8');
  const waiting = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
  const found = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const script = readFileSync(join(web, path), 'utf8');
    for (const [, name = ''] of script.matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) waiting.push(folder + name);
    for (const [, name = ''] of script.matchAll(/["'`]\/?((?:assets|workers)\/[\w.-]+\.js)["'`]/g)) waiting.push(name);
  }
  return found;
}

const total = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + gzipBytes(path), 0);

describe('scripts, compressed', () => {
  it.each(['live', 'playback', 'remote'])('of %s are at most 180 KB, whatever is opened there', (entry) => {
    expect(total(reachableScripts(`${entry}/index.html`))).toBeLessThan(VIDEO_PAGE_BYTES);
  });

  it('of the shell are at most 240 KB', () => {
    const scripts = reachableScripts('shell/index.html');
    expect(scripts.size).toBeGreaterThan(5);
    expect(total(scripts)).toBeLessThan(SHELL_BYTES);
  });

  it.each(readdirSync(join(web, 'workers')).filter((name) => name.endsWith('.js')))(
    'of %s are at most 16 KB',
    (name) => {
      expect(gzipBytes(`workers/${name}`)).toBeLessThan(WORKER_BYTES);
    },
  );

  it('find the workers among what the live page loads', () => {
    const scripts = [...reachableScripts('live/index.html')];
    expect(scripts).toContain('workers/video.worker.js');
    expect(scripts).toContain('workers/stream.worker.js');
  });
});
