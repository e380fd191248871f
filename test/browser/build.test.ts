import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { web } from '../../server/setup/paths.mjs';
import { filesIn } from '../rules/sourceFiles.ts';

const files = filesIn(web, ['.'], /./);
const pages = files.filter((path) => path.endsWith('.html'));

/** Two rounds of six. */
const MAX_SCRIPTS = 12;

/** What a page's document names, to be loaded before it shows anything. */
function scriptsOf(page: string): string[] {
  const html = readFileSync(join(web, page), 'utf8');
  return [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map((match) => match[1] ?? '');
}

describe('the built pages', () => {
  it('are the four entries, and inner pages apart from them', () => {
    const entries = pages.filter((path) => !path.startsWith('innerpage/'));
    expect(entries.sort()).toEqual(['live', 'playback', 'remote', 'shell'].map((entry) => `${entry}/index.html`));
    expect(pages).toContain('innerpage/login.html');
  });

  it.each(pages)('hold no script or style of their own, which the content security policy forbids: %s', (page) => {
    const html = readFileSync(join(web, page), 'utf8');
    const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, content] of scripts) {
      expect(attributes).toMatch(/ src="\//);
      expect(content).toBe('');
    }
    expect(html).not.toMatch(/<style\b|\son\w+=|["']data:/);
  });

  it.each(pages)('load few scripts at once, since a browser asks HTTP/1.1 for six at a time: %s', (page) => {
    const named = scriptsOf(page);
    expect(named.length).toBeGreaterThan(2);
    expect(named.length).toBeLessThanOrEqual(MAX_SCRIPTS);
  });

  it('leave tables and calendars to the pages that have them', () => {
    const large = (page: string): string[] => scriptsOf(page).filter((path) => /assets[/](table|dates)-/.test(path));
    expect(large('innerpage/devicegroup.html')).toHaveLength(2);
    expect(large('innerpage/login.html')).toEqual([]);
    expect(large('innerpage/topbar.html')).toEqual([]);
  });

  it('give workers a name that outlives a version, and other scripts one that does not', () => {
    const workers = files
      .filter((path) => /^workers\/[^/]+\.(worker|worklet)\.js$/.test(path))
      .map((path) => basename(path));
    expect(workers).toContain('stream.worker.js');
    expect(workers).toContain('video.worker.js');
    const assets = files.filter((path) => /(^|\/)assets\/.*\.(js|css)$/.test(path));
    expect(assets.length).toBeGreaterThan(4);
    expect(assets.filter((path) => !/-[\w-]{8}\.(js|css)$/.test(path))).toEqual([]);
  });

  it('name each worker by that address', () => {
    const scripts = files.filter((path) => path.endsWith('.js')).map((path) => readFileSync(join(web, path), 'utf8'));
    expect(scripts.some((script) => script.includes('/workers/stream.worker.js'))).toBe(true);
    expect(scripts.some((script) => script.includes('/workers/video.worker.js'))).toBe(true);
  });
});
