// The built site's files, and which of them answers an address. Addresses are looked up in the list of what was built:
// no path is ever put together from a request, so none can lead out of the folder.
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { PageKind } from '../kernel/headers.ts';

export interface SiteFiles {
  has(path: string): boolean;
  readonly count: number;
}

/** Lists what was built under `root`; nothing when it was not. */
export function listSiteFiles(root: string): SiteFiles {
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const paths = new Set(
    files.map((file) =>
      file
        .slice(root.length + 1)
        .split(sep)
        .join('/'),
    ),
  );
  return { has: (path) => paths.has(path), count: paths.size };
}

export type PageAnswer =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly cache: 'immutable' | 'revalidate';
      readonly frame: PageKind;
    }
  /** A page that the shell would frame and that does not exist: a notice, never the shell in itself. */
  | { readonly kind: 'no-inner-page' }
  | { readonly kind: 'no-file' };

const VIDEO_ENTRIES = ['live', 'playback', 'remote'];
const SHELL = 'shell/index.html';

/** Hashed names: what they hold never changes. */
const IMMUTABLE = /^(?:innerpage\/)?assets\//;

/** Folders of files alone, and the gateway's own addresses: what is missing there is missing. */
const NEVER_A_PAGE = /^(?:assets|workers|locales|api|stream)(?:\/|$)|^push-worker\.js$/;

/** The file for an address. `path` is decoded and begins with a slash. Pure. */
export function answerPage(path: string, files: SiteFiles): PageAnswer {
  // No address of ours has these; what asks for them is looking for a way out of the folder.
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)|\p{Cc}/u.test(path)) return { kind: 'no-file' };
  const name = path.slice(1);
  if (isDocument(name) && files.has(name)) {
    return { kind: 'file', file: name, cache: IMMUTABLE.test(name) ? 'immutable' : 'revalidate', frame: 'page' };
  }
  if (name.startsWith('innerpage/')) return { kind: 'no-inner-page' };
  if (NEVER_A_PAGE.test(name)) return { kind: 'no-file' };
  const entry = VIDEO_ENTRIES.find((video) => name.startsWith(`${video}/`));
  const file = entry === undefined ? SHELL : `${entry}/index.html`;
  if (!files.has(file)) return { kind: 'no-file' };
  return { kind: 'file', file, cache: 'revalidate', frame: entry === undefined ? 'page' : 'video' };
}

/** Entries are answered by their addresses, compressed copies by their originals. */
function isDocument(name: string): boolean {
  return !/^(?:shell|live|playback|remote)\//.test(name) && !/\.(?:br|gz)$/.test(name);
}
