// Joins the gateway's modules into few files: most of what a start takes is the opening of a thousand of them.
import { writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

/** Packages of hundreds of small files, in modules of the language itself. The others stay what they are, in `node_modules`. */
const JOINED_PACKAGES = ['kysely', 'typebox'];

/**
 * Writes JavaScript, and beside it source maps for debuggers and places for the log. Each entry has the place below `output` that its source has below `root`, since it is
 * started, or started as a thread, by its path; what entries share is in `chunks`.
 * @param {{ root: string, entries: readonly string[], output: string, chunks: string }} options
 * `entries`: relative to `root`, such as `server/main.ts`; `chunks`: a folder relative to `output`
 */
export async function bundle({ root, entries, output, chunks }) {
  // A package, and every command loads this file: in a fresh clone before packages are there.
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [withoutEnding(entry), join(root, entry)])),
    platform: 'node',
    external: isExternal,
    plugins: [sourceAddresses(root)],
    logLevel: 'silent',
  });
  try {
    const written = await bundler.write({
      dir: output,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: `${chunks}/[name].js`,
      sourcemap: true,
      // Names of classes and functions stand in the log.
      keepNames: true,
    });
    for (const chunk of written.output) {
      if (chunk.type === 'chunk' && chunk.map) writePlaces(join(output, chunk.fileName), chunk, root);
    }
  } finally {
    await bundler.close();
  }
}

/**
 * A source map takes half a second to read, which the log must not. This is the place of each line alone: `sources`, relative to `root`,
 * and `lines`, in base64 two numbers of 32 bits for each line, little-endian: its source from 1 and the line there; 0 for none.
 * @param {string} file
 * @param {import('rolldown').OutputChunk} chunk
 * @param {string} root
 */
function writePlaces(file, { code, map }, root) {
  const sources = new Map([['', 0]]);
  const sourceMap = new SourceMap(JSON.parse(String(map)));
  const places = code.split('\n').map((line, at) => {
    const entry = sourceMap.findEntry(at, line.search(/\S|$/));
    if (!('originalSource' in entry) || entry.generatedLine !== at) return [0, 0];
    const source = relative(root, resolve(dirname(file), entry.originalSource)).replaceAll(sep, '/');
    if (!sources.has(source)) sources.set(source, sources.size);
    return [sources.get(source) ?? 0, entry.originalLine + 1];
  });
  const bytes = Buffer.alloc(places.length * 8);
  for (const [at, [source = 0, line = 0]] of places.entries()) {
    bytes.writeUInt32LE(source, at * 8);
    bytes.writeUInt32LE(line, at * 8 + 4);
  }
  const [, ...named] = sources.keys();
  writeFileSync(`${file}.places.json`, JSON.stringify({ sources: named, lines: bytes.toString('base64') }));
}

/** @param {string} id */
function isExternal(id) {
  if (/^[./\0]/.test(id)) return false;
  return !JOINED_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`));
}

/** @param {string} path */
function withoutEnding(path) {
  return path.replaceAll(sep, '/').replace(/\.ts$/, '');
}

const MARK = '__sourceAddress';

/**
 * Modules find their threads and files from where they stand. They are told the place that they would have if each was a file of its own.
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 */
function sourceAddresses(root) {
  return {
    name: 'source-addresses',
    transform(code, id) {
      if (!code.includes('import.meta.') || id.includes('node_modules')) return null;
      if (/import\.meta\.(dir|file)name/.test(code)) throw new Error(`${id}: only import.meta.url outlasts a bundle`);
      const place = `${withoutEnding(relative(root, id))}.js`;
      return { code: code.replaceAll('import.meta.url', `${MARK}('${place}')`), map: null };
    },
    renderChunk(code, { fileName }) {
      if (!code.includes(MARK)) return null;
      const addressed = code.replaceAll(new RegExp(`${MARK}\\(["'\`]([^"'\`]+)["'\`]\\)`, 'g'), (_mark, place) => {
        const way = posix.relative(posix.dirname(fileName), place);
        return `new URL('${way.startsWith('.') ? way : `./${way}`}', import.meta.url).href`;
      });
      return { code: addressed, map: null };
    },
  };
}
